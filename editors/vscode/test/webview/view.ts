// The webview in a plain browser: its bundle behind the same content security policy, a host that is played by the test,
// and the colours of VS Code's own themes. What it cannot tell is how the extension host behaves: test/e2e does.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { ToHost, ToWebview } from "../../src/chat/messages";
import type { Event } from "../../src/protocol/generated";
import { answer, initOf, type Stage } from "./stage";

const { chromium } = createRequire(resolve("package.json"))("playwright-core") as typeof import("playwright-core");

export type Theme = "dark" | "light" | "contrast";
export const themes: readonly Theme[] = ["dark", "light", "contrast"];

const bundle = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "webview");
const screenshots = resolve("..", "..", ".cache", "screenshots");
const types: Record<string, string> = { ".js": "text/javascript", ".css": "text/css" };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; form-action 'none'";
const html = (theme: Theme) => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><script src="host.js?${theme}"></script><link rel="stylesheet" href="defaults.css"><link rel="stylesheet" href="style.css"></head>
<body class="${bodyClass[theme]}" data-vscode-theme-kind="${bodyClass[theme]}"><script type="module" src="webview.js"></script></body></html>`;
const bodyClass: Record<Theme, string> = { dark: "vscode-dark", light: "vscode-light", contrast: "vscode-high-contrast" };

function browserPath(): string {
  const known = [resolve("..", "..", ".cache", "vscode", "chromium"), "/usr/bin/chromium"];
  const found = known.find(existsSync);
  if (!found) throw new Error("there is no Chromium; hint: sh scripts/vscode.sh fetches one");
  return found;
}

/** A browser and the server of the bundle; one for all tests of a file. */
export class Lab {
  private constructor(
    private readonly browser: Browser,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  /** `unpoliced` lets a bench run code of its own in the page. */
  static async open({ unpoliced = false } = {}): Promise<Lab> {
    const server = createServer((request, response) => {
      const [name = "", query] = (request.url ?? "").slice(1).split("?");
      if (!unpoliced) response.setHeader("Content-Security-Policy", policy);
      if (name === "") {
        response.setHeader("Content-Type", "text/html");
        response.end(html((query as Theme | undefined) ?? "dark"));
        return;
      }
      try {
        response.setHeader("Content-Type", types[extname(name)] ?? "application/octet-stream");
        if (name === "host.js") {
          response.end(`(${fakeHost.toString()})(${JSON.stringify(readTheme(query as Theme))})`);
          return;
        }
        const file = name === "defaults.css" ? join("test", "webview", name) : join(bundle, name);
        response.end(readFileSync(file));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
    return new Lab(await chromium.launch({ executablePath: browserPath(), args }), server);
  }

  async show(stage: Stage, theme: Theme = "dark", width = 420, height = 800): Promise<View> {
    const page = await this.browser.newPage({ viewport: { width, height } });
    const view = new View(page, stage);
    await view.begin(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}/?${theme}`);
    return view;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await new Promise((done) => this.server.close(done));
  }
}

/** The view, with the test as its host. */
export class View {
  /** All that the view has posted. */
  readonly sent: ToHost[] = [];
  /** Errors of scripts and violations of the policy: a test asserts that there are none. */
  readonly faults: string[] = [];
  /** Delays the answers to messages that a test wants to come late. */
  hold: ((message: ToHost) => Promise<void> | undefined) | undefined;
  private seq = 1_000_000;

  constructor(
    readonly page: Page,
    readonly stage: Stage,
  ) {}

  async begin(url: string): Promise<void> {
    this.page.on("pageerror", (error) => this.faults.push(String(error.stack ?? error)));
    this.page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.faults.push(message.text());
    });
    await this.page.exposeFunction("hostReceives", (message: ToHost) => this.receive(message));
    await this.page.goto(url);
    const shown = this.page.waitForSelector("[data-testid=chat]:not([aria-busy])", { timeout: 10_000 });
    await shown.catch((error: unknown) => {
      throw new Error(`the view was not drawn: ${this.faults.join("; ") || "no fault was told"}`, { cause: error });
    });
  }

  private async receive(message: ToHost): Promise<void> {
    this.sent.push(message);
    if (message.type === "ready") void this.deliver(initOf(this.stage));
    const reply = answer(this.stage, message);
    await this.hold?.(message);
    // As the host does, what is decided is told before the answer.
    if (reply?.type === "response" && reply.result === true) {
      if (message.type === "decide") await this.deliver({ type: "closed", id: message.approvalId });
      if (message.type === "answer") await this.deliver({ type: "closed", id: message.askId });
    }
    if (reply) void this.deliver(reply);
  }

  /** Messages of one kind that the view has posted. */
  sentOf<T extends ToHost["type"]>(type: T): Extract<ToHost, { type: T }>[] {
    return this.sent.filter((m): m is Extract<ToHost, { type: T }> => m.type === type);
  }

  async deliver(...messages: ToWebview[]): Promise<void> {
    await this.page.evaluate((all) => {
      for (const m of all) window.postMessage(m, "*");
    }, messages).catch((error: unknown) => {
      if (!this.page.isClosed()) throw error;
    });
  }

  /** Tells events of the shown task, as the daemon would. */
  async events(...events: Event[]): Promise<void> {
    const taskId = this.stage.taskId ?? "";
    const ts = "2026-05-30T08:00:00.000Z";
    await this.deliver(...events.map((event) => ({ type: "event" as const, params: { taskId, seq: ++this.seq, turnId: "turn-live", ts, event } })));
  }

  testId(id: string) {
    return this.page.getByTestId(id);
  }

  /** Writes what is seen into .cache/screenshots/. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshots, { recursive: true });
    const path = join(screenshots, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

function readTheme(theme: Theme): Record<string, string> {
  return {
    ...(JSON.parse(readFileSync(join("test", "webview", "themes", `${theme}.json`), "utf8")) as Record<string, string>),
    "--vscode-font-family": 'system-ui, "Ubuntu", "Droid Sans", sans-serif',
    "--vscode-font-weight": "normal",
    "--vscode-font-size": "13px",
    "--vscode-editor-font-family": "'Droid Sans Mono', 'monospace', monospace",
    "--vscode-editor-font-weight": "normal",
    "--vscode-editor-font-size": "14px",
  };
}

// Runs in the page, before its scripts.
function fakeHost(colours: Record<string, string>): void {
  for (const [name, value] of Object.entries(colours)) document.documentElement.style.setProperty(name, value);
  // The policy has no say here: VS Code's own host page gives the view its ground.
  document.documentElement.style.background = colours["--vscode-sideBar-background"] ?? "";
  const host = window as unknown as { hostReceives(message: unknown): void; acquireVsCodeApi(): unknown };
  host.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => host.hostReceives(message),
    // As VS Code does, it outlives a reload of the page.
    getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") as unknown,
    setState: (next: unknown) => sessionStorage.setItem("state", JSON.stringify(next)),
  });
}
