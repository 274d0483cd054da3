// The folders of this window that lie on this machine: those of other file systems are not for the daemon.

import { workspace } from "vscode";

export function localFolders(): { name: string; path: string }[] {
  return (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ name, uri }) => ({ name, path: uri.fsPath }));
}
