// Texts by lines, as the protocol counts them: lines are joined by LF, and a line end at the end is an empty line more.

import { createHash } from "node:crypto";
import type { LineEdit } from "../protocol/generated";

/** A text as it goes over the wire: LF, no byte order mark. */
export function plain(text: string): string {
  return (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).replaceAll("\r\n", "\n");
}

/** Whether VS Code would change a text by holding it: a single carriage return is a line end to it. */
export function unholdable(text: string): boolean {
  return text.replaceAll("\r\n", "\n").includes("\r");
}

/** The SHA-256 of the text in UTF-8, in hex. */
export function hash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Lines `from` to `to`, exclusive, of one text became `newFrom` to `newTo` of another. */
export interface LineChange {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** Makes edits one after the other, in place. False when one is outside of the text: some were lost before. */
export function applyLineEdits(lines: string[], edits: readonly LineEdit[]): boolean {
  for (const edit of edits) {
    if (edit.startLine < 0 || edit.endLine < edit.startLine || edit.endLine > lines.length) return false;
    replaceLines(lines, edit.startLine, edit.endLine, edit.lines);
  }
  return true;
}

/** As splice, for any number of lines: arguments of a call are limited. */
function replaceLines(lines: string[], from: number, to: number, by: readonly string[]): void {
  if (by.length < 10_000) {
    lines.splice(from, to - from, ...by);
    return;
  }
  const tail = lines.slice(to);
  lines.length = from;
  for (const line of by) lines.push(line);
  for (const line of tail) lines.push(line);
}

/** Beyond this many differing lines a change is told as one. */
const mostSteps = 1000;

/** What leads from one text to the other, in order, with an equal line at least between two changes. */
export function changes(before: readonly string[], after: readonly string[]): LineChange[] {
  let start = 0;
  const most = Math.min(before.length, after.length);
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  if (a.length === 0 && b.length === 0) return [];
  const whole = [{ from: 0, to: a.length, newFrom: 0, newTo: b.length }];
  const found = a.length === 0 || b.length === 0 ? whole : (shortest(a, b) ?? whole);
  return found.map((c) => ({ from: c.from + start, to: c.to + start, newFrom: c.newFrom + start, newTo: c.newTo + start }));
}

/** The line of the new text where the first change is; 0 when there is none. */
export function firstChange(before: string, after: string): number {
  return changes(before.split("\n"), after.split("\n"))[0]?.newFrom ?? 0;
}

/** Myers' greedy algorithm; undefined when there are too many differences. */
function shortest(a: readonly string[], b: readonly string[]): LineChange[] | undefined {
  const most = Math.min(a.length + b.length, mostSteps);
  const furthest = new Int32Array(2 * most + 3);
  const at = (k: number): number => furthest[k + most + 1]!;
  const trace: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    trace.push(furthest.slice(most + 1 - d, most + 2 + d));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[k + most + 1] = x;
      if (x >= a.length && x - k >= b.length) return backtrack(a.length, b.length, trace);
    }
  }
  return undefined;
}

/** `trace[d]` holds the furthest points on the diagonals -d to d as they were before step d. */
function backtrack(n: number, m: number, trace: readonly Int32Array[]): LineChange[] {
  const out: LineChange[] = [];
  let x = n;
  let y = m;
  for (let d = trace.length - 1; d > 0; d--) {
    const was = (k: number): number => trace[d]![k + d] ?? -1;
    const k = x - y;
    const down = k === -d || (k !== d && was(k - 1) < was(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = was(fromK);
    const fromY = fromX - fromK;
    const step = down
      ? { from: fromX, to: fromX, newFrom: fromY, newTo: fromY + 1 }
      : { from: fromX, to: fromX + 1, newFrom: fromY, newTo: fromY };
    const next = out[out.length - 1];
    if (next !== undefined && next.from === step.to && next.newFrom === step.newTo) {
      next.from = step.from;
      next.newFrom = step.newFrom;
    } else {
      out.push(step);
    }
    x = fromX;
    y = fromY;
  }
  return out.reverse();
}
