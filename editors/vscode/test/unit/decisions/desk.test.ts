// What waits for the user: nothing but an answer that the daemon took closes it, and nothing is taken for a yes.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { DaemonState } from "../../../src/daemon/api";
import { DecisionDesk, type Proposals } from "../../../src/decisions/desk";
import type { ApprovalOutcome, ApprovalRequestParams, AskParams } from "../../../src/protocol/generated";
import { CancellationTokenSource, EventEmitter } from "../vscode";

const approval = (approvalId: string): ApprovalRequestParams => ({
  approvalId,
  taskId: "t",
  turnId: "u",
  toolCallId: "c",
  title: "Edit a.go",
  subject: { type: "fileEdit", files: [{ path: "/w/a.go", uri: "file:///w/a.go", op: "modify", baseText: "", newText: "", diff: "", diffId: "d1" }] },
  subjectHash: "h",
  options: [
    { optionId: "allow_once", kind: "allow_once", name: "Allow" },
    { optionId: "allow_always", kind: "allow_always", name: "Always", rule: { scope: "task", pattern: "editing" } },
    { optionId: "reject_once", kind: "reject_once", name: "Reject" },
  ],
  allowFeedback: true,
  allowEditedContent: true,
});
const ask: AskParams = { askId: "q", taskId: "t", turnId: "u", text: "Which?", options: ["Red", "Blue"] };

interface Answers {
  respond?: (params: { approvalId?: string; outcome?: ApprovalOutcome }) => unknown;
  list?: unknown;
  kept?: string[];
}

function stage(answers: Answers = {}) {
  const handlers = new Map<string, (params: unknown, token: unknown) => Promise<unknown>>();
  const listeners = new Map<string, (params: unknown) => void>();
  const states = new EventEmitter<DaemonState>();
  const sent: [string, unknown][] = [];
  const told: string[] = [];
  const daemon = {
    onDidChangeState: states.event,
    handle: (method: string, handler: never) => (handlers.set(method, handler), { dispose() {} }),
    on: (method: string, listener: never) => (listeners.set(method, listener), { dispose() {} }),
    request: async (method: string, params: never) => {
      sent.push([method, params]);
      if (method === "clined/approval/list") return answers.list;
      return answers.respond?.(params) ?? { status: "accepted" };
    },
  };
  const desk = new DecisionDesk(daemon as never, (severity, text) => told.push(`${severity}: ${text}`));
  const shownChanged = new EventEmitter<void>();
  const proposals = {
    refused: [] as string[],
    shown: () => ({ edited: false, refusedHunks: proposals.refused, hunks: 2 }),
    flush: () => void sent.push(["flush", undefined]),
    kept: () => answers.kept,
    choose: () => {},
    onDidChange: shownChanged.event,
  };
  desk.use(proposals as unknown as Proposals);
  let changes = 0;
  desk.onDidChange(() => changes++);
  /** Has the daemon ask, and tells what its request was answered with. */
  const asked = (method: string, params: unknown) => {
    const source = new CancellationTokenSource();
    const request = { answer: "waits" as unknown, withdraw: () => source.cancel() };
    void handlers.get(method)!(params, source.token).then((answer) => (request.answer = answer));
    return request;
  };
  const handle = (method: string, params: unknown) => handlers.get(method)!(params, new CancellationTokenSource().token);
  const ids = () => desk.open.map((d) => (d.kind === "approval" ? d.request.approvalId : d.params.askId));
  return { desk, asked, handle, sent, told, ids, states, proposals, shownChanged, tell: (m: string, p: unknown) => listeners.get(m)!(p), changes: () => changes };
}

test("a yes is told beside the request, bound to its subject, behind what the user typed", async () => {
  const { desk, asked, sent, ids } = stage();
  const request = asked("clined/approval/request", approval("a"));
  await desk.decide("a", { optionId: "allow_once", feedback: { text: "mind the tabs" } });
  assert.deepEqual(sent, [
    ["flush", undefined],
    ["clined/approval/respond", { approvalId: "a", outcome: { subjectHash: "h", optionId: "allow_once", feedback: { text: "mind the tabs" } } }],
  ]);
  assert.deepEqual([ids(), request.answer], [[], null]);
});

