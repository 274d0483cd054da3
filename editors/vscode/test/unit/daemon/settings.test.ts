// What of the settings the daemon is told.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { DaemonState } from "../../../src/daemon/api";
import { settingsOf, ToldSettings, type Described, type Inspected } from "../../../src/daemon/settings";

const described: Described = {
  "clined.model": { scope: "window" },
  "clined.baseUrl": { scope: "machine" },
  "clined.autoApprove.read": { scope: "machine" },
  "clined.autoApprove.command": { scope: "machine" },
  "clined.plan.model": { scope: "window" },
  "clined.shell": {},
  "clined.path": { scope: "machine" },
};
const of = (set: Record<string, Inspected>) => settingsOf(described, (key) => set[key]);

test("only what the user set, never a default", () => {
  assert.deepEqual(of({}), {});
  assert.deepEqual(of({ model: { defaultValue: "x" } as Inspected }), {});
  assert.deepEqual(of({ model: { globalValue: "a" } }), { model: "a" });
});

test("names with dots become objects", () => {
  assert.deepEqual(of({ "autoApprove.read": { globalValue: false }, "autoApprove.command": { globalValue: "safe" }, "plan.model": { globalValue: "p" } }), {
    autoApprove: { read: false, command: "safe" },
    plan: { model: "p" },
  });
});

test("values that are false, zero or empty are values; null is none", () => {
  assert.deepEqual(of({ "autoApprove.read": { globalValue: false }, baseUrl: { globalValue: "" }, "plan.model": { globalValue: null } }), {
    autoApprove: { read: false },
    baseUrl: "",
  });
});

test("a workspace comes before the user, but not for what belongs to the machine", () => {
  assert.deepEqual(of({ model: { globalValue: "user", workspaceValue: "workspace" } }), { model: "workspace" });
  assert.deepEqual(of({ shell: { workspaceValue: "/bin/zsh" } }), { shell: "/bin/zsh" });
  assert.deepEqual(of({ baseUrl: { globalValue: "http://mine", workspaceValue: "http://evil" } }), { baseUrl: "http://mine" });
  assert.deepEqual(of({ "autoApprove.command": { workspaceValue: true } }), {});
});

test("the program's path is the editor's own", () => {
  assert.deepEqual(of({ path: { globalValue: "/opt/clined" } }), {});
});

test("every setting that loosens belongs to the machine in the manifest", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as { contributes: { configuration: { properties: Described } } };
  const open = Object.entries(manifest.contributes.configuration.properties).filter(([, { scope }]) => scope !== "machine");
  for (const [name] of open) assert.doesNotMatch(name, /autoApprove|permissions|baseUrl|apiKey|path|proxy|caFile|mcp\.file/, name);
});

test("a process is told of settings that are others than it was started with, once it runs", () => {
  let now: Record<string, unknown> = { model: "a" };
  const sent: unknown[] = [];
  const daemon = { state: { kind: "starting" } as DaemonState, notify: (_method: string, params: unknown) => void sent.push(params) };
  const told = new ToldSettings(() => now);
  assert.deepEqual(told.first(), { model: "a" });
  now = { model: "b" };
  told.tell(daemon);
  assert.deepEqual(sent, []);
  daemon.state = { kind: "running", version: "1", methods: [] };
  told.tell(daemon);
  told.tell(daemon);
  assert.deepEqual(sent, [{ settings: { clined: { model: "b" } } }]);
});
