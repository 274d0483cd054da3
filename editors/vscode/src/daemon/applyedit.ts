// `workspace/applyEdit` where VS Code's own way falls short: of a file that is gone it keeps the editor open, and a file that
// was moved and then written beside it is unsaved for ever.

import { Uri, window, workspace, TabInputText, type Tab } from "vscode";
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from "vscode-languageclient/node";

interface DeleteFile {
  kind: "delete";
  uri: string;
}

const isDelete = (change: object): change is DeleteFile => "kind" in change && change.kind === "delete";

type Next = (params: ApplyWorkspaceEditParams, ...rest: never[]) => unknown;

/** Does what `closeDeleted` does, and saves a file that was moved without unsaved work when it is edited right behind that. */
export function saveMoved(): (params: ApplyWorkspaceEditParams, next: Next) => Promise<ApplyWorkspaceEditResult> {
  const moved = new Set<string>();
  return async (params, next) => {
    const [change] = params.edit.documentChanges ?? [];
    const edited = change !== undefined && "textDocument" in change ? Uri.parse(change.textDocument.uri).toString() : "";
    const document = moved.delete(edited) ? workspace.textDocuments.find((d) => d.uri.toString() === edited) : undefined;
    const wasSaved = document?.isDirty === false;
    const result = await closeDeleted(params, next);
    if (result.applied && change !== undefined && "kind" in change && change.kind === "rename") moved.add(Uri.parse(change.newUri).toString());
    if (result.applied && wasSaved) {
      await document.save();
      await new Promise(setImmediate); // what tells of it goes first
    }
    return result;
  };
}

/** Closes the tabs of a file that the daemon removed; all other edits are VS Code's. Tabs with unsaved work stay. */
export async function closeDeleted(
  params: ApplyWorkspaceEditParams,
  next: Next,
): Promise<ApplyWorkspaceEditResult> {
  const [change, ...more] = params.edit.documentChanges ?? [];
  if (change === undefined || more.length > 0 || !isDelete(change)) {
    return (await (next as (p: ApplyWorkspaceEditParams) => unknown)(params)) as ApplyWorkspaceEditResult;
  }
  const uri = Uri.parse(change.uri).toString();
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => shows(tab, uri));
  if (tabs.some((tab) => tab.isDirty)) return { applied: false, failureReason: "it has unsaved changes" };
  return { applied: tabs.length === 0 || (await window.tabGroups.close(tabs, true)) };
}

function shows(tab: Tab, uri: string): boolean {
  return tab.input instanceof TabInputText && tab.input.uri.toString() === uri;
}
