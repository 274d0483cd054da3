// The cases that the reducers of all editors are held to, in editors/testdata/tasks.json: what comes of a task, and what a view then
// shows. UPDATE=1 writes the file from made-up tasks, read its difference before you keep it.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { env } from "node:process";
import { test } from "node:test";
import { apply, attached, breaksOff, emptyTask, prepended } from "../../../src/model/reduce";
import type { Task } from "../../../src/model/task";
import type { TaskAttachResult, TaskEventParams, TaskReadResult } from "../../../src/protocol/generated";
import { chance, madeUp, recorded, told } from "./streams";

const file = resolve("..", "testdata", "tasks.json");

/** What comes: an event, the answer to an attach (with `since` one that tells what is new) or a page of older ones. */
type Step =
  | { live: TaskEventParams }
  | { attach: TaskAttachResult; since?: true; early?: TaskEventParams[] }
  | { older: TaskReadResult };

interface Case {
  name: string;
  steps: Step[];
  want: ReturnType<typeof shown>;
}

function shown({ info, items, state, turnId, plan, usage, options, more, seq }: Task) {
  return { title: info.title, items, state, turnId, plan, usage, options, more, seq };
}

function play(steps: readonly Step[]): Task {
  let task: Task | undefined;
  for (const step of steps) {
    if ("live" in step) task = apply(task ?? emptyTask(unknown(step.live.taskId)), step.live);
    else if ("older" in step) task = prepended(task ?? emptyTask(unknown("t")), step.older);
    else task = attached(step.attach, step.since && task && !breaksOff(task, step.attach) ? task : undefined, step.early);
  }
  return task ?? emptyTask(unknown("t"));
}

function unknown(taskId: string) {
  return { taskId, title: "", cwd: "/", roots: [], created: "", updated: "", state: "idle", messages: 0 };
}

function made(): Omit<Case, "want">[] {
  const cases: Omit<Case, "want">[] = [];
  for (const { name, events } of recorded().slice(0, 3)) {
    cases.push({ name: `${name}, live`, steps: told(events, chance(7)).told.map((live) => ({ live })) });
  }
  for (let seed = 1; seed <= 3; seed++) {
    const record = madeUp(chance(seed));
    const live = record.told.map((params): Step => ({ live: params }));
    cases.push({ name: `made up ${seed}, live`, steps: live });
    const half = Math.floor(live.length / 2);
    const known = record.told.slice(0, half).reduce(apply, emptyTask(unknown(record.taskId)));
    cases.push({ name: `made up ${seed}, away in the middle`, steps: [...live.slice(0, half), { attach: record.attach(known.seq), since: true }] });
    const steps: Step[] = [{ attach: record.attach(0, 5), early: record.told.slice(-3) }];
    for (let task = play(steps); task.more; task = play(steps)) steps.push({ older: record.read(task.before, 5) });
    cases.push({ name: `made up ${seed}, page by page`, steps });
  }
  return cases;
}

test("the cases that all editors share", () => {
  if (env.UPDATE) {
    const cases = made().map((c) => ({ ...c, want: shown(play(c.steps)) }));
    writeFileSync(file, `[\n${cases.map((c) => JSON.stringify(c)).join(",\n")}\n]\n`);
  }
  const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];
  assert.ok(cases.length >= 12);
  for (const { name, steps, want } of cases) assert.deepEqual(JSON.parse(JSON.stringify(shown(play(steps)))), want, name);
});
