// What the user makes of each open approval before it is decided. Its words are kept while the view is hidden.

import { signal } from "@preact/signals";
import { remember, remembered } from "../host";
import { approvals } from "../store";
import type { Taken } from "./approval-outcome";

export interface Draft {
  words: string;
  taken: Taken;
  /** A decision is on its way. */
  sent?: "allow" | "reject";
  /** Why the last one failed. */
  problem?: string;
}

const empty: Draft = { words: "", taken: new Map() };
const drafts = signal<ReadonlyMap<string, Draft>>(new Map(restored()));

export function draftOf(approvalId: string): Draft {
  return drafts.value.get(approvalId) ?? empty;
}

/** What is decided has no draft. */
export function setDraft(approvalId: string, change: Partial<Draft>): void {
  const before = drafts.value;
  const next = new Map([...before].filter(([id]) => approvals.value.has(id)));
  if (approvals.value.has(approvalId)) next.set(approvalId, { ...draftOf(approvalId), ...change });
  drafts.value = next;
  const words = [...next].flatMap(([id, d]) => (d.words === "" ? [] : [[id, d.words]]));
  if (change.words !== undefined || next.size < before.size) remember("feedback", words);
}

function restored(): [string, Draft][] {
  const kept = remembered<[string, string][]>("feedback");
  return Array.isArray(kept) ? kept.map(([id, words]) => [id, { ...empty, words: String(words) }]) : [];
}
