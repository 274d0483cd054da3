// Says to screen readers what came to its end: an answer, a notice, the end of a turn. What still grows is not said.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Item, Task } from "../../src/model/task";
import { task } from "../store";
import { Growing } from "../transcript/growing";

/** Longer answers are begun only: the rest is there to be read. */
const longest = 500;
/** What of a text is looked at for that: more than signs and addresses make of it. */
const looked = 8 * longest;

export function Announcer() {
  const said = useSignal("");
  const seen = useRef<{ taskId: string; seq: number; ended: Set<string> } | null>(null);
  useSignalEffect(() => {
    const now = task.value;
    if (!now) return;
    const { taskId } = now.info;
    const ends = now.items.slice(-20).filter(isEnd);
    const before = seen.current?.taskId === taskId ? seen.current : null;
    seen.current = { taskId, seq: now.seq, ended: new Set([...(before?.ended ?? []), ...ends.map((i) => i.id)]) };
    // What was there when the task was opened is no news, nor is what is older and comes in later.
    const news = before ? ends.filter((i) => i.seq > before.seq && !before.ended.has(i.id)) : [];
    if (news.length > 0) said.value = news.map(words).join(" ");
  });
  return (
    <div class="unseen" aria-live="polite" data-testid="announcer">
      {said.value}
    </div>
  );
}

function isEnd(item: Task["items"][number]): boolean {
  if (item.kind === "notice") return true;
  return item.kind === "message" && item.role === "assistant" && item.status === "completed";
}

/** Markdown as one would read it out. Code is there to be read. */
function spoken(markdown: string): string {
  const page = document.createElement("template");
  const blocks = new Growing().parse(markdown, true);
  return blocks
    .map((block) => {
      if (block.kind === "code") return block.lang ? `Code, ${block.lang}.` : "Code.";
      page.innerHTML = block.html.replace(/<\/(?:p|li|h\d|td|th|tr)>/g, "$& ");
      return page.content.textContent?.replace(/\s+/g, " ").trim();
    })
    .filter(Boolean)
    .join(" ");
}

function words(item: Item): string {
  if (item.kind === "notice") return item.text;
  if (item.kind !== "message") return "";
  const text = item.content.flatMap((c) => (c.type === "text" && c.text ? [spoken(c.text.slice(0, looked))] : [])).join(" ");
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
