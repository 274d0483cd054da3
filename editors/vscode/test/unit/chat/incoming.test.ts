// Messages of the webview: those that it sends are taken as they are, and whatever else is none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { incoming } from "../../../src/chat/incoming";
import type { SetupAction, ToHost } from "../../../src/chat/messages";

const place = { provider: "openai", baseUrl: "https://api.example.com/v1" };
const actions: SetupAction[] = [
  { kind: "status" },
  { kind: "discover" },
  { kind: "models", choice: { ...place, secret: "s" } },
  { kind: "save", choice: { ...place, model: "m" }, unchecked: true },
  { kind: "demo", stop: true },
  { kind: "signOut", ...place },
];
const good: ToHost[] = [
  { type: "ready" },
  { type: "request", id: 1, method: "clined/task/list", params: {} },
  { type: "follow", taskId: "t" },
  { type: "follow", taskId: null },
  { type: "decide", id: 2, approvalId: "a", outcome: { optionId: "allow_once", subjectHash: "h", feedback: { text: "mind\nthe tabs" }, hunks: ["1.1"] } },
  { type: "choose", approvalId: "a", hunk: "1.1", taken: false },
  { type: "answer", id: 3, askId: "q", result: { action: "accept", text: "both", images: [{ type: "image" }] } },
  { type: "answer", id: 3, askId: "q", result: { action: "accept", option: "Red" } },
  { type: "openFile", path: "src/a b.ts:3", taskId: "t", line: 2 },
  { type: "openExternal", url: "https://example.com/?a=1#b" },
  { type: "showDiff", diffId: "d", title: "Edit a", diff: "--- a" },
  { type: "copy", text: "" },
  { type: "insert", text: "x" },
  { type: "export", taskId: "t", format: "json" },
  { type: "command", command: "restart" },
  ...actions.map((action): ToHost => ({ type: "setup", id: 4, action })),
  { type: "painted", ms: 12.5 },
];

test("what the view sends is taken as it is", () => {
  for (const message of good) assert.equal(incoming(message), message, JSON.stringify(message));
});

const nothing = [undefined, null, 1, "ready", [], [{ type: "ready" }], {}, { type: "x" }, { type: "toString" }, { type: "__proto__" }, { type: ["ready"] }, () => {}];

test("what is of no known kind is none", () => {
  for (const said of nothing) assert.equal(incoming(said), undefined);
});

const wrong = [null, NaN, Infinity, -1, {}, [], ["a"], { toString: () => "a" }, "\0".repeat(40_000), Symbol("a"), () => "a"];
/** What a field may hold besides, as one message or another shows. */
const allowed: Record<string, (value: unknown) => boolean> = {
  params: (v) => typeof v === "object" && v !== null && !Array.isArray(v),
  taskId: (v) => v === null,
  ms: (v) => v === -1,
  line: (v) => v === -1,
  text: (v) => typeof v === "string",
  title: (v) => typeof v === "string",
  diff: (v) => typeof v === "string",
  option: (v) => typeof v === "string",
  hunks: (v) => Array.isArray(v),
  images: (v) => Array.isArray(v) && v.length === 0,
  outcome: (v) => JSON.stringify(v) === "{}",
};

/** Every field of a message, however deep, with a way to put another value there. */
function fields(message: object, put: (whole: object) => unknown = (whole) => whole): [name: string, set: (value: unknown) => unknown][] {
  return Object.entries(message).flatMap(([name, value]) => {
    const set = (v: unknown) => put({ ...message, [name]: v });
    const own: [string, (value: unknown) => unknown] = [name, set];
    return typeof value === "object" && value !== null && !Array.isArray(value) && name !== "params" ? [own, ...fields(value as object, set)] : [own];
  });
}

test("a field of another type, of another length, or of no kind makes it none", () => {
  let tried = 0;
  for (const message of good) {
    for (const [name, set] of fields(message)) {
      for (const value of wrong) {
        if (allowed[name]?.(value)) continue;
        tried++;
        assert.equal(incoming(set(value)), undefined, `${message.type}: ${name} is ${String(value).slice(0, 20)}`);
      }
    }
    assert.equal(incoming({ ...message, other: 1 }), undefined, `${message.type} with more`);
  }
  assert.ok(tried > 300);
});

test("what a forged message would do", () => {
  for (const forged of [
    { type: "command", command: "workbench.action.terminal.new" },
    { type: "command", command: "constructor" },
    { type: "decide", id: 1, approvalId: "a", outcome: { optionId: "allow_once", editedContent: { "file:///w/a": "evil" } } },
    { type: "openFile", path: "/etc/passwd\0.txt" },
    { type: "export", taskId: "t", format: "html" },
    { type: "setup", id: 1, action: { kind: "constructor" } },
    { type: "request", id: 1.5, method: "clined/task/list", params: {} },
    JSON.parse('{"type":"ready","__proto__":{"a":1}}') as unknown,
  ]) {
    assert.equal(incoming(forged), undefined, JSON.stringify(forged));
  }
});
