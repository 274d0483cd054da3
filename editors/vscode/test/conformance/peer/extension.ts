// A second extension in the window, which tells what VS Code itself holds: the texts of editors to the last blank and line end,
// which a screen does not show, and which files are where. It changes nothing and knows of our extension only the schemes of the
// two sides of its diffs. It answers each connection to the socket that the setting `peer.socket` names with one line of JSON.

import { createServer } from "node:net";
import { TabInputText, TabInputTextDiff, Uri, window, workspace, type Disposable, type ExtensionContext } from "vscode";
import type { Held } from "./held";

export function activate(context: ExtensionContext): void {
  const socket = workspace.getConfiguration("peer").get<string>("socket");
  if (!socket) return;
  let last = Date.now();
  const touch = (): void => void (last = Date.now());
  // What our extension hears of, too: once it was quiet for longer than that waits, it has told all.
  const events: Disposable[] = [
    window.onDidChangeActiveTextEditor(touch),
    window.onDidChangeVisibleTextEditors(touch),
    window.onDidChangeTextEditorSelection(touch),
    window.onDidChangeTextEditorVisibleRanges(touch),
    window.tabGroups.onDidChangeTabs(touch),
    window.tabGroups.onDidChangeTabGroups(touch),
    workspace.onDidChangeTextDocument(touch),
    workspace.onDidSaveTextDocument(touch),
  ];
  const server = createServer((connection) => {
    connection.on("error", () => {});
    held(Date.now() - last).then(
      (all) => connection.end(JSON.stringify(all)),
      (error: unknown) => connection.end(JSON.stringify({ error: String(error) })),
    );
  });
  server.listen(socket);
  context.subscriptions.push(...events, { dispose: () => server.close() });
}

async function held(quiet: number): Promise<Held> {
  const inputs = window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.input);
  const files = inputs.filter((input): input is TabInputText => input instanceof TabInputText && input.uri.scheme === "file").map(({ uri }) => uri);
  const diffs = inputs.filter((input): input is TabInputTextDiff => input instanceof TabInputTextDiff && input.modified.scheme === "clined-proposal");
  return {
    quiet,
    tabs: files.map(({ fsPath }) => fsPath),
    visible: window.visibleTextEditors.filter(({ document }) => document.uri.scheme === "file").map(({ document }) => document.uri.fsPath),
    texts: Object.fromEntries(await Promise.all(files.map(async (uri) => [uri.fsPath, await textOf(uri)] as const))),
    diffs: await Promise.all(
      diffs.map(async ({ original, modified }) => ({ path: modified.path, base: await textOf(original), proposed: await textOf(modified) })),
    ),
  };
}

async function textOf(uri: Uri): Promise<string> {
  return (await workspace.openTextDocument(uri)).getText();
}
