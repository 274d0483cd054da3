// Makes the daemon of a window out of what VS Code has: settings, folders, the extension's own place, the environment.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { env, version, workspace, type ExtensionContext, type LogOutputChannel } from "vscode";
import type { ClinedClient } from "../protocol/generated";
import { DaemonHost } from "./daemon";
import { daemonEnvironment } from "./environment";
import { localFolders } from "./folders";
import { findProgram } from "./find";
import { openSession } from "./session";
import { settingsOf, ToldSettings, type Described } from "./settings";

/** Versions of the protocol that this extension speaks. */
const protocol = { min: 1, max: 1 };

/** `edited` is called when the daemon had an open file changed, moved or closed, before it hears so. */
export function createDaemon(context: ExtensionContext, log: LogOutputChannel, edited: () => void): DaemonHost {
  const manifest = context.extension.packageJSON as { version: string; contributes: { configuration: { properties: Described } } };
  const clined: ClinedClient = {
    protocol,
    client: { name: `clined for ${env.appName} ${version}`, version: manifest.version, instanceId: env.sessionId },
    caps: {
      approvals: { feedback: {}, editedContent: {} },
      asks: {},
      editorState: {},
      transcript: {},
      diffView: { streaming: {}, userEdits: {}, saveFormats: {} },
      diagnosticsPull: {},
    },
  };
  const told = new ToldSettings(() => {
    const set = workspace.getConfiguration("clined");
    return settingsOf(manifest.contributes.configuration.properties, (key) => set.inspect(key));
  });
  const program = () =>
    findProgram({
      setting: workspace.getConfiguration("clined").get("path", ""),
      extensionPath: context.extensionPath,
      home: homedir(),
      path: process.env.PATH ?? "",
      platform: process.platform,
    });

  const settings = () => told.first();
  const daemon = new DaemonHost({
    open: (hooks, signal) => {
      const cwd = localFolders().find((folder) => existsSync(folder.path))?.path;
      const client = () => require("./client.js") as typeof import("./client");
      return openSession({ path: program(), cwd, env: daemonEnvironment(process.env), log, clined, settings, edited, client }, hooks, signal);
    },
    report: (what, error) => log.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });

  context.subscriptions.push(
    daemon,
    daemon.onDidChangeState((state) => {
      if (state.kind === "failed") log.error(`${state.problem}; ${state.hint}`);
      if (state.kind === "running") told.tell(daemon);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("clined")) return;
      if (event.affectsConfiguration("clined.path")) retry(daemon);
      told.tell(daemon);
    }),
  );
  return daemon;
}

/** A daemon that could not run may do so with another program. One that runs stays: it has work. */
function retry(daemon: DaemonHost): void {
  if (daemon.state.kind === "failed") daemon.restart().catch(() => {});
}
