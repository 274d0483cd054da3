// The chat's pure parts: what is relayed, what a webview may load, which file a link means, and what is known of tasks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chatHtml, policy } from "../../../src/chat/html";
import { locate } from "../../../src/chat/locate";
import type { ToWebview } from "../../../src/chat/messages";
import { isRelayed, Relay, responseError } from "../../../src/chat/relay";
import { Session } from "../../../src/chat/session";
import { Failure } from "../../../src/daemon/failure";
import type { TaskInfo } from "../../../src/protocol/generated";
import { Uri } from "../vscode";

interface Asked {
  method: string;
  token?: { isCancellationRequested: boolean };
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

function relay() {
  const posted: ToWebview[] = [];
  const asked: Asked[] = [];
  const order: string[] = [];
  const request = (method: string, _params: unknown, token?: Asked["token"]) => {
    order.push(method);
    return new Promise((resolve, reject) => asked.push({ method, token, resolve, reject }));
  };
  const hooks = { saying: () => void order.push("saying"), seen: (method: string) => void order.push(`seen ${method}`) };
  return { posted, asked, order, relay: new Relay({ request } as never, (m) => posted.push(m), hooks as never) };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

test("only what a view has a use for is relayed", async () => {
  const { relay: r, posted, asked } = relay();
  for (const method of ["initialize", "shutdown", "clined/account/login", "clined/approval/respond", "clined/task/export", "workspace/executeCommand", "toString", ""]) {
    assert.equal(isRelayed(method), false, method);
    await r.request(1, method, {});
  }
  assert.equal(asked.length, 0);
  assert.ok(posted.every((m) => m.type === "response" && m.error?.code === -32601));
});

test("answers, errors and hints come back under the id of their request", async () => {
  const { relay: r, posted, asked } = relay();
  void r.request(7, "clined/task/list", {});
  void r.request(8, "clined/task/prompt", {});
  asked[1]!.reject(Object.assign(new Error("it runs"), { code: 1002, data: { hint: "wait", owner: { pid: 1 } } }));
  asked[0]!.resolve({ tasks: [] });
  await turns();
  assert.deepEqual(posted, [
    { type: "response", id: 8, error: { code: 1002, message: "it runs", hint: "wait" } },
    { type: "response", id: 7, result: { tasks: [] } },
  ]);
});

test("a view that is gone is answered nothing: questions are cancelled, deeds are done", async () => {
  const { relay: r, posted, asked } = relay();
  void r.request(1, "clined/task/attach", {});
  void r.request(2, "clined/task/prompt", {});
  r.forget();
  assert.equal(asked[0]!.token?.isCancellationRequested, true);
  assert.equal(asked[1]!.token, undefined);
  void r.request(1, "clined/task/attach", {});
  asked[0]!.resolve("old");
  asked[1]!.resolve("old");
  asked[2]!.resolve("new");
  await turns();
  assert.deepEqual(posted, [{ type: "response", id: 1, result: "new" }]);
});

test("what the user sees is told before they say something, and not otherwise", () => {
  const { relay: r, order } = relay();
  void r.request(1, "clined/task/list", {});
  void r.request(2, "clined/task/steer", {});
  assert.deepEqual(order, ["clined/task/list", "saying", "clined/task/steer"]);
});

test("every error becomes plain data", () => {
  assert.deepEqual(responseError(new Failure("it is gone", "restart it", [])), { code: -32096, message: "it is gone", hint: "restart it" });
  assert.deepEqual(responseError(new TypeError("x is undefined")), { code: -32603, message: "x is undefined" });
  assert.deepEqual(responseError("words"), { code: -32603, message: "words" });
  assert.deepEqual(responseError(undefined), { code: -32603, message: "undefined" });
});

test("the document loads its own script and style alone", () => {
  const webview = { cspSource: "https://own", asWebviewUri: (uri: Uri) => Uri.parse(`https://own${uri.path}`) };
  const html = chatHtml(webview as never, Uri.file("/ext") as never);
  assert.ok(html.includes(`content="${policy("https://own")}"`));
  assert.doesNotMatch(policy("https://own"), /unsafe|\*|http:/);
  assert.match(policy("https://own"), /^default-src 'none'; script-src https:\/\/own; style-src https:\/\/own;/);
  assert.deepEqual(html.match(/(?:src|href)="[^"]*"/g), ['href="https://own/ext/dist/webview/style.css"', 'src="https://own/ext/dist/webview/webview.js"']);
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|\son\w+=/);
});

test("the file of a link", () => {
  const files = new Set(["/w/a.ts", "/w/b:2", "/v/a.ts", "/v/sub/c.ts", "/etc/x"]);
  const find = (written: string) => locate(written, ["/w", "/v"], (path) => files.has(path));
  assert.deepEqual(find("a.ts"), { path: "/w/a.ts" });
  assert.deepEqual(find("sub/c.ts"), { path: "/v/sub/c.ts" });
  assert.deepEqual(find("./sub/../sub/c.ts"), { path: "/v/sub/c.ts" });
  assert.deepEqual(find("/etc/x"), { path: "/etc/x" });
  assert.deepEqual(find("a.ts:12"), { path: "/w/a.ts", line: 11 });
  assert.deepEqual(find("a.ts:12:5"), { path: "/w/a.ts", line: 11 });
  assert.deepEqual(find("a.ts:0"), { path: "/w/a.ts", line: 0 });
  assert.deepEqual(find("b:2"), { path: "/w/b:2" });
  assert.deepEqual(find("file:///v/sub/c.ts"), { path: "/v/sub/c.ts" });
  for (const none of ["", "none.ts", "none.ts:1", "/none", "file://%%%", "a.ts:"]) assert.equal(find(none), undefined, none);
});

function session(stored: Record<string, unknown> = {}) {
  const memento = {
    get: (key: string, otherwise: unknown) => (key in stored ? stored[key] : otherwise),
    update: (key: string, value: unknown) => Promise.resolve(void (stored[key] = value)),
  };
  const s = new Session(memento as never);
  let changes = 0;
  s.onDidChange(() => changes++);
  return { s, stored, changes: () => changes };
}

const info = (taskId: string, state: string): TaskInfo => ({ taskId, title: `title of ${taskId}`, cwd: "/w", roots: ["/w"], created: "", updated: "", state, messages: 1 });
const event = (taskId: string, e: object) => ({ taskId, seq: 1, ts: "", event: e as never });

test("the task that is shown is found again in the next window", () => {
  const { s, stored } = session();
  assert.equal(s.current, null);
  s.show("t1");
  assert.equal(session(stored).s.current, "t1");
  s.forget("t1");
  assert.equal(session(stored).s.current, null);
});

test("tasks are known by their events", () => {
  const { s, changes } = session();
  s.hear(event("t1", { type: "state", state: "running" }));
  s.hear(event("t1", { type: "info", title: "Fix it" }));
  s.hear(event("t1", { type: "messageDelta", text: "…" }));
  s.hear(event("t2", { type: "state", state: "requires_action" }));
  assert.equal(changes(), 3);
  assert.deepEqual(s.active.map(([id, t]) => [id, t.title, t.state]), [["t1", "Fix it", "running"], ["t2", "", "requires_action"]]);
  s.hear(event("t2", { type: "state", state: "idle", stopReason: "error", error: { code: "auth", message: "no key" } }));
  assert.equal(s.known("t2")?.error, "no key");
  s.ended();
  assert.deepEqual(s.active, []);
  assert.equal(s.known("t1")?.state, "interrupted");
});

test("what another process runs is none of this window's work", () => {
  const { s } = session();
  s.told({ ...info("t1", "running"), owner: { pid: 1, since: "" } });
  assert.deepEqual(s.active, []);
  assert.deepEqual(s.known("t1")?.roots, ["/w"]);
  s.hear(event("t1", { type: "state", state: "running" }));
  s.hear(event("t1", { type: "state", state: "requires_action" }));
  assert.deepEqual(s.active, []);
  s.hear(event("t1", { type: "state", state: "idle", stopReason: "completed" }));
  s.hear(event("t1", { type: "state", state: "running" }));
  assert.equal(s.active.length, 1, "once the other is done, this window may run it");
  s.told({ ...info("t1", "running"), owner: { pid: 1, since: "" } });
  s.hear(event("t1", { type: "state", state: "running" }));
  s.taken("t1");
  assert.equal(s.active.length, 1, "what was said here is this window's work");
  s.told(info("t1", "running"));
  assert.equal(s.active.length, 1);
});
