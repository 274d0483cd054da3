// Restricted Mode: in a workspace that is not trusted no part of the extension is made, and no process can be. What the user asks
// for says so, until the trust is given.

import { commands, Disposable, window, workspace, type ExtensionContext } from "vscode";
import { say } from "./chat/tell";

/** Calls `start` once, when the workspace is trusted. */
export function untilTrusted(context: ExtensionContext, start: () => void): Disposable {
  const manifest = context.extension.packageJSON as { contributes: { commands: { command: string }[] } };
  const restricted = Disposable.from(
    ...manifest.contributes.commands.map(({ command }) => commands.registerCommand(command, refuse)),
    // Without one VS Code says in the view that something is missing.
    window.registerTreeDataProvider<never>("clined.restricted", { getChildren: () => [], getTreeItem: (item) => item }),
    workspace.onDidGrantWorkspaceTrust(() => {
      restricted.dispose();
      start();
    }),
  );
  return restricted;
}

async function refuse(): Promise<void> {
  const manage = "Manage Workspace Trust";
  const said = await say("info", "clined starts in workspaces that you trust.", manage);
  if (said === manage) await commands.executeCommand("workbench.trust.manage");
}
