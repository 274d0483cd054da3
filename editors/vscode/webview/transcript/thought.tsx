// The model's reasoning, folded to one line. While it thinks the line shows what it thinks last.

import { signal } from "@preact/signals";
import { afterDrawing } from "../parts/after";
import { Icon } from "../parts/icons";
import { written } from "../parts/visible";
import { Markdown } from "./markdown";

// What the user opened stays open when it scrolls out of sight and back.
const opened = signal<ReadonlySet<string>>(new Set());

export function isOpen(id: string): boolean {
  return opened.value.has(id);
}

/** `apart`: a text that is too long for one row is shown by others. */
export function Thought({ id, text, done, apart = false }: { id: string; text: string; done: boolean; apart?: boolean }) {
  const open = isOpen(id);
  const toggle = ({ currentTarget }: MouseEvent & { currentTarget: HTMLElement }) => {
    const next = new Set(opened.value);
    if (!next.delete(id)) next.add(id);
    opened.value = next;
    // The transcript keeps its end in sight, which is not what was asked for.
    if (apart) afterDrawing(() => currentTarget.scrollIntoView({ block: "nearest" }));
  };
  return (
    <section class="thought" data-testid="thought" data-open={open}>
      <button class="thought-line" aria-expanded={open} onClick={toggle}>
        <Icon name="chevron-right" class="thought-fold" />
        <span class={done ? "thought-title" : "thought-title shimmer"}>{done ? words(text) : "Thinking"}</span>
        {!done && !open && <span class="thought-last">{lastLine(text)}</span>}
      </button>
      {open && !apart && (
        <div class="thought-text">
          <Markdown id={`${id}:thought`} text={text} done={done} />
        </div>
      )}
    </section>
  );
}

function words(text: string): string {
  const count = text.split(/\s+/, 400).length;
  return count < 60 ? "Thought for a moment" : count < 400 ? "Thought about it" : "Thought for a while";
}

function lastLine(text: string): string {
  const lines = text.slice(-400).trimEnd().split("\n");
  return written(lines.at(-1) ?? "").replace(/[*_`#>]+/g, "").trim();
}
