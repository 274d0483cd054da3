// Owns a VS Code for one test: its server, its page, its folders and the model, made before the test and gone after it, with
// all that they left behind when it failed. The tests see it as an Editor.

import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Model, startModel } from "./model";
import { type Tripwire, browserArguments, startTripwire } from "./network";
import { places } from "./places";
import { type Started, hangGuard, processesWith, start, testGuard, until, within } from "./processes";
import { Workbench } from "./workbench";

export interface Options {
  /** For screenshots and what is kept of a failure. */
  name: string;
  /** Files of the workspace. */
  files?: Record<string, string>;
  /** User settings on top of those that make the model reachable; a function is told the workspace folder. */
  settings?: Record<string, unknown> | ((workspace: string) => Record<string, unknown>);
  /** What the model says; without it no model is set up. */
  script?: string;
  /** Variables of the environment of VS Code's processes. */
  env?: Record<string, string>;
  theme?: "dark" | "light" | "high contrast";
  size?: { width: number; height: number };
}

const themes = { dark: "Default Dark Modern", light: "Default Light Modern", "high contrast": "Default High Contrast" };

const quiet = {
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

function startBrowser(): Promise<Browser> {
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

/** A VS Code with the extension, a workspace and a model. */
export class Editor extends Workbench {
  constructor(
    readonly root: string,
    readonly name: string,
    readonly address: string,
    readonly model: Model | undefined,
    context: BrowserContext,
  ) {
    super(context);
  }

  get workspace(): string {
    return join(this.root, "work");
  }

  /** Text of a file of the workspace. */
  read(file: string): Promise<string> {
    return readFile(join(this.workspace, file), "utf8");
  }

  /** Waits until a file of the workspace has this text. */
  async written(file: string, text: string): Promise<void> {
    await until(`${file} to be ${JSON.stringify(text)}`, async () => (await this.read(file).catch(() => undefined)) === text);
  }

  /** A picture of the page as it is, in .cache/screenshots. */
  async screenshot(name = this.name): Promise<void> {
    await mkdir(places.screenshots, { recursive: true });
    await this.page.screenshot({ path: join(places.screenshots, `${name}.png`), animations: "disabled" });
  }

  /** A number that the extension wrote into its log, if it did; the pattern's first group. */
  async logged(pattern: RegExp): Promise<number | undefined> {
    for (const file of await logFiles(this.root)) {
      const match = pattern.exec(await readFile(file, "utf8"));
      if (match) return Number(match[1]);
    }
    return undefined;
  }

  /** The processes that run the daemon. */
  daemons(): { pid: number; command: string }[] {
    return processesWith(`CLINED_HOME=${join(this.root, "clined")}`).filter(({ command }) => /bin\/clined( |$)/.test(command));
  }

  async open(): Promise<void> {
    const payload = JSON.stringify([["logLevel", "clined.clined=debug"]]);
    await this.goto(`${this.address}/?folder=${encodeURIComponent(this.workspace)}&payload=${encodeURIComponent(payload)}`);
  }
}

/** Runs a test in a VS Code of its own. */
export async function withEditor(options: Options, test: (vs: Editor) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "clined-e2e-"));
  roots.add(root);
  const started: { end(): Promise<void> }[] = [];
  let wire: Tripwire | undefined;
  let server: Started | undefined;
  let editor: Editor | undefined;
  const failures: unknown[] = [];
  try {
    wire = await startTripwire();
    started.push(wire);
    const env = { ...environment(root, wire), ...options.env };
    await writeFiles(join(root, "work"), options.files ?? {});
    const model = options.script === undefined ? undefined : await startModel(options.script, root, env);
    if (model) started.push(model);
    await writeSettings(root, options, model);
    server = await startServer(root, env);
    started.push(server);
    const listening = server.line(/HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/);
    const browser = await startBrowser();
    started.push({ end: () => browser.close() });
    const [, address] = await listening;
    const context = await browser.newContext({
      viewport: options.size ?? { width: 1280, height: 800 },
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce",
    });
    wire.watch(context);
    editor = new Editor(root, options.name, address ?? "", model, context);
    await editor.open();
    await within("the test", testGuard, test(editor));
    if (wire.strays.length > 0) throw new Error(`it reached beyond this machine:\n${wire.strays.join("\n")}`);
  } catch (error) {
    await within("to keep what is left", hangGuard, keep(options.name, root, server, editor, wire)).catch(console.error);
    failures.push(error);
  }
  for (const it of started.reverse()) await within("an end", hangGuard, it.end()).catch((error) => failures.push(error));
  await gone(root).catch((error) => failures.push(error));
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
  roots.delete(root);
  for (const further of failures.slice(1)) console.error(further);
  if (failures.length > 0) throw failures[0];
}

function environment(root: string, wire: Tripwire): NodeJS.ProcessEnv {
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

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function writeSettings(root: string, options: Options, model: Model | undefined): Promise<void> {
  const reachable = model && { "clined.baseUrl": model.url, "clined.model": "fake-model" };
  const own = typeof options.settings === "function" ? options.settings(join(root, "work")) : options.settings;
  const theme = { "workbench.colorTheme": themes[options.theme ?? "dark"] };
  const settings = { ...quiet, ...theme, "clined.log.file": true, ...reachable, ...own };
  await writeFiles(join(root, "data", "User"), { "settings.json": JSON.stringify(settings, null, 2) });
}

async function startServer(root: string, env: NodeJS.ProcessEnv): Promise<Started> {
  for (const folder of ["home", "run"]) await mkdir(join(root, folder), { mode: 0o700 });
  await cp(places.extensions, join(root, "extensions"), { recursive: true });
  await writeFile(join(root, "config.yaml"), "auth: none\ncert: false\n");
  const argv = [places.node, places.codeServer, "--config", join(root, "config.yaml"), "--bind-addr", "127.0.0.1:0"];
  argv.push("--user-data-dir", join(root, "data"), "--extensions-dir", join(root, "extensions"));
  argv.push("--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override");
  return start(argv, env, root);
}

/** Everything that the test started has to end with it: the daemon, its commands. */
async function gone(root: string): Promise<void> {
  const left = () => processesWith(`CLINED_E2E=${root}`);
  try {
    await until("the end of all processes", () => left().length === 0, 10_000);
  } catch {
    const stubborn = left();
    for (const { pid } of stubborn) process.kill(pid, "SIGKILL");
    throw new Error(`processes outlived the test:\n${stubborn.map(({ pid, command }) => `${pid} ${command}`).join("\n")}`);
  }
}

/** Keeps what helps to understand a failure in .cache/screenshots/failed-NAME. */
async function keep(name: string, root: string, server: Started | undefined, editor?: Editor, wire?: Tripwire): Promise<void> {
  const folder = join(places.screenshots, `failed-${name}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await editor?.page.screenshot({ path: join(folder, "page.png"), timeout: 10_000 }).catch(() => {});
  await writeFile(join(folder, "console.log"), editor?.console.join("\n") ?? "");
  await writeFile(join(folder, "server.log"), server?.output() ?? "");
  await writeFile(join(folder, "network.log"), wire?.strays.join("\n") ?? "");
  for (const file of await logFiles(root)) await cp(file, join(folder, file.slice(root.length + 1).replaceAll("/", "_")));
  console.error(`what is left of it: ${folder}`);
}

/** The logs of VS Code, of the extension and of the daemon. */
async function logFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const from of [join(root, "data", "logs"), join(root, "clined")]) {
    const names = await readdir(from, { recursive: true }).catch(() => [] as string[]);
    found.push(...names.filter((name) => name.endsWith(".log")).map((name) => join(from, name)));
  }
  return found;
}