test("the oldest waits first; another one's end leaves it open", async () => {
  const { asked, ids, tell } = stage();
  const first = asked("clined/approval/request", approval("a"));
  asked("clined/ask", ask);
  asked("clined/approval/request", approval("b"));
  assert.deepEqual(ids(), ["a", "q", "b"]);
  tell("clined/approval/resolved", { approvalId: "b", taskId: "t", outcome: "reject_once" });
  await new Promise(setImmediate);
  assert.deepEqual([ids(), first.answer], [["a", "q"], "waits"]);
});

test("what is withdrawn is answered with no decision", async () => {
  const { asked, ids } = stage();
  const request = asked("clined/ask", ask);
  request.withdraw();
  await new Promise(setImmediate);
  assert.deepEqual([ids(), request.answer], [[], null]);
});

test("nothing outlives the process that asked", async () => {
  const { asked, ids, states, desk, told, sent } = stage();
  const request = asked("clined/approval/request", approval("a"));
  states.fire({ kind: "failed", problem: "", hint: "", help: [] });
  await new Promise(setImmediate);
  assert.deepEqual([ids(), request.answer], [[], null]);
  await desk.decide("a", { optionId: "allow_once" });
  assert.deepEqual([sent, told], [[], ["info: that was decided already"]]);
});

test("an answer that does not count leaves it open and says why", async () => {
  const { desk, asked, ids } = stage({
    respond: () => {
      throw Object.assign(new Error("hunks: your change joins hunks"), { code: -32602 });
    },
  });
  const request = asked("clined/approval/request", approval("a"));
  await assert.rejects(async () => desk.decide("a", { optionId: "allow_once" }), /joins hunks/);
  assert.deepEqual([ids(), request.answer], [["a"], "waits"]);
});

test("a late answer does nothing and says so", async () => {
  for (const respond of [() => ({ status: "alreadyResolved" }), () => Promise.reject(Object.assign(new Error("gone"), { code: 1004 }))]) {
    const { desk, asked, ids, told } = stage({ respond });
    asked("clined/approval/request", approval("a"));
    await desk.decide("a", { optionId: "allow_once" });
    assert.deepEqual([ids(), told], [[], ["info: that was decided already"]]);
  }
});

test("an option that does not exist decides nothing", async () => {
  const { desk, asked, ids, sent } = stage();
  asked("clined/approval/request", approval("a"));
  await desk.decide("a", { optionId: "yes" });
  await desk.decide("a", {});
  assert.deepEqual([ids(), sent], [["a"], []]);
});

test("a second click while the first is on its way does nothing", async () => {
  let finish = (_: unknown) => {};
  const { desk, asked, sent } = stage({ respond: () => new Promise((resolve) => (finish = resolve)) });
  asked("clined/approval/request", approval("a"));
  const first = desk.decide("a", { optionId: "allow_once" });
  await desk.decide("a", { optionId: "reject_once" });
  finish({ status: "accepted" });
  await first;
  assert.equal(sent.filter(([method]) => method === "clined/approval/respond").length, 1);
});

test("hunks that are left out go with any yes, and with no no", async () => {
  for (const [optionId, hunks] of [["allow_once", ["1.2"]], ["allow_always", ["1.2"]], ["reject_once", undefined]] as const) {
    const { desk, asked, sent } = stage({ kept: ["1.2"] });
    asked("clined/approval/request", approval("a"));
    await desk.decide("a", { optionId });
    assert.deepEqual((sent.at(-1)![1] as { outcome: ApprovalOutcome }).outcome.hunks, hunks);
  }
});

