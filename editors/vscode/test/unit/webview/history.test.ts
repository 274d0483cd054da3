// Words and groups of the history, and lists of models.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskInfo } from "../../../src/protocol/generated";
import { matching, shortModel } from "../../../webview/models/matching";
import { dayOf, figures, rowsOf, standing, timeOf } from "../../../webview/history/words";

const now = new Date(2026, 4, 15, 12, 0);
const at = (...parts: [number, number, number, number?]) => new Date(parts[0], parts[1], parts[2], parts[3] ?? 9).toISOString();
const task = (more: Partial<TaskInfo> = {}): TaskInfo => ({
  taskId: "t", title: "T", cwd: "/w", roots: ["/w"], created: at(2026, 4, 15), updated: at(2026, 4, 15), state: "idle", messages: 1, ...more,
});

test("days are named as people do", () => {
  assert.equal(dayOf(at(2026, 4, 15, 0), now), "Today");
  assert.equal(dayOf(at(2026, 4, 16), now), "Today"); // another clock
  assert.equal(dayOf(at(2026, 4, 14, 23), now), "Yesterday");
  assert.equal(dayOf(at(2026, 4, 11), now), "Monday");
  assert.equal(dayOf(at(2026, 4, 1), now), "May");
  assert.equal(dayOf(at(2025, 4, 1), now), "May 2025");
  assert.equal(dayOf("nonsense", now), "Some day");
  assert.equal(timeOf(at(2026, 4, 15, 9), now), "09:00");
  assert.equal(timeOf(at(2026, 3, 2), now), "Apr 2");
});

test("a heading stands before each day's first task", () => {
  const rows = rowsOf([task(), task({ taskId: "u" }), task({ taskId: "v", updated: at(2026, 4, 14) })], now);
  assert.deepEqual(rows.map((r) => (r.kind === "day" ? r.text : r.task.taskId)), ["Today", "t", "u", "Yesterday", "v"]);
});

test("how a task stands", () => {
  assert.equal(standing(task({ stopReason: "completed" })), undefined);
  assert.equal(standing(task({ state: "running" }))?.text, "Running");
  assert.equal(standing(task({ state: "running", owner: { pid: 7, since: at(2026, 4, 15) } }))?.text, "Runs elsewhere");
  assert.equal(standing(task({ state: "interrupted" }))?.text, "Interrupted");
  assert.equal(standing(task({ stopReason: "error" }))?.tone, "bad");
  assert.equal(standing(task({ stopReason: "a new reason" })), undefined);
});

test("figures are told where there are any", () => {
  assert.deepEqual(figures(task()), []);
  assert.deepEqual(figures(task({ tokensIn: 900, tokensOut: 99, cost: 0.001 })), ["999 tokens", "under $0.01"]);
  assert.deepEqual(figures(task({ tokensIn: 1_200_000, cost: 2 })), ["1.2M tokens", "$2.00"]);
});

test("models are found by every word, those that begin with it first", () => {
  const models = [{ id: "meta/big-gpt" }, { id: "openai/gpt-5", name: "GPT 5" }, { id: "gpt-4" }, { id: "qwen" }];
  assert.deepEqual(matching(models, "gpt").map((m) => m.id), ["openai/gpt-5", "gpt-4", "meta/big-gpt"]);
  assert.deepEqual(matching(models, "OPEN 5").map((m) => m.id), ["openai/gpt-5"]);
  assert.equal(matching(models, " "), models);
  assert.deepEqual(matching(models, "[").length, 0);
  assert.equal(shortModel("anthropic/claude"), "claude");
  assert.equal(shortModel("odd/"), "odd/");
});
