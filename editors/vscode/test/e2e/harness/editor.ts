// Owns a VS Code for one test: its server, its page, its folders and the model, made before the test and gone after it, with
// all that they left behind when it failed. The tests see it as an Editor.

import { type BrowserContext } from "playwright-core";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Model, startModel } from "./model";
import { type Tripwire, startTripwire } from "./network";
import { places } from "./places";
import { type Started, hangGuard, processesWith, testGuard, until, within } from "./processes";
import { addressOf, environment, gone, makeRoot, prepare, quiet, removeRoot, startBrowser, startServer, writeFiles, writeUserSettings } from "./server";
import { Workbench } from "./workbench";

export interface Options {
  /** For screenshots and what is kept of a failure. */
  name: string;
  /** Files of the workspace. */
  files?: Record<string, string>;
  /** What is opened: nothing, or a workspace of these folders; else the folder of `files`. They lie in it. */
  folders?: string[];
  /** The workspace is not trusted, and VS Code asks for nothing. */
  restricted?: boolean;
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

/** A VS Code with the extension, a workspace and a model. */
export class Editor extends Workbench {
  constructor(
    readonly root: string,
    readonly name: string,
    readonly address: string,
    readonly model: Model | undefined,
    context: BrowserContext,
    private readonly folders?: string[],
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

  private get opened(): string {
    if (this.folders?.length === 0) return "ew=true";
    if (this.folders) return `workspace=${encodeURIComponent(join(this.root, "e2e.code-workspace"))}`;
    return `folder=${encodeURIComponent(this.workspace)}`;
  }

  async open(): Promise<void> {
    const payload = JSON.stringify([["logLevel", "clined.clined=debug"]]);
    await this.goto(`${this.address}/?${this.opened}&payload=${encodeURIComponent(payload)}`);
  }
}

/** Runs a test in a VS Code of its own. */
export async function withEditor(options: Options, test: (vs: Editor) => Promise<void>): Promise<void> {
  const root = await makeRoot();
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
    for (const folder of options.folders ?? []) await mkdir(join(root, "work", folder), { recursive: true });
    const workspace = { folders: options.folders?.map((folder) => ({ path: join("work", folder) })) };
    if (options.folders) await writeFiles(root, { "e2e.code-workspace": JSON.stringify(workspace) });
    const model = options.script === undefined ? undefined : await startModel(options.script, root, env);
    if (model) started.push(model);
    await writeSettings(root, options, model);
    await prepare(root);
    server = startServer(root, env, options);
    started.push(server);
    const listening = addressOf(server);
    const browser = await startBrowser();
    started.push({ end: () => browser.close() });
    const address = await listening;
    const context = await browser.newContext({
      viewport: options.size ?? { width: 1280, height: 800 },
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce",
    });
    wire.watch(context);
    editor = new Editor(root, options.name, address, model, context, options.folders);
    await editor.open();
    await within("the test", testGuard, test(editor));
    if (wire.strays.length > 0) throw new Error(`it reached beyond this machine:\n${wire.strays.join("\n")}`);
  } catch (error) {
    await within("to keep what is left", hangGuard, keep(options.name, root, server, editor, wire)).catch(console.error);
    failures.push(error);
  }
  for (const it of started.reverse()) await within("an end", hangGuard, it.end()).catch((error) => failures.push(error));
  await gone(root).catch((error) => failures.push(error));
  await removeRoot(root);
  for (const further of failures.slice(1)) console.error(further);
  if (failures.length > 0) throw failures[0];
}

async function writeSettings(root: string, options: Options, model: Model | undefined): Promise<void> {
  const reachable = model && { "clined.baseUrl": model.url, "clined.model": "fake-model" };
  const own = typeof options.settings === "function" ? options.settings(join(root, "work")) : options.settings;
  const theme = { "workbench.colorTheme": themes[options.theme ?? "dark"] };
  const trust = options.restricted && { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" };
  await writeUserSettings(root, { ...quiet, ...theme, ...trust, "clined.log.file": true, ...reachable, ...own });
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
