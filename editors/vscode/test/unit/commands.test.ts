// Commands of the chat and of the daemon.

import assert from "node:assert/strict";
import { test } from "node:test";
import { registerCommands } from "../../src/commands";
import { commands, EventEmitter } from "./vscode";

test("what is on the screen is told before a task is resumed", async () => {
  const order: string[] = [];
  const session = { current: "t", active: [], known: () => undefined, onDidChange: new EventEmitter<void>().event };
  const chat = { show: async () => void order.push("shown") };
  const daemon = { request: async (method: string) => void order.push(method) };
  registerCommands({ chat, daemon, session, log: {}, saying: () => order.push("told") } as never);
  await commands.executeCommand("clined.resume");
  assert.deepEqual(order, ["shown", "told", "clined/task/resume"]);
});
