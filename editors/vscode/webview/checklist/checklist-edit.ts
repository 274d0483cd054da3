// Changes of a checklist, what becomes of them when the daemon tells another one, and the Markdown that it takes. Pure.

import type { EventPlanEntry } from "../../src/protocol/generated";

export type Entries = readonly EventPlanEntry[];

/** An entry while the user changes the list. `from` is the daemon's entry that it was made of; without, it is the user's. */
export interface Row extends EventPlanEntry {
  key: number;
  from?: EventPlanEntry;
}
export type Rows = readonly Row[];

export function rows(entries: Entries): Rows {
  return entries.map((from, key) => ({ ...from, key, from }));
}

export function toMarkdown(entries: Entries): string {
  return entries
    .map(({ text, done }) => ({ text: text.replace(/\s+/g, " ").trim(), done }))
    .filter(({ text }) => text !== "")
    .map(({ text, done }) => `- [${done ? "x" : " "}] ${text}\n`)
    .join("");
}

export function changed(all: Rows, at: number, change: Partial<EventPlanEntry>): Rows {
  return all.map((e, i) => (i === at ? { ...e, ...change } : e));
}

export function removed(all: Rows, at: number): Rows {
  return all.filter((_, i) => i !== at);
}

export function inserted(all: Rows, at: number): Rows {
  return [...all.slice(0, at), { text: "", done: false, key: unused(all) }, ...all.slice(at)];
}

function unused(all: Rows): number {
  return Math.max(-1, ...all.map((r) => r.key)) + 1;
}

/** The entry one place up (-1) or down (1); what cannot move stays. */
export function moved(all: Rows, at: number, by: -1 | 1): Rows {
  const [a, b] = [all[at], all[at + by]];
  if (!a || !b) return all;
  return all.map((e, i) => (i === at ? b : i === at + by ? a : e));
}

/**
 * What the user made of `base`, made of `theirs` instead: what one side alone changed, removed or added is so, and words that
 * the user wrote outlive what they were written into. The order is the user's where the user moved something.
 */
export function rebased(base: Entries, mine: Rows, theirs: Entries): Rows {
  const place = matches(base, theirs);
  let key = unused(mine);
  const kept = mine.flatMap((row): Row[] => {
    if (!row.from) return [row];
    const { from, ...own } = row;
    const now = place.get(from);
    if (!now) return own.text === from.text ? [] : [own];
    return [{ key: own.key, text: own.text === from.text ? now.text : own.text, done: own.done === from.done ? now.done : own.done, from: now }];
  });
  const old = new Set(place.values());
  const added = new Set(theirs.filter((t) => !old.has(t)));
  const all = theirs.map((t): Row => kept.find((r) => r.from === t) ?? { ...t, key: key++, from: t });
  const wanted = all.filter((r) => added.has(r.from!) || kept.includes(r));
  const order = mine.flatMap((r) => (r.from ? [base.indexOf(r.from)] : []));
  return order.every((n, i) => i === 0 || n > order[i - 1]!) ? woven(wanted, kept) : woven(kept, wanted);
}

/** Which of `theirs` each of `base` has become: one of the same words, the nearer to the top the earlier. */
function matches(base: Entries, theirs: Entries): Map<EventPlanEntry, EventPlanEntry> {
  const left = [...theirs];
  const found = new Map<EventPlanEntry, EventPlanEntry>();
  for (const entry of base) {
    const at = left.findIndex((t) => t.text === entry.text);
    if (at >= 0) found.set(entry, ...(left.splice(at, 1) as [EventPlanEntry]));
  }
  return found;
}

/** All of `first`, and each that only `second` has behind the one that it has before it. */
function woven(first: Rows, second: Rows): Rows {
  const all = [...first];
  for (const [i, row] of second.entries()) {
    if (all.includes(row)) continue;
    const before = second[i - 1];
    all.splice(before ? all.indexOf(before) + 1 : 0, 0, row);
  }
  return all;
}

export function progress(entries: Entries): { done: number; of: number; current: string } {
  return { done: entries.filter((e) => e.done).length, of: entries.length, current: entries.find((e) => !e.done)?.text ?? "" };
}
