// `workspace/applyEdit` where VS Code's own way falls short: of a file that is gone it keeps the editor open.

import { Uri, window, TabInputText, type Tab } from "vscode";
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from "vscode-languageclient/node";

interface DeleteFile {
  kind: "delete";
  uri: string;
}

const isDelete = (change: object): change is DeleteFile => "kind" in change && change.kind === "delete";

/** Closes the tabs of a file that the daemon removed; all other edits are VS Code's. Tabs with unsaved work stay. */
export async function closeDeleted(
  params: ApplyWorkspaceEditParams,
  next: (params: ApplyWorkspaceEditParams, ...rest: never[]) => unknown,
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
