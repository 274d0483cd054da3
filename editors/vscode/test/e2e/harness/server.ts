// Owns how a VS Code is started that needs no screen, and the browser to look at it with: the folders of its own that it gets, the
// settings that keep it quiet, and the end of all that ran in it.

import { type Browser, chromium } from "playwright-core";
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Tripwire, browserArguments } from "./network";
import { places } from "./places";
import { type Started, processesWith, start, until } from "./processes";

/** Of users who want nothing but what they ask for. */
export const quiet = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "npm.fetchOnlinePackageInfo": false,
  "json.schemaDownload.enable": false,
  "typescript.disableAutomaticTypeAcquisition": true,
  "window.restoreWindows": "none",
  "remote.autoForwardPorts": false,
  "editor.accessibilitySupport": "off",
};

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: places.chromium,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...browserArguments,
    ],
  });
}

const roots = new Set<string>();
process.once("exit", () => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** A folder for a VS Code, which is gone at the latest when this process ends. */
export async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "clined-e2e-"));
  roots.add(root);
  return root;
}

export async function removeRoot(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
  roots.delete(root);
}

export function environment(root: string, wire: Tripwire): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: join(root, "home"),
    XDG_RUNTIME_DIR: join(root, "run"),
    CLINED_HOME: join(root, "clined"),
    CLINED_E2E: root,
    SHELL: "/bin/sh",
    EXTENSIONS_GALLERY: '{"serviceUrl": "http://127.0.0.1:1"}',
    ...wire.env,
  };
}

export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** The user's settings. */
export async function writeUserSettings(root: string, settings: Record<string, unknown>): Promise<void> {
  await writeFiles(join(root, "data", "User"), { "settings.json": JSON.stringify(settings, null, 2) });
}

/** Makes the folders of a server, our extension among them. */
export async function prepare(root: string): Promise<void> {
  for (const folder of ["home", "run"]) await mkdir(join(root, folder), { mode: 0o700 });
  await cp(places.extensions, join(root, "extensions"), { recursive: true });
  await writeFile(join(root, "config.yaml"), "auth: none\ncert: false\n");
}

export function startServer(root: string, env: NodeJS.ProcessEnv, options: { restricted?: boolean } = {}): Started {
  const argv = [places.node, places.codeServer, "--config", join(root, "config.yaml"), "--bind-addr", "127.0.0.1:0"];
  argv.push("--user-data-dir", join(root, "data"), "--extensions-dir", join(root, "extensions"));
  argv.push("--disable-telemetry", "--disable-update-check", "--disable-getting-started-override");
  if (!options.restricted) argv.push("--disable-workspace-trust");
  return start(argv, env, root);
}

/** The address of a server that was started. */
export async function addressOf(server: Started): Promise<string> {
  const [, address] = await server.line(/HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/);
  return address ?? "";
}

/** Everything that ran in a VS Code has to end with it: the daemon, its commands. */
export async function gone(root: string): Promise<void> {
  const left = () => processesWith(`CLINED_E2E=${root}`);
  try {
    await until("the end of all processes", () => left().length === 0, 10_000);
  } catch {
    const stubborn = left();
    for (const { pid } of stubborn) process.kill(pid, "SIGKILL");
    throw new Error(`processes outlived the test:\n${stubborn.map(({ pid, command }) => `${pid} ${command}`).join("\n")}`);
  }
}
