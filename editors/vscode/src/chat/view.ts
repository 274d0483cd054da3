// The chat's view: makes the webview, hears it, and tells it what the daemon and the user do. The webview comes and goes with
// the view; what it shows it asks the daemon for anew.

import { commands, env, EventEmitter, workspace } from "vscode";
import type { Disposable, LogOutputChannel, Uri, WebviewView, WebviewViewProvider } from "vscode";
import type { Daemon } from "../daemon/api";
import { localFolders } from "../daemon/folders";
import type { EditorRequests, TaskEventParams } from "../protocol/generated";
import { exportTask, hasFolder, insert, openExternal, openFile, refuseWithoutFolder, showDiff } from "./actions";
import type { Configured } from "./configured";
import { chatHtml, webviewRoot } from "./html";
import { incoming } from "./incoming";
import type { Page, RelayedMethod, ToHost, ToWebview } from "./messages";
import { Patches } from "./patches";
import type { Chat, Decision, Decisions, Diffs, Setup } from "./ports";
import { Relay } from "./relay";
import type { Session } from "./session";
import { tell } from "./tell";

export interface Parts {
  extensionUri: Uri;
  daemon: Daemon;
  session: Session;
  configured: Configured;
  decisions: Decisions;
  diffs: Diffs;
  setup: Setup;
  log: LogOutputChannel;
  /** Called right before something is said in a task. */
  saying(): void;
}

export class ChatView implements WebviewViewProvider, Chat, Disposable {
  private view: WebviewView | undefined;
  /** The webview listens: it has said `ready` and was not hidden since. */
  private listening = false;
  /** What the user did before it listened. */
  private waiting: ToWebview[] = [];
  private told = new Map<string, Decision>();
  private asked = 0;
  private readonly visibility = new EventEmitter<boolean>();
  readonly onDidChangeVisible = this.visibility.event;
  private readonly relay: Relay;
  private readonly patches = new Patches();
  private readonly disposables: Disposable[];

  constructor(private readonly parts: Parts) {
    const { daemon, decisions } = parts;
    this.relay = new Relay(daemon, (message) => this.post(message), {
      saying: parts.saying,
      seen: (method, params, result) => this.seen(method, params, result),
    });
    this.disposables = [
      this.patches,
      this.visibility,
      daemon.on("clined/task/event", (params) => this.hear(params)),
      daemon.onDidChangeState((state) => this.post({ type: "daemon", state })),
      decisions.onDidChange(() => this.tellDecisions()),
      workspace.onDidChangeWorkspaceFolders(() => this.post({ type: "folders", folders: localFolders() })),
    ];
  }

