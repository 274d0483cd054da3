// Runs of calls that only looked at something, joined to one row. Pure.

import type { CallItem, Item } from "../../src/model/task";
import { plural } from "../parts/visible";

export interface CallGroup {
  kind: "group";
  id: string;
  calls: readonly CallItem[];
}

export type Row = Item | CallGroup;

/** Fewer are read as easily one by one. */
const least = 3;

function isLook(item: Item): item is CallItem {
  return item.kind === "call" && item.callKind === "read" && item.status === "completed";
}

// The same group for the same calls: what is drawn of it stays as it is.
const made = new WeakMap<CallItem, CallGroup>();

function group(calls: CallItem[]): CallGroup {
  const first = calls[0] as CallItem;
  const known = made.get(first);
  if (known && known.calls.length === calls.length && known.calls.every((c, i) => c === calls[i])) return known;
  const fresh: CallGroup = { kind: "group", id: `group:${first.id}`, calls };
  made.set(first, fresh);
  return fresh;
}

/** A run at the very end stays open while the task works: nothing is taken away from under the eye. */
export function fold(items: readonly Item[], working: boolean): Row[] {
  const rows: Row[] = [];
  let run: CallItem[] = [];
  const flush = (end: boolean): void => {
    if (run.length >= least && !(end && working)) rows.push(group(run));
    else rows.push(...run);
    run = [];
  };
  for (const item of items) {
    if (isLook(item)) run.push(item);
    else {
      flush(false);
      rows.push(item);
    }
  }
  flush(true);
  return rows;
}

const verbs: Record<string, (n: number) => string> = {
  read_file: (n) => `read ${plural(n, "file")}`,
  list_files: (n) => `listed ${plural(n, "folder")}`,
  search_files: (n) => (n === 1 ? "searched" : `searched ${n.toLocaleString("en-US")} times`),
  list_code_definition_names: (n) => (n === 1 ? "outlined code" : `outlined code ${n.toLocaleString("en-US")} times`),
};

/** What they did together, in words. */
export function groupWords(calls: readonly CallItem[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const name = call.name in verbs ? call.name : "";
    const n = name === "read_file" ? Math.max(1, call.locations?.length ?? 1) : 1;
    counts.set(name, (counts.get(name) ?? 0) + n);
  }
  const words = [...counts].map(([name, n]) => verbs[name]?.(n) ?? `looked ${plural(n, "more time")}`).join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
