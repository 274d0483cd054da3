// Where what the user says stands in the transcript.

import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, emptyTask } from "../../../src/model/reduce";
import type { Event, TaskInfo } from "../../../src/protocol/generated";
import { rows } from "../../../webview/transcript/arrange";

const info = { taskId: "t1", title: "", cwd: "", roots: [], created: "", updated: "", state: "idle", messages: 0 } satisfies TaskInfo;
const said = (messageId: string): Event => ({ type: "message", messageId, role: "user", content: [{ type: "text", text: messageId }], status: "completed" });
const answer = (messageId: string): Event => ({ ...said(messageId), role: "assistant" }) as Event;
const runs: Event = { type: "state", state: "running" };

function order(...events: [turnId: string, event: Event][]): string {
  let task = emptyTask(info);
  events.forEach(([turnId, event], i) => (task = apply(task, { taskId: "t1", seq: i + 1, turnId, ts: "", event })));
  return rows(task).map((i) => i.id).join(" ");
}

test("a prompt that waited stands behind the turn that it waited for", () => {
  assert.equal(order(["1", runs], ["1", said("a")], ["1", answer("b")], ["2", said("c")], ["1", answer("d")], ["2", answer("e")]), "a b d c e");
  assert.equal(order(["1", said("a")], ["2", said("c")], ["1", answer("d")], ["2", runs]), "a d c");
});

test("a turn of which nothing is left keeps its prompt where it was said", () => {
  assert.equal(order(["1", runs], ["1", said("a")], ["2", said("b")], ["3", runs], ["3", answer("c")]), "a b c");
});
