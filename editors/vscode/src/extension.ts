// Starts the extension: makes its parts and connects them. Nothing here does work of its own, and no process is started
// before the user needs it.

import { EventEmitter, window, type ExtensionContext } from "vscode";
import { Configured } from "./chat/configured";
import type { Decisions, Diffs, Setup } from "./chat/ports";
import { Session } from "./chat/session";
import { ChatView } from "./chat/view";
import { registerCommands } from "./commands";
import { createDaemon } from "./daemon/create";
import type { DaemonHost } from "./daemon/daemon";
import { StatusBar } from "./status";

let running: DaemonHost | undefined;

export function activate(context: ExtensionContext): void {
  const began = performance.now();
  const log = window.createOutputChannel("clined", { log: true });
  const daemon = createDaemon(context, log);
  running = daemon;
  const session = new Session(context.workspaceState);
  const configured = new Configured(daemon, context.globalState);
  const decisions: Decisions = { open: [], onDidChange: new EventEmitter<void>().event, decide() {}, answer() {} };
  const diffs: Diffs = { reveal: () => Promise.resolve(false) };
  const setup: Setup = { perform: () => Promise.reject(new Error("not here yet")) };
  const chat = new ChatView({ extensionUri: context.extensionUri, daemon, session, configured, decisions, diffs, setup, log });
  context.subscriptions.push(
    log,
    configured,
    chat,
    window.registerWebviewViewProvider("clined.chat", chat),
    new StatusBar({ daemon, session, configured, decisions }),
    daemon.onDidChangeState((state) => {
      if (state.kind === "stopped" || state.kind === "failed") session.ended();
    }),
    ...registerCommands({ chat, daemon, session, log }),
  );
  log.debug(`activated in ${(performance.now() - began).toFixed(1)} ms`);
}

/** The window closes or reloads. */
export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}
