// Approvals in a line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsLine, fitsMessage, oneLine, uniconed } from "../../../src/decisions/words";
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

test("lines of a diff are counted without its heads, whatever they begin with", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- dashes\n-two\n+++ one\n+++ two\n";
  assert.equal(oneLine(request("Edit x", { type: "fileEdit", files: [{ ...file, diff }] })), "Edit x (+2 −2)");
});

test("a line tells all of a short command here and of a file's path, and never of an edit or what a server is sent", () => {
  const run = (command: string, more: Partial<Subject> = {}, title = `Run \`${command.trim()}\``) => fitsLine(request(title, { type: "command", command, cwd: "/w", ...more }), ["/w"]);
  assert.equal(run("make test"), true);
  assert.equal(run("make test\n"), true);
  assert.equal(run("make", { unsandboxed: true }, "Run outside the sandbox `make`"), true);
  assert.equal(run("make\nrm -r .", {}, "Run `make…`"), false);
  const long = `echo ${"x".repeat(100)}; rm -r .`;
  assert.equal(run(long, {}, `Run \`${long.slice(0, 100)}…\``), false);
  assert.equal(run(`echo ${"x".repeat(200)}`), false);
  assert.equal(run("make", { cwd: "/etc" }), false);
  assert.equal(run("echo \u202egpj.exe"), false);
  assert.equal(run(""), false);
  const read = (title: string, ...paths: object[]) => fitsLine(request(title, { type: "fileRead", paths: paths as never }), ["/w"]);
  const path = { path: "/etc/hosts", uri: "file:///etc/hosts", outside: true };
  assert.equal(read("Read /etc/hosts", path), true);
  assert.equal(read("Read /etc/hosts", { ...path, real: "/etc/shadow" }), false);
  assert.equal(read("Read 2 files", path, path), false);
  assert.equal(fitsLine(request("Edit a", { type: "fileEdit", files: [file] }), ["/w"]), false);
  assert.equal(fitsLine(request("Use x of MCP server y", { type: "mcp" }), ["/w"]), false);
});

test("words of a model are no icons", () => {
  assert.ok(!/\$\([a-z]/.test(uniconed("echo $(id)")));
});

test("a message has a question with few short answers only", () => {
  assert.equal(fitsMessage(ask("Which?", ["Red", "Blue"])), true);
  assert.equal(fitsMessage(ask("Which?")), false);
  assert.equal(fitsMessage(ask("Which?", ["a", "b", "c", "d"])), false);
  assert.equal(fitsMessage(ask("x".repeat(141), ["a"])), false);
  assert.equal(fitsMessage(ask("Which?", ["x".repeat(41)])), false);
});
