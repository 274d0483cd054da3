// Changes of a checklist, and the Markdown that the daemon takes. Pure.

import type { EventPlanEntry } from "../../src/protocol/generated";

export type Entries = readonly EventPlanEntry[];

export function toMarkdown(entries: Entries): string {
  return entries
    .map(({ text, done }) => ({ text: text.replace(/\s+/g, " ").trim(), done }))
    .filter(({ text }) => text !== "")
    .map(({ text, done }) => `- [${done ? "x" : " "}] ${text}\n`)
    .join("");
}

export function changed(entries: Entries, at: number, change: Partial<EventPlanEntry>): Entries {
  return entries.map((e, i) => (i === at ? { ...e, ...change } : e));
}

export function removed(entries: Entries, at: number): Entries {
  return entries.filter((_, i) => i !== at);
}

export function inserted(entries: Entries, at: number): Entries {
  return [...entries.slice(0, at), { text: "", done: false }, ...entries.slice(at)];
}

/** The entry one place up (-1) or down (1); what cannot move stays. */
export function moved(entries: Entries, at: number, by: -1 | 1): Entries {
  const [a, b] = [entries[at], entries[at + by]];
  if (!a || !b) return entries;
  return entries.map((e, i) => (i === at ? b : i === at + by ? a : e));
}

export function progress(entries: Entries): { done: number; of: number; current: string } {
  return { done: entries.filter((e) => e.done).length, of: entries.length, current: entries.find((e) => !e.done)?.text ?? "" };
}
