// What the user sees, read from the workbench: the active file with what is selected, the files in view, the tabs of all groups.
// Our own diffs count as nothing: they come and go with the model's edits, and what the user had before them lies behind.

import {
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  TabInputText,
  TabInputTextDiff,
  window,
} from "vscode";
import type { Range, Tab, TextEditor, Uri } from "vscode";
import type { EditorState } from "../protocol/generated";
import { lspRange } from "./problems";
import { isOwn, readable } from "./uris";

type Screen = Pick<EditorState, "active" | "visible" | "tabs">;

/** `before` is what was read last: while one of our diffs is in front, what it covers is still what the user looks at. */
export function readScreen(before?: Screen): Screen {
  const now = { active: active(), visible: visible(), tabs: tabs() };
  if (!before || !window.visibleTextEditors.some(isOurs)) return now;
  const open = (file: { uri: string } | undefined) => now.tabs.some((tab) => tab.uri === file?.uri);
  const covered = before.visible.filter((file) => open(file) && !now.visible.some((other) => other.uri === file.uri));
  const lost = !now.active && window.activeTextEditor && isOurs(window.activeTextEditor);
  return { ...now, active: lost && open(before.active) ? before.active : now.active, visible: [...now.visible, ...covered] };
}

function isOurs({ document }: TextEditor): boolean {
  return isOwn(document.uri);
}

/** A bare cursor is left out: it tells nothing that the daemon uses, and would be news with every key. */
function active(): EditorState["active"] {
  const notebook = window.activeNotebookEditor && readable(window.activeNotebookEditor.notebook.uri);
  if (notebook) return { uri: notebook };
  const editor = window.activeTextEditor;
  const uri = editor && readable(editor.document.uri);
  if (!uri) return undefined;
  const selections = editor.selections.filter((s) => !s.isEmpty).map(lspRange);
  return { uri, selections: selections.length > 0 ? selections : undefined };
}

/** Each file once, with all parts of it that are in view: of diff editors the sides that are files. */
function visible(): EditorState["visible"] {
  const seen = new Map<string, Range[]>();
  const add = (of: Uri, ranges: readonly Range[]) => {
    const uri = readable(of);
    if (uri) seen.set(uri, [...(seen.get(uri) ?? []), ...ranges]);
  };
  for (const editor of window.visibleTextEditors) add(editor.document.uri, editor.visibleRanges);
  for (const editor of window.visibleNotebookEditors) add(editor.notebook.uri, []); // its ranges count cells
  return [...seen].map(([uri, ranges]) => ({ uri, ranges: ranges.length > 0 ? ranges.map(lspRange) : undefined }));
}

function tabs(): EditorState["tabs"] {
  return window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const shown = uriOf(tab);
      const uri = shown && readable(shown);
      if (!uri) return [];
      return { uri, dirty: tab.isDirty || undefined, pinned: tab.isPinned || undefined, group: group.viewColumn };
    }),
  );
}

/** Of a diff the side that can be changed: a tab of `git:` against a file shows the file, one of our proposals none. */
function uriOf({ input }: Tab): Uri | undefined {
  if (input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook) return input.uri;
  if (input instanceof TabInputTextDiff || input instanceof TabInputNotebookDiff) return input.modified;
  return undefined; // webviews, terminals, settings and the like
}
