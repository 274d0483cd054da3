// Which items of a task are rows of the transcript, and in what order. Pure.

import type { Item, Task } from "../../src/model/task";
import { isQuiet } from "../calls/tool-card-words";

function isRow(item: Item): boolean {
  switch (item.kind) {
    case "message":
      // What waits for its turn is in the queue; what says nothing yet is the state line's to tell.
      return item.role === "user" ? item.status !== "pending" : item.content.some((c) => c.text?.trim()) || item.command !== undefined;
    case "call":
      return !isQuiet(item);
    case "notice":
      return true;
  }
}

/**
 * The rows. What the user says stands where it was said to the model: a prompt that waited while another turn ran comes
 * behind that turn, though it was seen before the turn's last items.
 */
export function rows(task: Task): Item[] {
  const shown = task.items.filter(isRow);
  const begins = new Map<string, number>();
  shown.forEach((item, i) => {
    const own = item.kind === "message" && item.role === "user";
    if (!own && item.turnId && !begins.has(item.turnId)) begins.set(item.turnId, i);
  });
  // Each waiting prompt goes to where its turn begins; that of a turn in which nothing happened yet is at
  // the end. A turn that ended without anything, as by a crash, leaves its prompt where it was said.
  const moved = new Map<number, Item[]>();
  const out: Item[] = [];
  shown.forEach((item, i) => {
    out.push(...(moved.get(i) ?? []));
    if (item.kind !== "message" || item.role !== "user" || !item.turnId) {
      out.push(item);
      return;
    }
    const to = begins.get(item.turnId) ?? (item.turnId === task.turnId ? shown.length : i);
    const others = shown.slice(i + 1, to).some((o) => o.turnId !== item.turnId && !(o.kind === "message" && o.role === "user"));
    if (to <= i || !others) out.push(item);
    else moved.set(to, [...(moved.get(to) ?? []), item]);
  });
  out.push(...(moved.get(shown.length) ?? []));
  return out;
}