  resolveWebviewView(view: WebviewView): void {
    this.asked = performance.now();
    this.view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(this.parts.extensionUri)] };
    view.webview.onDidReceiveMessage((said: unknown) => {
      const message = incoming(said);
      if (message === undefined) this.parts.log.warn("the view sent what is no message of its");
      else void this.take(message).catch((error) => this.failed(message, error));
    });
    view.onDidChangeVisibility(() => {
      if (view.visible) this.asked = performance.now();
      else this.gone();
      this.visibility.fire(view.visible);
    });
    view.onDidDispose(() => {
      this.gone();
      if (this.view === view) this.view = undefined;
      this.visibility.fire(this.visible);
    });
    view.webview.html = chatHtml(view.webview, this.parts.extensionUri);
    // The daemon starts while the webview loads: behind this message to VS Code, for loading the language client takes its time.
    setImmediate(() => void this.parts.daemon.ready().catch(() => {}));
  }

  /** Whether the user sees the chat. */
  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  shows(taskId: string): boolean {
    return this.visible && this.parts.session.current === taskId;
  }

  async show(page: Page, taskId?: string | null): Promise<void> {
    await this.tell({ type: "show", page, ...(taskId === undefined ? {} : { taskId }), focus: page === "chat" });
  }

  async focus(): Promise<void> {
    await this.tell({ type: "show", page: "chat", focus: true });
  }

  async compose(text: string, options: { send?: boolean } = {}): Promise<void> {
    await this.tell({ type: "compose", text, ...options });
  }

  dispose(): void {
    this.gone();
    for (const one of this.disposables) one.dispose();
  }

  private async tell(message: ToWebview): Promise<void> {
    if (this.listening) this.post(message);
    else this.waiting.push(message);
    await commands.executeCommand("clined.chat.focus");
  }

  private post(message: ToWebview): void {
    if (this.listening) void this.view?.webview.postMessage(message);
  }

  private gone(): void {
    this.listening = false;
    this.relay.forget();
  }

  private async take(message: ToHost): Promise<void> {
    const { daemon, decisions, diffs, setup } = this.parts;
    switch (message.type) {
      case "ready":
        return this.begin();
      case "request":
        if (message.method === "clined/task/new" && !hasFolder()) return this.relay.answer(message.id, refuseWithoutFolder);
        return this.relay.request(message.id, message.method, message.params);
      case "setup":
        return this.relay.answer(message.id, async () => {
          const result = await setup.perform(message.action);
          if (message.action.kind !== "discover") this.parts.configured.ask();
          return result;
        });
      case "follow":
        return this.follow(message.taskId);
      case "decide":
        return this.relay.answer(message.id, () => decisions.decide(message.approvalId, message.outcome));
      case "choose":
        return decisions.choose(message.approvalId, message.hunk, message.taken);
      case "answer":
        return this.relay.answer(message.id, () => decisions.answer(message.askId, message.result));
      case "openFile":
        return openFile(message, this.folders(message.taskId));
      case "openExternal":
        return openExternal(message.url);
      case "showDiff":
        return showDiff(message, diffs, this.patches);
      case "copy":
        return env.clipboard.writeText(message.text);
      case "insert":
        return insert(message.text);
      case "export":
        return exportTask(daemon, message.taskId, message.format);
      case "command":
        await commands.executeCommand(viewCommands[message.command]);
        return;
      case "painted":
        this.drawn(message.ms);
    }
  }

  private drawn(ms: number): void {
    const all = Math.round(performance.now() - this.asked);
    this.parts.log.debug(`the chat was drawn ${all} ms after it was asked for, its script took ${ms} ms`);
  }

  private failed(message: ToHost, error: unknown): void {
    this.parts.log.warn(`${message.type}: ${error instanceof Error ? error.message : String(error)}`);
    tell(error);
  }

  /** A webview that has just loaded is told what it starts with, then what the user wanted meanwhile. */
  private begin(): void {
    const { daemon, session, configured, decisions } = this.parts;
    this.gone();
    // Nothing is waited for. Whoever had no model when last asked most likely needs one; the page leaves the setup if not.
    const first = session.current === null && !configured.likely;
    this.told = new Map(decisions.open.map((decision) => [idOf(decision), decision]));
    this.listening = true;
    this.post({
      type: "init",
      daemon: daemon.state,
      taskId: session.current,
      page: first ? "setup" : "chat",
      unsure: first && configured.value === undefined,
      approvals: decisions.open.flatMap((d) => (d.kind === "approval" ? [d.request] : [])),
      asks: decisions.open.flatMap((d) => (d.kind === "ask" ? [d.params] : [])),
      folders: localFolders(),
      platform: process.platform === "darwin" ? "mac" : process.platform === "win32" ? "windows" : "linux",
    });
    for (const message of this.waiting.splice(0)) this.post(message);
  }

  /** The view is told of the task that it shows alone. */
  private hear(params: TaskEventParams): void {
    const { session } = this.parts;
    session.hear(params);
    if (params.taskId === session.current) this.post({ type: "event", params });
  }

  private follow(taskId: string | null): void {
    const { daemon, session } = this.parts;
    const before = session.current;
    session.show(taskId);
    // What runs is followed on: the status bar tells of it.
    if (before === null || before === taskId || session.known(before)?.state !== "idle") return;
    daemon.request("clined/task/detach", { taskId: before }).catch(() => {});
  }

  private seen<M extends RelayedMethod>(method: M, params: EditorRequests[M]["params"], result: EditorRequests[M]["result"]): void {
    const { session } = this.parts;
    if (method === "clined/task/attach") {
      const { task, pending } = result as EditorRequests["clined/task/attach"]["result"];
      session.told(task);
      if (pending.length > 0) void this.parts.decisions.refresh(task.taskId);
    }
    if (method === "clined/task/prompt" || method === "clined/task/resume" || method === "clined/task/editMessage") session.taken((params as { taskId: string }).taskId);
    if (method === "clined/task/delete") session.forget((params as EditorRequests["clined/task/delete"]["params"]).taskId);
  }

  private tellDecisions(): void {
    const now = new Map(this.parts.decisions.open.map((decision) => [idOf(decision), decision]));
    for (const [id, decision] of now) {
      if (this.told.get(id) === decision) continue;
      this.post(decision.kind === "approval" ? { type: "approval", request: decision.request } : { type: "ask", params: decision.params });
    }
    for (const id of this.told.keys()) if (!now.has(id)) this.post({ type: "closed", id });
    this.told = now;
  }

  private folders(taskId: string | undefined): string[] {
    const roots = this.parts.session.known(taskId ?? this.parts.session.current ?? "")?.roots ?? [];
    return [...roots, ...localFolders().map((folder) => folder.path)];
  }
}

const viewCommands = {
  restart: "clined.restart",
  log: "clined.showLog",
  settings: "clined.openSettings",
} as const;

function idOf(decision: Decision): string {
  return decision.kind === "approval" ? decision.request.approvalId : decision.params.askId;
}
