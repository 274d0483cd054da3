// `workspace/applyEdit` where VS Code's own way falls short: of a file that is gone it keeps the editor open, and what the daemon
// writes after it was edited it calls unsaved.

import { Uri, window, TabInputText, type Tab } from "vscode";
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from "vscode-languageclient/node";
import { saveOnceWritten } from "./written";

interface DeleteFile {
  kind: "delete";
  uri: string;
}

const isDelete = (change: object): change is DeleteFile => "kind" in change && change.kind === "delete";

/** Closes the tabs of a file that the daemon removed, unless they have unsaved work; all other edits are VS Code's. */
export async function applyEdit(
  params: ApplyWorkspaceEditParams,
  next: (params: ApplyWorkspaceEditParams, ...rest: never[]) => unknown,
  ended: AbortSignal,
): Promise<ApplyWorkspaceEditResult> {
  const [change, ...more] = params.edit.documentChanges ?? [];
  if (change === undefined || more.length > 0 || !isDelete(change)) {
    const result = (await (next as (p: ApplyWorkspaceEditParams) => unknown)(params)) as ApplyWorkspaceEditResult;
    if (change !== undefined && "edits" in change && result.applied) saveOnceWritten(Uri.parse(change.textDocument.uri), ended).catch(() => {});
    return result;
  }
  const uri = Uri.parse(change.uri).toString();
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => shows(tab, uri));
  if (tabs.some((tab) => tab.isDirty)) return { applied: false, failureReason: "it has unsaved changes" };
  return { applied: tabs.length === 0 || (await window.tabGroups.close(tabs, true)) };
}

function shows(tab: Tab, uri: string): boolean {
  return tab.input instanceof TabInputText && tab.input.uri.toString() === uri;
}
