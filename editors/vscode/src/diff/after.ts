// Where the user is once an edit is accepted: in the file, at the place that they looked at in the diff.

import { Position, Range, TabInputText, TextEditorRevealType, ViewColumn, window, workspace } from "vscode";
import { firstChange } from "./text";
import type { View } from "./view";

/** Lines of the proposed side. */
export interface Place {
  change: number;
  cursor: Position;
  /** The first line in view. */
  top: number | undefined;
}

export function placeIn(view: View): Place {
  const change = firstChange(view.base, view.text);
  const cursor = view.editor?.selection.active;
  const top = view.editor?.visibleRanges[0]?.start.line;
  // A diff that was streamed has its cursor at the start of the file, where nobody put it.
  const put = cursor !== undefined && (cursor.line > 0 || cursor.character > 0);
  return { change, cursor: put ? cursor : new Position(change, 0), top };
}

/** Shows the file of an accepted edit where its diff was. Where it is open, its cursor stays. */
export async function showFile(view: View, { change, cursor, top }: Place, column: ViewColumn): Promise<void> {
  const document = await workspace.openTextDocument(view.target);
  const groups = window.tabGroups.all;
  const isOpen = groups.some((group) => group.tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === document.uri.toString()));
  const there = window.visibleTextEditors.find((editor) => editor.document === document);
  const options = {
    preserveFocus: !view.hasKeyboard,
    preview: view.params.op !== "create",
    viewColumn: there?.viewColumn ?? (groups.some((group) => group.viewColumn === column) ? column : ViewColumn.Active),
    ...(isOpen ? {} : { selection: new Range(cursor, cursor) }),
  };
  const editor = there !== undefined && !view.hasKeyboard ? there : await window.showTextDocument(document, options);
  const reveal = (line: number, how: TextEditorRevealType) => {
    const at = Math.min(line, document.lineCount - 1);
    editor.revealRange(new Range(at, 0, at, 0), how);
  };
  if (isOpen || top === undefined) reveal(change, TextEditorRevealType.InCenterIfOutsideViewport);
  else reveal(top, TextEditorRevealType.AtTop);
}