test("a yes that names its hunks is told as it is", async () => {
  const { desk, asked, sent } = stage({ kept: ["1.2"] });
  asked("clined/approval/request", approval("a"));
  await desk.decide("a", { optionId: "allow_once", hunks: ["1.1", "1.2"] });
  assert.deepEqual((sent.at(-1)![1] as { outcome: ApprovalOutcome }).outcome.hunks, ["1.1", "1.2"]);
});

test("a yes to nothing is not told", async () => {
  const { desk, asked, ids, sent, told } = stage({ kept: [] });
  asked("clined/approval/request", approval("a"));
  await desk.decide("a", { optionId: "allow_once" });
  assert.deepEqual([ids(), sent.filter(([m]) => m !== "flush"), told.length], [["a"], [], 1]);
});

test("what the diff views have is in the approval, which is another object only when it changes", () => {
  const { desk, asked, proposals, shownChanged, changes } = stage();
  asked("clined/approval/request", approval("a"));
  const [before] = desk.open;
  shownChanged.fire();
  assert.equal(desk.open[0], before);
  assert.equal(changes(), 1);
  proposals.refused = ["1.1"];
  shownChanged.fire();
  assert.notEqual(desk.open[0], before);
  assert.deepEqual(desk.approval("a")?.shown, { edited: false, refusedHunks: ["1.1"], hunks: 2 });
  assert.equal(desk.approvalOf("d1")?.approvalId, "a");
  assert.equal(desk.approvalOf("d2"), undefined);
});

test("what is asked while a list is on its way stays open", async () => {
  let finish = (_: unknown) => {};
  const { desk, asked, ids } = stage({ list: new Promise((resolve) => (finish = resolve)) });
  asked("clined/approval/request", approval("a"));
  const listed = desk.refresh("t");
  const request = asked("clined/approval/request", approval("b"));
  finish({ approvals: [], asks: [] });
  await listed;
  await new Promise(setImmediate);
  assert.deepEqual([ids(), request.answer], [["b"], "waits"]);
});

test("a question is answered once, and only a question", async () => {
  const { desk, asked, sent, ids, told } = stage();
  asked("clined/ask", ask);
  const counts = [
    await desk.answer("a", { action: "accept", text: "x" }),
    await desk.answer("q", { action: "accept", option: "Blue" }),
    await desk.answer("q", { action: "accept", option: "Red" }),
  ];
  assert.deepEqual(counts, [false, true, false]);
  assert.deepEqual(sent, [["clined/ask/respond", { askId: "q", result: { action: "accept", option: "Blue" } }]]);
  assert.deepEqual([ids(), told.length], [[], 2]);
});

test("what a followed task has open is added, and what it has not any more goes", async () => {
  const { desk, asked, ids } = stage({ list: { approvals: [approval("b")], asks: [] } });
  const request = asked("clined/approval/request", approval("a"));
  await desk.refresh("t");
  await new Promise(setImmediate);
  assert.deepEqual([ids(), request.answer], [["b"], null]);
  const again = asked("clined/approval/request", approval("b"));
  assert.deepEqual(ids(), ["b"]);
  await desk.decide("b", { optionId: "reject_once" });
  await new Promise(setImmediate);
  assert.deepEqual([ids(), again.answer], [[], null]);
});

test("what cannot be shown is answered with an error, and everything else goes on", async () => {
  const list = { approvals: [{ ...approval("b"), options: undefined }, null], asks: [{ askId: 1 }, null] };
  const { desk, asked, handle, ids } = stage({ list });
  for (const wrong of [null, {}, { ...approval("b"), options: "all" }, { ...approval("b"), options: [null] }, { ...approval("b"), subject: null }, { ...approval("b"), title: 1 }]) {
    await assert.rejects(handle("clined/approval/request", wrong), /cannot be shown/);
  }
  for (const wrong of [null, { askId: "q" }, { askId: {}, text: "x" }]) await assert.rejects(handle("clined/ask", wrong), /cannot be shown/);
  asked("clined/approval/request", approval("a"));
  await desk.refresh("other");
  assert.deepEqual(ids(), ["a"]);
  assert.equal(await desk.decide("a", { optionId: "allow_once" }), true);
});
