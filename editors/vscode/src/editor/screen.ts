// What the user sees, read from the workbench: the active file with what is selected, the files in view, the tabs of all groups.
// Our own diffs count as nothing: they come and go with the model's edits, and what the user had before them lies behind.

import {
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  TabInputText,
  TabInputTextDiff,
  window,
  workspace,
} from "vscode";
import type { Range, Tab, Uri } from "vscode";
import type { EditorState } from "../protocol/generated";
import { lspRange } from "./problems";
import { isOwn, readable } from "./uris";

type Screen = Pick<EditorState, "active" | "visible" | "tabs">;

/** `before` is what was read last: while one of our diffs is in front, what it covers is still what the user looks at. */
export function readScreen(before?: Screen): Screen {
  const now = { active: active(), visible: visible(), tabs: tabs() };
  const front = window.tabGroups.all.map((group) => group.activeTab);
  if (!before || !front.some(isOurs)) return now;
  const open = (file: { uri: string } | undefined) => now.tabs.some((tab) => tab.uri === file?.uri);
  const covered = before.visible.filter((file) => open(file) && !now.visible.some((other) => other.uri === file.uri));
  const lost = !now.active && isOurs(window.tabGroups.activeTabGroup.activeTab) && open(before.active);
  return { ...now, active: lost ? before.active : now.active, visible: [...now.visible, ...covered] };
}

function isOurs(tab: Tab | undefined): boolean {
  const uri = tab && uriOf(tab);
  return uri !== undefined && isOwn(uri);
}

/**
 * A bare cursor is left out: it tells nothing that the daemon uses, and would be news with every key. Where no text editor is
 * active (an image, a file too large for extensions, or none for a moment when tabs change) the tab in front tells the file.
 */
function active(): EditorState["active"] {
  const notebook = window.activeNotebookEditor && readable(window.activeNotebookEditor.notebook.uri);
  if (notebook) return { uri: notebook };
  const editor = window.activeTextEditor;
  const uri = editor && readable(editor.document.uri);
  if (uri) {
    const selections = editor.selections.filter((s) => !s.isEmpty).map(lspRange);
    return { uri, selections: selections.length > 0 ? selections : undefined };
  }
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const shown = tab && uriOf(tab);
  const file = shown && readable(shown);
  return file ? { uri: file } : undefined;
}

/** Each file once, with all parts of it that are in view: of diff editors the sides that are files. */
function visible(): EditorState["visible"] {
  const seen = new Map<string, Range[]>();
  const add = (of: Uri | undefined, ranges: readonly Range[]) => {
    const uri = of && readable(of);
    if (uri) seen.set(uri, [...(seen.get(uri) ?? []), ...ranges]);
  };
  for (const editor of window.visibleTextEditors) add(editor.document.uri, editor.visibleRanges);
  for (const editor of window.visibleNotebookEditors) add(editor.notebook.uri, []); // its ranges count cells
  for (const { activeTab } of window.tabGroups.all) add(activeTab && uriOf(activeTab), []);
  return [...seen].map(([uri, ranges]) => ({ uri, ranges: ranges.length > 0 ? ranges.map(lspRange) : undefined }));
}

/** A tab may be told late that its document was saved. */
function tabs(): EditorState["tabs"] {
  const unsaved = new Map(workspace.textDocuments.map((document) => [document.uri.toString(), document.isDirty]));
  return window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const shown = uriOf(tab);
      const uri = shown && readable(shown);
      if (!uri) return [];
      return { uri, dirty: (unsaved.get(shown.toString()) ?? tab.isDirty) || undefined, pinned: tab.isPinned || undefined, group: group.viewColumn };
    }),
  );
}

/** Of a diff the side that can be changed: a tab of `git:` against a file shows the file, one of our proposals none. */
function uriOf({ input }: Tab): Uri | undefined {
  if (input instanceof TabInputText || input instanceof TabInputCustom) return input.uri;
  if (input instanceof TabInputNotebook) return input.uri;
  if (input instanceof TabInputTextDiff || input instanceof TabInputNotebookDiff) return input.modified;
  return undefined; // webviews, terminals, settings and the like
}
