// Approvals in a line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsMessage, oneLine, size, unlinked, uniconed } from "../../../src/decisions/words";
import type { ApprovalRequestParams, AskParams, Subject } from "../../../src/protocol/generated";

const request = (title: string, subject: Subject) => ({ title, subject }) as ApprovalRequestParams;
const ask = (text: string, options?: string[]) => ({ text, options }) as AskParams;
const file = { path: "/w/a", uri: "file:///w/a", op: "modify", baseText: "", newText: "", diff: "--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-x\n+y\n+z\n" };

test("a line says what would happen", () => {
  assert.equal(oneLine(request("Edit a", { type: "fileEdit", files: [file] })), "Edit a (+2 −1)");
  assert.equal(oneLine(request("Edit a", { type: "fileEdit", files: [{ ...file, outside: true, protected: "keys" }] })), "Edit a (+2 −1, protected, outside of the workspace)");
  assert.equal(oneLine(request("Run make", { type: "command", command: "make" })), "Run make");
  assert.equal(oneLine(request("Run a", { type: "command", command: "a\nb\nc\n", unsandboxed: true })), "Run a (3 lines, outside the sandbox)");
  assert.equal(oneLine(request("Use x of MCP server y", { type: "mcp" })), "Use x of MCP server y");
});

test("a line stays one, and not longer than a message bears", () => {
  const line = oneLine(request(`Run ${"😀".repeat(500)}\nmore`, { type: "command", command: "x" }));
  assert.equal([...line].length, 140);
  assert.ok(!line.includes("\n") && line.endsWith("…"));
});

test("lines of a diff are counted without its heads", () => {
  assert.deepEqual(size("--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n---- dashes\n-two\n+one\n"), [1, 2]);
});

test("words of a model are no links and no icons", () => {
  assert.ok(!/\]\(/.test(unlinked("run [this](command:workbench.action.quit)")));
  assert.ok(!/\$\([a-z]/.test(uniconed("echo $(id)")));
});

test("a message has a question with few short answers only", () => {
  assert.equal(fitsMessage(ask("Which?", ["Red", "Blue"])), true);
  assert.equal(fitsMessage(ask("Which?")), false);
  assert.equal(fitsMessage(ask("Which?", ["a", "b", "c", "d"])), false);
  assert.equal(fitsMessage(ask("x".repeat(141), ["a"])), false);
  assert.equal(fitsMessage(ask("Which?", ["x".repeat(41)])), false);
});
