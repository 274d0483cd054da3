// What a process was listened to with ends with it: however often it is restarted, VS Code calls no more than before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { languages, on, window, workspace } from "../vscode";
import { world } from "./process";

const sources = [window, window.tabGroups, workspace, languages] as unknown as Record<string, unknown>[];

/** How many listeners each event of VS Code has, of those that have any. */
function heard(): Record<string, number> {
  const events = sources.flatMap((source) => Object.keys(source).filter((name) => name.startsWith("onDid")).map((name) => [name, on(source[name]).heard] as const));
  return Object.fromEntries(events.filter(([, listeners]) => listeners > 0));
}

test("twenty restarts leave as many listeners as one start, an end leaves none", async (t) => {
  const w = await world();
  t.after(() => w.end());
  const daemon = w.daemon();
  await daemon.ready();
  const first = heard();
  assert.ok((first["onDidChangeTextDocument"] ?? 0) > 0, JSON.stringify(first));
  for (let i = 0; i < 20; i++) await daemon.restart();
  assert.deepEqual(heard(), first);
  process.kill(pidOf(w.log.lines), "SIGKILL");
  await new Promise((resolve) => daemon.onDidChangeState(resolve));
  assert.deepEqual(heard(), {});
  await daemon.restart();
  await daemon.stop();
  assert.deepEqual(heard(), {});
});

function pidOf(lines: readonly string[]): number {
  return Number(/ pid (\d+)/.exec(lines.findLast((line) => line.includes(" pid ")) ?? "")?.[1]);
}
