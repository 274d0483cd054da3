// Tool calls in words, out of what a real daemon sent and out of what none should.

import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, emptyTask } from "../../../src/model/reduce";
import type { CallItem } from "../../../src/model/task";
import type { Event, TaskInfo } from "../../../src/protocol/generated";
import { describe, isQuiet, patchPaths, reason, searchedIn } from "../../../webview/calls/tool-card-words";
import recorded from "../../fixtures/calls.json";

const info = { taskId: "t1", title: "", cwd: "/home/me/shop", roots: ["/home/me/shop"], created: "", updated: "", state: "idle", messages: 0 } satisfies TaskInfo;

function play(events: readonly Event[]): CallItem[] {
  let task = emptyTask(info);
  events.forEach((event, i) => (task = apply(task, { taskId: "t1", seq: i + 1, ts: "", event })));
  return task.items.filter((i): i is CallItem => i.kind === "call");
}

const calls = (name: keyof typeof recorded): CallItem[] => play(recorded[name].events as unknown as Event[]);

/** A card as a line of text. */
function line(call: CallItem): string {
  const { verb, target, figure, change } = describe(call);
  const figures = change ? `+${change.added} −${change.removed}` : (figure ?? "");
  return [verb, target, searchedIn(call), figures && `[${figures}]`, reason(call) && `(${reason(call)})`].filter(Boolean).join(" ");
}

test("reads, lists, searches and outlines", () => {
  assert.deepEqual(calls("reads").filter((c) => !isQuiet(c)).map(line), [
    "Read src/app.ts [3–9]",
    "Read 2 files",
    "Read nope.ts (nope.ts does not exist)",
    "Read dot.png",
    "List shop [6 entries]",
    "List src [2 entries]",
    "Search f1\\d src · *.ts [10 matches]",
    "Search nothere [no matches]",
    "Outline src [43 definitions]",
    "Read /etc/hostname [1 line]",
  ]);
});

test("a read leads to its first line, an edit to its first change", () => {
  assert.deepEqual(describe(calls("reads")[0] as CallItem).file, { path: "/home/me/shop/src/app.ts", line: 2 });
  assert.deepEqual(describe(calls("edits")[0] as CallItem).file, { path: "/home/me/shop/price.go", line: 5 });
});

test("a tool of a server is named with its server, however it was called", () => {
  const event = { type: "toolCall", toolCallId: "c", name: "use_mcp_tool", kind: "mcp", status: "completed", args: '{"server_name":"weather","tool_name":"get_alerts","arguments":{}}' };
  assert.deepEqual(play([event as Event]).map(line), ["weather get_alerts"]);
});

test("edits", () => {
  assert.deepEqual([...calls("edits"), ...calls("patch")].filter((c) => !isQuiet(c)).map(line), [
    "Edit price.go [+2 −2]",
    "Create docs/new.md [+4 −0]",
    "Edit price.go (price.go: block 1: SEARCH does not match the file; nothing was changed. No line of the file is similar to it; read the file again.)",
    "Edit 3 files [+2 −2]",
  ]);
});

test("commands", () => {
  const shown = [...calls("commands"), ...calls("background"), ...calls("stdin"), ...calls("denied")].filter((c) => c.callKind === "command");
  assert.deepEqual(
    shown.map((c) => [c.status, describe(c).target.slice(0, 9), describe(c).figure, reason(c).slice(0, 30)]),
    [
      ["completed", "echo one;", undefined, ""],
      ["failed", "echo bad ", "exit 3", ""],
      ["completed", "seq 1 300", undefined, ""],
      ["failed", "sleep 30", "timed out", "The command was stopped by its"],
      ["completed", "for i in ", undefined, ""],
      ["completed", "(while tr", "in background", ""],
      ["cancelled", "printf 'C", undefined, ""],
      ["denied", "rm -rf sr", undefined, "“use *4 instead”"],
    ],
  );
});

