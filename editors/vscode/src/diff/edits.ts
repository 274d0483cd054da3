// The smallest edits that make one text of another, so that cursors, marks and folds beside them stay. Positions are as VS
// Code counts: lines from 0, UTF-16 code units.

import { changes } from "./text";

export interface Edit {
  startLine: number;
  startCharacter: number;
  endLine: number;
  endCharacter: number;
  text: string;
}

/** Edits that all count in `before` and do not overlap. Both texts have LF. */
export function minimalEdits(before: string, after: string): Edit[] {
  const a = before.split("\n");
  const b = after.split("\n");
  return changes(a, b).map((c) => {
    if (c.from === c.to || c.newFrom === c.newTo) return wholeLines(a, b, c);
    return within(a.slice(c.from, c.to), b.slice(c.newFrom, c.newTo), c.from);
  });
}

/** Lines that only come or only go, with the line end that goes with them. */
function wholeLines(a: readonly string[], b: readonly string[], c: { from: number; to: number; newFrom: number; newTo: number }): Edit {
  const text = b.slice(c.newFrom, c.newTo).join("\n");
  const comes = c.from === c.to;
  if (c.to < a.length) {
    return { startLine: c.from, startCharacter: 0, endLine: c.to, endCharacter: 0, text: comes ? text + "\n" : "" };
  }
  // Behind the last line, or up to it: the line end before goes along.
  const last = a.length - 1;
  const end = { endLine: last, endCharacter: a[last]!.length };
  if (c.from === 0) return { startLine: 0, startCharacter: 0, ...end, text };
  return { startLine: c.from - 1, startCharacter: a[c.from - 1]!.length, ...end, text: comes ? "\n" + text : "" };
}

/** Lines in place of others: without what is alike at the ends. */
function within(old: readonly string[], now: readonly string[], line: number): Edit {
  const first = commonStart(old[0]!, now[0]!);
  const lastOld = old[old.length - 1]!;
  const lastNow = now[now.length - 1]!;
  const most = Math.min(lastOld.length - (old.length === 1 ? first : 0), lastNow.length - (now.length === 1 ? first : 0));
  const last = commonEnd(lastOld, lastNow, most);
  const texts = [...now];
  texts[texts.length - 1] = lastNow.slice(0, lastNow.length - last);
  texts[0] = texts[0]!.slice(first);
  return {
    startLine: line,
    startCharacter: first,
    endLine: line + old.length - 1,
    endCharacter: lastOld.length - last,
    text: texts.join("\n"),
  };
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a[n] === b[n]) n++;
  return n > 0 && isHigh(a, n - 1) ? n - 1 : n;
}

function commonEnd(a: string, b: string, most: number): number {
  let n = 0;
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n > 0 && isLow(a, a.length - n) ? n - 1 : n;
}

const isHigh = (text: string, i: number): boolean => (text.charCodeAt(i) & 0xfc00) === 0xd800;
const isLow = (text: string, i: number): boolean => (text.charCodeAt(i) & 0xfc00) === 0xdc00;
