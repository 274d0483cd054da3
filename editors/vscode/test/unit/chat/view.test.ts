// The view as its webview meets it: what it is told when it loads, in which order, and what it is not told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Configured } from "../../../src/chat/configured";
import type { ToHost, ToWebview } from "../../../src/chat/messages";
import type { Decision } from "../../../src/chat/ports";
import { Session } from "../../../src/chat/session";
import { ChatView } from "../../../src/chat/view";
import type { DaemonState } from "../../../src/daemon/api";
import { EventEmitter, Uri, workspace } from "../vscode";

function memento(stored: Record<string, unknown>) {
  return {
    get: (key: string, otherwise: unknown) => (key in stored ? stored[key] : otherwise),
    update: (key: string, value: unknown) => Promise.resolve(void (stored[key] = value)),
  } as never;
}

/** A view with a daemon that answers as `answers` says, and a webview that keeps what it is told. */
function stage(o: { stored?: Record<string, unknown>; answers?: Record<string, (params: never) => unknown> } = {}) {
  workspace.workspaceFolders = [{ name: "work", uri: Uri.file("/work") }];
  const states = new EventEmitter<DaemonState>();
  const events = new EventEmitter<unknown>();
  const decisionsChanged = new EventEmitter<void>();
  const asked: string[] = [];
  const stored = { "clined.configured": true, ...o.stored };
  const daemon = {
    state: { kind: "running", version: "1", methods: [] } as DaemonState,
    onDidChangeState: states.event,
    ready: () => Promise.resolve(),
    request: async (method: string, params: never) => {
      asked.push(method);
      return o.answers?.[method]?.(params) ?? {};
    },
    on: (_method: string, listener: (params: unknown) => void) => events.event(listener),
    notify() {},
  };
  const decisions = { open: [] as Decision[], onDidChange: decisionsChanged.event, decide() {}, answer() {}, refresh: async (id: string) => void asked.push(`refresh ${id}`) };
  const session = new Session(memento(stored));
  const configured = new Configured(daemon as never, memento(stored));
  const logged: string[] = [];
  const view = new ChatView({
    extensionUri: Uri.file("/ext") as never,
    daemon: daemon as never,
    session,
    configured,
    decisions: decisions as never,
    diffs: { reveal: async () => true },
    setup: { perform: async () => ({}) },
    log: { debug: (m: string) => logged.push(m), warn: (m: string) => logged.push(m) } as never,
    saying: () => void asked.push("saying"),
  });
  const told: ToWebview[] = [];
  const messages = new EventEmitter<ToHost>();
  const visibility = new EventEmitter<void>();
  const webview = {
    visible: true,
    onDidChangeVisibility: visibility.event,
    onDidDispose: new EventEmitter<void>().event,
    webview: {
      cspSource: "https://own",
      html: "",
      options: {} as { localResourceRoots?: Uri[] },
      asWebviewUri: (uri: Uri) => uri,
      onDidReceiveMessage: messages.event,
      postMessage: (message: ToWebview) => void told.push(message),
    },
  };
  view.resolveWebviewView(webview as never);
  const say = async (message: ToHost) => {
    messages.fire(message);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { view, webview, visibility, told, say, asked, session, decisions, decisionsChanged, events, states, daemon, logged };
}

const approval = (approvalId: string, taskId = "t1"): Decision => ({ kind: "approval", request: { approvalId, taskId } as never });
const types = (messages: ToWebview[]) => messages.map((m) => (m.type === "event" ? `event ${m.params.event.type}` : m.type));

test("a webview that loads is told what it starts with, and nothing before", async () => {
  const s = stage({ stored: { "clined.task": "t1" } });
  s.decisions.open = [approval("a1"), { kind: "ask", params: { askId: "q1", taskId: "t1" } as never }];
  s.decisionsChanged.fire();
  s.events.fire({ taskId: "t1", seq: 1, event: { type: "state", state: "running" } });
  assert.deepEqual(s.told, []);
  await s.say({ type: "ready" });
  assert.equal(s.told.length, 1);
  const init = s.told[0] as unknown as Extract<ToWebview, { type: "init" }>;
  assert.equal(init.taskId, "t1");
  assert.equal(init.page, "chat");
  assert.deepEqual(init.approvals.map((a) => a.approvalId), ["a1"]);
  assert.deepEqual(init.asks.map((a) => a.askId), ["q1"]);
  assert.deepEqual(init.folders, [{ name: "work", path: "/work" }]);
  assert.deepEqual(s.webview.webview.options.localResourceRoots?.map((r) => r.path), ["/ext/dist/webview"]);
});

test("what is decided and changed is told once", async () => {
  const s = stage();
  s.decisions.open = [approval("a1"), approval("a2")];
  await s.say({ type: "ready" });
  s.told.length = 0;
  const [, second] = s.decisions.open;
  s.decisions.open = [approval("a1"), second!, approval("a3")];
  s.decisionsChanged.fire();
  s.decisions.open = s.decisions.open.slice(1);
  s.decisionsChanged.fire();
  assert.deepEqual(s.told.map((m) => (m.type === "approval" ? m.request.approvalId : m.type === "closed" ? `-${m.id}` : m.type)), ["a1", "a3", "-a1"]);
});

test("nothing is told of tasks that are not shown", async () => {
  const s = stage();
  await s.say({ type: "ready" });
  await s.say({ type: "follow", taskId: "t1" });
  s.told.length = 0;
  for (const taskId of ["t1", "t2"]) {
    for (const type of ["state", "info", "messageDelta", "toolCall"]) s.events.fire({ taskId, seq: 1, event: { type, state: "running", title: "T" } });
  }
  assert.deepEqual(types(s.told), ["event state", "event info", "event messageDelta", "event toolCall"]);
});

test("an idle task that is left is not followed any more, one that runs is", async () => {
  const s = stage();
  await s.say({ type: "ready" });
  await s.say({ type: "follow", taskId: "t1" });
  s.events.fire({ taskId: "t1", seq: 1, event: { type: "state", state: "running" } });
  await s.say({ type: "follow", taskId: "t2" });
  s.events.fire({ taskId: "t2", seq: 1, event: { type: "state", state: "idle" } });
  assert.ok(!s.asked.includes("clined/task/detach"));
  await s.say({ type: "follow", taskId: null });
  assert.ok(s.asked.includes("clined/task/detach"));
});

test("what the user wants before the webview listens comes right behind its start", async () => {
  const s = stage();
  await s.view.compose("look at this", { send: true });
  await s.view.show("history");
  await s.say({ type: "ready" });
  assert.deepEqual(types(s.told), ["init", "compose", "show"]);
  s.told.length = 0;
  s.webview.visible = false;
  s.visibility.fire();
  s.states.fire({ kind: "starting" });
  assert.deepEqual(s.told, []);
  await s.view.focus();
  await s.say({ type: "ready" });
  assert.deepEqual(types(s.told), ["init", "show"]);
});

test("a first run begins with the setup before anything is known, a later one with the chat", async () => {
  const begun = (s: ReturnType<typeof stage>) => {
    const { page, unsure } = s.told[0] as Extract<ToWebview, { type: "init" }>;
    return { page, unsure };
  };
  const answers = { "clined/setup/status": () => ({ configured: false, provider: "openai" }) };
  const first = stage({ stored: { "clined.configured": false }, answers });
  first.daemon.ready = () => new Promise(() => {});
  first.daemon.state = { kind: "starting" };
  await first.say({ type: "ready" });
  assert.deepEqual(begun(first), { page: "setup", unsure: true });
  const known = stage({ stored: { "clined.configured": false }, answers });
  known.states.fire(known.daemon.state);
  await new Promise((resolve) => setImmediate(resolve));
  await known.say({ type: "ready" });
  assert.deepEqual(begun(known), { page: "setup", unsure: false });
  const later = stage();
  await later.say({ type: "ready" });
  assert.deepEqual(begun(later), { page: "chat", unsure: false });
  const task = stage({ stored: { "clined.configured": false, "clined.task": "t1" } });
  await task.say({ type: "ready" });
  assert.deepEqual(begun(task), { page: "chat", unsure: false });
});

test("the answer to an attach comes before events that follow it, and what waits is asked for", async () => {
  const task = { taskId: "t1", title: "T", roots: ["/work"], state: "requires_action" };
  const s = stage({ answers: { "clined/task/attach": () => ({ task, events: [], seq: 4, pending: [{ id: "a1" }] }) } });
  await s.say({ type: "ready" });
  await s.say({ type: "follow", taskId: "t1" });
  s.told.length = 0;
  await s.say({ type: "request", id: 3, method: "clined/task/attach", params: { taskId: "t1" } });
  s.events.fire({ taskId: "t1", seq: 5, event: { type: "messageDelta" } });
  assert.deepEqual(types(s.told), ["response", "event messageDelta"]);
  assert.ok(s.asked.includes("refresh t1"));
  assert.equal(s.session.known("t1")?.title, "T");
});

test("a window without a folder begins no task", async () => {
  const s = stage();
  await s.say({ type: "ready" });
  workspace.workspaceFolders = undefined;
  await s.say({ type: "request", id: 1, method: "clined/task/new", params: {} });
  const answer = s.told.at(-1) as { error?: { message: string; hint?: string } };
  assert.equal(answer.error?.message, "no folder is open");
  assert.match(answer.error?.hint ?? "", /open the folder/);
  workspace.workspaceFolders = [{ name: "far", uri: Uri.parse("memfs:/far") }];
  await s.say({ type: "request", id: 2, method: "clined/task/new", params: {} });
  assert.equal((s.told.at(-1) as typeof answer).error?.message, "no folder of this machine is open");
  assert.ok(!s.asked.includes("clined/task/new"));
});
