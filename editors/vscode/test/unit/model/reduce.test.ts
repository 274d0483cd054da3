// What a view makes of events does not depend on when it came to the task, nor on what it was spared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, attached, breaksOff, emptyTask, prepended } from "../../../src/model/reduce";
import type { Task } from "../../../src/model/task";
import type { Event, TaskEventParams } from "../../../src/protocol/generated";
import type { Record } from "./record";
import { chance, madeUp, recorded, told } from "./streams";

const isDelta = (p: TaskEventParams) => p.event.type.endsWith("Delta");

/** What counts of a task: not by which numbers it was told. */
function shown({ info, items, state, turnId, plan, usage, options }: Task) {
  return { title: info.title, items, state, turnId, plan, usage, options };
}

/** Attaches to the record as it was after `at` of the events, then hears the rest. */
function follow(replay: (n: number) => Record, record: Record, at: number, deltas: boolean): Task {
  let task = attached(replay(at).attach());
  for (const params of record.told.slice(at)) if (deltas || !isDelta(params)) task = apply(task, params);
  return task;
}

/** A record of the first n of the events of another. */
function replayer(record: Record): (n: number) => Record {
  const copy = record.constructor as new (taskId: string) => Record;
  return (n) => {
    const past = new copy(record.taskId);
    for (const { event, turnId, seq } of record.told.slice(0, n)) past.tell(event, turnId, seq - past.seq);
    return past;
  };
}

function check(name: string, record: Record): void {
  const replay = replayer(record);
  const want = shown(attached(record.attach()));
  const live = record.told.reduce(apply, emptyTask(record.attach().task));
  assert.deepEqual(shown(live), want, `${name}: all of it live`);
  for (let at = 0; at <= record.told.length; at++) {
    assert.deepEqual(shown(follow(replay, record, at, true)), want, `${name}: attached after ${at}`);
    assert.deepEqual(shown(follow(replay, record, at, false)), want, `${name}: attached after ${at}, without deltas`);
    // Away from `at` on, back at the end with `sinceSeq`.
    const away = follow(replay, replay(at), Math.floor(at / 2), true);
    const back = record.attach(away.seq);
    if (!breaksOff(away, back)) assert.deepEqual(shown(attached(back, away)), want, `${name}: again after ${at}`);
  }
}

test("the daemon's scenarios: any split into attach and live gives the same task", () => {
  const all = recorded();
  assert.ok(all.length >= 5, "the scenarios are where they were");
  for (const { name, events } of all) check(name, told(events, chance(7)));
});

test("made-up tasks: any split into attach and live gives the same task", () => {
  for (let seed = 1; seed <= 12; seed++) check(`seed ${seed}`, madeUp(chance(seed)));
});

test("older pages come before, in order, and nothing that is known moves", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const record = madeUp(chance(seed));
    const want = attached(record.attach()).items;
    for (const limit of [3, 7, 20]) {
      let task = attached(record.attach(0, limit));
      for (let pages = 0; task.more; pages++) {
        assert.ok(pages < 200, "it comes to an end");
        const before = task.items;
        task = prepended(task, record.read(task.before, limit));
        assert.deepEqual(task.items.slice(-before.length || task.items.length), before);
      }
      assert.deepEqual(task.items, want, `seed ${seed}, ${limit} at a time`);
    }
  }
});

const user = (messageId: string): Event => ({ type: "message", messageId, role: "user", content: [{ type: "text", text: messageId }], status: "completed" });

function task(...events: Event[]): Task {
  return events.reduce((t, event, i) => apply(t, { taskId: "t", seq: i + 1, turnId: "turn", ts: "", event }), emptyTask({ taskId: "t", title: "", cwd: "/", roots: [], created: "", updated: "", state: "idle", messages: 0 }));
}

test("a field that is left out is unchanged, one that is there replaces", () => {
  const [item] = task(
    { type: "toolCall", toolCallId: "c", name: "read_file", title: "Read a", status: "in_progress", locations: ["/a"] },
    { type: "toolCall", toolCallId: "c", name: "read_file", status: "completed", output: "text" },
  ).items;
  assert.ok(item?.kind === "call");
  assert.equal(item.title, "Read a");
  assert.deepEqual(item.locations, ["/a"]);
  assert.equal(item.output, "text");
  assert.equal(item.status, "completed");
});

test("a prompt that waited stands where it is said: going back to it leaves what came before", () => {
  const waits: Event = { type: "message", messageId: "two", role: "user", content: [], status: "pending" };
  const events: Event[] = [user("one"), waits, { type: "toolCall", toolCallId: "c", name: "n", status: "completed" }, user("two")];
  const ids = (t: Task) => t.items.map((i) => i.id);
  assert.deepEqual(ids(task(...events)), ["one", "c", "two"]);
  assert.deepEqual(ids(task(...events, { type: "rewind", messageId: "two" })), ["one", "c"]);
});

test("deltas append to their part, and make parts before the first that was seen", () => {
  const delta = (partIndex: number, kind: string, text: string): Event => ({ type: "messageDelta", messageId: "m", partIndex, kind, text });
  const [item] = task(delta(1, "text", "a"), delta(1, "text", "b"), delta(0, "thought", "t")).items;
  assert.ok(item?.kind === "message");
  assert.deepEqual(item.content, [{ type: "thought", text: "t" }, { type: "text", text: "ab" }]);
  assert.equal(item.status, "in_progress");
});

