// What the status bar shows, by what matters most.

import assert from "node:assert/strict";
import { test } from "node:test";
import { look, type Shown } from "../../src/status";

const idle: Shown = { daemon: { kind: "running", version: "1", methods: [] }, configured: true, open: { count: 0, title: "" }, running: [] };

test("the most pressing state is shown", () => {
  const failed: Shown["daemon"] = { kind: "failed", problem: "it is gone", hint: "restart it", help: ["restart"] };
  const busy: Shown = { ...idle, open: { count: 1, title: "Fix it" }, running: ["Fix it", "Write it"], broken: { title: "Old", error: "no key" } };
  assert.deepEqual(look({ ...busy, daemon: failed }), { text: "$(error) clined", tooltip: "It is gone\nRestart it", alert: "error" });
  assert.deepEqual(look(busy), { text: "$(bell-dot) clined", tooltip: "clined needs you: Fix it", alert: "warning" });
  assert.match(look({ ...busy, open: { count: 2, title: "Fix it" } }).tooltip, /for 2 decisions: Fix it/);
  assert.match(look({ ...busy, open: { count: 0, title: "" } }).tooltip, /works on 2 tasks:\nFix it\nWrite it/);
  assert.equal(look({ ...idle, running: ["Fix it"] }).tooltip, "clined works: Fix it");
  assert.match(look({ ...idle, daemon: { kind: "starting" } }).text, /loading/);
  assert.match(look({ ...idle, configured: false }).tooltip, /no model yet/);
  assert.match(look({ ...idle, broken: { title: "Old", error: "no key" } }).tooltip, /Old\nNo key/);
});

test("a window that has asked nothing yet looks idle", () => {
  const fresh = look({ ...idle, daemon: { kind: "stopped" }, configured: undefined });
  assert.deepEqual(fresh, look(idle));
  assert.equal(fresh.alert, undefined);
});
