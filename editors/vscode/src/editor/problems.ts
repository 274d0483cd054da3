// Problems as LSP has them, and as much of them as the daemon uses.

import type { Diagnostic, Range } from "vscode";
import type { Diagnostic as Problem, Range as LspRange } from "../protocol/generated";

/** Problems of one file that are told; a generated or broken file may have tens of thousands. */
const most = 1000;
const longest = 2000;

export function problems(list: readonly Diagnostic[]): Problem[] {
  return worst(list).map((d) => ({
    range: lspRange(d.range),
    severity: d.severity + 1, // VS Code counts from 0, LSP from 1
    message: d.message.length > longest ? `${d.message.slice(0, longest)}…` : d.message,
    source: d.source,
  }));
}

/** All of them in their order; of too many the most severe ones. */
function worst(list: readonly Diagnostic[]): readonly Diagnostic[] {
  if (list.length <= most) return list;
  return [...list].sort((a, b) => a.severity - b.severity).slice(0, most);
}

export function lspRange(range: Range): LspRange {
  return { start: position(range.start), end: position(range.end) };
}

function position({ line, character }: { line: number; character: number }) {
  return { line, character };
}
