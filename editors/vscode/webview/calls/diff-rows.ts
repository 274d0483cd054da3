// The rows of a diff as they are drawn: lines, gaps, and where each hunk that can be left out begins. Pure.

import type { DiffFile, DiffLine } from "../../src/model/diff";

/** Hunks that can be taken or left, by the lines they replace (0-based, ends exclusive). */
export interface Choice {
  hunks: readonly { id: string; startLine: number; endLine: number; newStartLine: number; newEndLine: number }[];
  taken(id: string): boolean;
  toggle(id: string): void;
}

export type DiffRowItem =
  | { kind: "line"; line: DiffLine; hunk?: string }
  | { kind: "gap"; section: string }
  | { kind: "choice"; id: string; label: string };

/** The rows of a file; the checkbox of a hunk stands before its first line. Hunks of no line that is shown stand at the end. */
export function diffRows(file: DiffFile, hunks: Choice["hunks"]): DiffRowItem[] {
  const rows: DiffRowItem[] = [];
  const left = new Map(hunks.map((h, i) => [h.id, { h, n: i + 1 }]));
  const choose = hunks.length > 1;
  const of = (line: DiffLine): string | undefined =>
    hunks.find((h) =>
      line.kind === "removed"
        ? line.old !== undefined && line.old > h.startLine && line.old <= h.endLine
        : line.kind === "added" && line.new !== undefined && line.new > h.newStartLine && line.new <= h.newEndLine,
    )?.id;
  file.hunks.forEach((hunk, i) => {
    if (i > 0 || (hunk.section && hunk.newStart > 1)) rows.push({ kind: "gap", section: hunk.section });
    for (const line of hunk.lines) {
      const id = line.kind === "added" || line.kind === "removed" ? of(line) : undefined;
      const found = id === undefined ? undefined : left.get(id);
      if (found && choose) rows.push({ kind: "choice", id: found.h.id, label: `Change ${found.n} of ${hunks.length}` });
      if (id !== undefined) left.delete(id);
      rows.push(id === undefined ? { kind: "line", line } : { kind: "line", line, hunk: id });
    }
  });
  if (choose) for (const { h, n } of left.values()) rows.push({ kind: "choice", id: h.id, label: `Change ${n} of ${hunks.length}, line ${h.newStartLine + 1}` });
  return rows;
}
