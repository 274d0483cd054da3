// Starts the extension: makes its parts and connects them. Nothing here does work of its own, and no process is started
// before the user needs it.

import { window, workspace, type ExtensionContext } from "vscode";
import { Configured } from "./chat/configured";
import { Session } from "./chat/session";
import { tell } from "./chat/tell";
import { ChatView } from "./chat/view";
import { registerCommands } from "./commands";
import { createDaemon } from "./daemon/create";
import type { DaemonHost } from "./daemon/daemon";
import { startReview } from "./diff/start";
import { connectEditor, type Editor } from "./editor/editor";
import { untilTrusted } from "./restricted";
import { createSetup } from "./setup/create";
import { StatusBar } from "./status";

let running: DaemonHost | undefined;

export function activate(context: ExtensionContext): void {
  if (workspace.isTrusted) start(context);
  else context.subscriptions.push(untilTrusted(context, () => start(context)));
}

function start(context: ExtensionContext): void {
  const began = performance.now();
  const log = window.createOutputChannel("clined", { log: true });
  let editor: Editor | undefined;
  const saying = () => editor?.flush();
  const daemon = createDaemon(context, log, saying);
  running = daemon;
  const session = new Session(context.workspaceState);
  const configured = new Configured(daemon, context.globalState);
  const review = startReview(daemon, tell, saying);
  const { desk: decisions, diffs } = review;
  const setup = createSetup(context, daemon, log);
  const chat = new ChatView({ extensionUri: context.extensionUri, daemon, session, configured, decisions, diffs, setup, log, saying });
  editor = connectEditor(daemon, chat);
  review.beside(chat);
  context.subscriptions.push(
    log,
    review,
    configured,
    chat,
    editor,
    window.registerWebviewViewProvider("clined.chat", chat),
    new StatusBar({ daemon, session, configured, decisions }),
    daemon.onDidChangeState((state) => {
      if (state.kind === "stopped" || state.kind === "failed") session.ended();
    }),
    ...registerCommands({ chat, daemon, session, log, saying }),
  );
  log.debug(`activated in ${(performance.now() - began).toFixed(1)} ms`);
}

/** The window closes or reloads. */
export function deactivate(): Promise<void> | undefined {
  return running?.close();
}