test("what came before the answer to an attach is not lost, and counts once", () => {
  const told = (seq: number, event: Event): TaskEventParams => ({ taskId: "t", seq, turnId: "turn", ts: "", event });
  const delta = (seq: number, messageId: string, text: string) => told(seq, { type: "messageDelta", messageId, partIndex: 0, kind: "text", text });
  const whole = told(4, { type: "message", messageId: "done", role: "assistant", content: [{ type: "text", text: "done" }], status: "completed" });
  const early = [delta(2, "done", "do"), delta(5, "live", "one "), delta(6, "live", "two "), delta(8, "live", "three")];
  const live = told(6, { type: "message", messageId: "live", role: "assistant", content: [{ type: "text", text: "one two " }], status: "in_progress" });
  const now = attached({ task: task().info, events: [whole, live], seq: 7, pending: [] }, undefined, early);
  assert.deepEqual(now.items.map((i) => i.kind === "message" && i.content[0]?.text), ["done", "one two three"]);
  assert.equal(now.seq, 8);
});

test("a terminal joins its call, grows, and is no item of its own", () => {
  const terminal = { type: "terminal" as const, terminalId: "c", command: "make", cwd: "/" };
  const now = task(
    { type: "toolCall", toolCallId: "c", name: "execute_command", kind: "command", status: "in_progress" },
    { ...terminal, state: "running", asks: "Sure?" },
    { type: "terminalDelta", terminalId: "c", text: "one " },
    { type: "terminalDelta", terminalId: "c", text: "two" },
    { ...terminal, state: "exited", exitCode: 0 },
    { type: "terminalDelta", terminalId: "nobody", text: "lost" },
    { ...terminal, terminalId: "nobody", state: "running" },
  );
  assert.equal(now.items.length, 1);
  const [item] = now.items;
  assert.ok(item?.kind === "call");
  assert.equal(item.terminal?.output, "one two");
  assert.equal(item.terminal?.state, "exited");
  assert.equal(item.terminal?.exitCode, 0);
});

test("a message that is written anew is gone, and a late event changes nothing", () => {
  const now = task(user("u"), { type: "message", messageId: "m", role: "assistant", content: [], status: "in_progress" }, { type: "message", messageId: "m", role: "assistant", content: [], status: "discarded" });
  assert.deepEqual(now.items.map((i) => i.id), ["u"]);
  assert.equal(apply(now, { taskId: "t", seq: 2, ts: "", event: user("late") }), now);
  assert.equal(apply(now, { taskId: "other", seq: 9, ts: "", event: user("other") }), now);
});

test("what is equal stays the same object", () => {
  const before = task(user("a"), user("b"));
  const after = apply(before, { taskId: "t", seq: 9, ts: "", event: { type: "usage", used: 1, size: 2, tokensIn: 0, tokensOut: 0, cacheRead: 0, cacheWrite: 0 } });
  assert.equal(after.items, before.items);
  const grown = apply(after, { taskId: "t", seq: 10, ts: "", event: { type: "messageDelta", messageId: "b", partIndex: 0, kind: "text", text: "!" } });
  assert.equal(grown.items[0], before.items[0]);
  assert.notEqual(grown.items[1], before.items[1]);
});

test("the turn that runs is known until it ends, and a rewind takes what is not loaded along", () => {
  const running = task(user("a"), { type: "state", state: "running" });
  assert.equal(running.turnId, "turn");
  const ended = apply(running, { taskId: "t", seq: 9, turnId: "turn", ts: "", event: { type: "state", state: "idle", stopReason: "completed" } });
  assert.equal(ended.turnId, undefined);
  const rewind = { taskId: "t", seq: 10, ts: "", event: { type: "rewind" as const, messageId: "older" } };
  assert.deepEqual(apply({ ...ended, more: true }, rewind).items, []);
  assert.equal(apply(ended, rewind).items, ended.items);
});

test("types of a newer daemon are skipped", () => {
  const now = task(user("a"));
  const next = apply(now, { taskId: "t", seq: 9, ts: "", event: { type: "weather", sun: true } as unknown as Event });
  assert.equal(next.items, now.items);
});

test("a task that was interrupted says so, though no event did", () => {
  const now = attached({ task: { ...task().info, state: "interrupted" }, events: [{ taskId: "t", seq: 1, turnId: "turn", ts: "", event: { type: "state", state: "running" } }], seq: 1, pending: [] });
  assert.deepEqual(now.state, { state: "idle", stopReason: "interrupted" });
});

test("what was half written when the process died goes, and nothing else", () => {
  const before = task(
    user("u"),
    { type: "message", messageId: "whole", role: "assistant", content: [{ type: "text", text: "whole" }], status: "completed" },
    { type: "toolCall", toolCallId: "c", name: "read_file", status: "in_progress" },
    { type: "messageDelta", messageId: "half", partIndex: 0, kind: "text", text: "half" },
  );
  const ids = (state: string) => attached({ task: { ...before.info, state }, events: [], seq: before.seq, pending: [] }, before).items.map((i) => i.id);
  assert.deepEqual(ids("interrupted"), ["u", "whole", "c"]);
  assert.deepEqual(ids("idle"), ["u", "whole", "c"]);
  assert.deepEqual(ids("running"), ["u", "whole", "c", "half"]);
});