test("MCP tools, questions, tools that do not exist", () => {
  const shown = [...calls("mcp"), ...calls("ask"), ...calls("wrong")].filter((c) => !isQuiet(c));
  assert.deepEqual(
    shown.map((c) => [describe(c).verb, describe(c).target, reason(c).slice(0, 20)]),
    [
      ["weather", "get-forecast", ""],
      ["weather", "fail", "no such station"],
      ["weather", "picture", ""],
      ["Ask", "Which database?", ""],
      ["Ask", "What name?", ""],
      ["nosuchtool", "", "There is no tool \"no"],
      ["Read", "", "read_file: a path is"],
      ["Run", "ls /root", ""],
    ],
  );
});

test("answers have no card unless they fail", () => {
  const [done] = calls("plan");
  assert.ok(done);
  assert.equal(isQuiet(done), true);
  assert.equal(isQuiet({ ...done, status: "failed" }), false);
});

test("while the model writes, the path is there as soon as it is known, and lines are counted", () => {
  const lines = recorded.edits.events.flatMap((_, i, all) => {
    const [call] = play(all.slice(0, i + 1) as unknown as Event[]);
    return call && call.status === "pending" ? [line(call)] : [];
  });
  assert.equal(lines[0], "Edit");
  assert.ok(lines.includes("Edit price.go"));
  assert.ok(lines.some((l) => /^Edit price\.go \[\d+ lines?\]$/.test(l)));
  assert.ok(lines.every((l) => !l.includes("{")));
});

test("nothing that a daemon may send breaks a card", () => {
  const odd: Partial<CallItem>[] = [
    {},
    { args: "[]" },
    { args: "null" },
    { args: "{\"path\":" },
    { args: JSON.stringify({ path: 7, files: "x", regex: [], command: { a: 1 } }) },
    { args: JSON.stringify({ files: [null, 3, "a.ts", { path: null }] }) },
    { output: "\u0000".repeat(10), diff: "@@" },
    { diff: "@@ -1,99999 +1,1 @@\n+x" },
    { title: "" },
    { title: "Word" },
    { locations: [] },
  ];
  for (const name of ["read_file", "list_files", "search_files", "list_code_definition_names", "write_to_file", "apply_patch", "execute_command", "ask_followup_question", "access_mcp_resource", "use_mcp_tool", "new_tool", ""]) {
    for (const callKind of ["read", "edit", "command", "mcp", "ask", "control", "", "future"]) {
      for (const status of ["pending", "in_progress", "completed", "failed", "denied", "cancelled", "future"]) {
        for (const more of odd) {
          const words = describe({ kind: "call", id: "c", toolCallId: "c", seq: 1, ts: "", name, callKind, status, ...more });
          assert.ok(words.verb.length > 0, `${name} ${callKind} ${status}`);
          assert.ok(words.target.length <= 300 && !words.target.includes("\n"));
        }
      }
    }
  }
});

test("the files of a patch", () => {
  assert.deepEqual(patchPaths("*** Begin Patch\n*** Update File: a b.ts\n*** Move to: c.ts\n+*** Add File: no\n*** Add File: d.ts\n*** Add"), ["a b.ts", "d.ts"]);
});

test("what a command prints for hours does not fill the memory", () => {
  const line = "y".repeat(999) + "\n";
  let task = emptyTask(info);
  task = apply(task, { taskId: "t1", seq: 1, ts: "", event: { type: "toolCall", toolCallId: "c", name: "execute_command", kind: "command", status: "in_progress" } });
  for (let i = 0; i < 9000; i++) task = apply(task, { taskId: "t1", seq: i + 2, ts: "", event: { type: "toolCallDelta", toolCallId: "c", output: `${i} ${line}` } });
  const [call] = task.items as CallItem[];
  assert.ok((call?.output ?? "").length < 4_100_000);
  assert.match(call?.output ?? "", /^\d+ y/);
  assert.ok(call?.output?.endsWith(`8999 ${line}`));
});

test("a command that was answered asks no more", () => {
  const terminal = { type: "terminal", terminalId: "c", command: "x", cwd: "/", state: "running", tty: true } as const;
  const [call] = play([{ type: "toolCall", toolCallId: "c", name: "execute_command", kind: "command", status: "in_progress" }, { ...terminal, asks: "Name?" }, terminal]);
  assert.equal(call?.terminal?.asks, undefined);
});
