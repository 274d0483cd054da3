// The hunks of an approval in a proposal that the user went on editing: where each is now, and whether it is still there.

import type { Hunk } from "../protocol/generated";
import { changes } from "./text";

/** A hunk in the proposed side as it is now; `to` is exclusive. */
export interface PlacedHunk {
  id: string;
  from: number;
  to: number;
  /** The user put back by hand what the file has there: there is nothing left to take or leave. */
  undone: boolean;
}

/** Finds the hunks, which count in `proposed`, in what the user made of it. */
export function placeHunks(hunks: readonly Hunk[], base: string, proposed: string, now: string): PlacedHunk[] {
  if (now === proposed) return hunks.map((h) => ({ id: h.id, from: h.newStartLine, to: h.newEndLine, undone: false }));
  const after = now.split("\n");
  const old = base.split("\n");
  const mine = changes(proposed.split("\n"), after);
  return hunks.map((h) => {
    const from = shift(mine, h.newStartLine, "start");
    const to = Math.max(from, shift(mine, h.newEndLine, "end"));
    return { id: h.id, from, to, undone: sameLines(old.slice(h.startLine, h.endLine), after.slice(from, to)) };
  });
}

/** Where a line boundary is after the changes; within one it goes to that one's side. */
function shift(mine: readonly { from: number; to: number; newFrom: number; newTo: number }[], line: number, side: "start" | "end"): number {
  let by = 0;
  for (const c of mine) {
    if (c.from > line || (c.from === line && side === "start" && c.from === c.to)) break;
    if (line < c.to) return c.from === line ? c.newFrom : side === "start" ? c.newFrom : c.newTo;
    if (c.to === line && c.from === line && side === "end") return c.newTo;
    by = c.newTo - c.to;
  }
  return line + by;
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

/** The ids of `all` that are kept; undefined when that is all of them, for then nothing needs to be said. */
export function kept(all: readonly string[], refused: ReadonlySet<string>): string[] | undefined {
  const ids = all.filter((id) => !refused.has(id));
  return ids.length === all.length ? undefined : ids;
}
