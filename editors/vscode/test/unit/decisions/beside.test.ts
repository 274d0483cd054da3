// Deciding beside the chat, by messages and by commands: a yes only where all of what it is for is seen.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Decision } from "../../../src/chat/ports";
import { registerDecisionCommands } from "../../../src/decisions/commands";
import { Notifier } from "../../../src/decisions/notify";
import type { Subject } from "../../../src/protocol/generated";
import { commands, EventEmitter, Uri, window, workspace } from "../vscode";

const failed = (error: unknown) => assert.fail(String(error));
const options = ["allow_once", "reject_once"].map((kind) => ({ optionId: kind, kind, name: kind }));
const approval = (approvalId: string, title: string, subject: Subject) => ({ approvalId, taskId: `task of ${approvalId}`, title, subject, options }) as never;
const make = approval("make", "Run `make`", { type: "command", command: "make", cwd: "/w" });
const script = approval("script", "Run `make…`", { type: "command", command: "make\nrm -r .", cwd: "/w" });
const edit = approval("edit", "Edit a.go", { type: "fileEdit", files: [] });

let messages: string[][] = [];
let lists: string[][] = [];
/** What the user presses in a message, and picks of a list. */
let pressed: string | undefined;
let picked = 0;

beforeEach(() => {
  [messages, lists, pressed, picked] = [[], [], undefined, 0];
  workspace.workspaceFolders = [{ uri: Uri.file("/w") }];
  window.showInformationMessage = (...said: unknown[]) => (messages.push(said as string[]), Promise.resolve(pressed));
  Object.assign(window, {
    showQuickPick: (items: { label: string }[]) => (lists.push(items.map(({ label }) => label)), Promise.resolve(items[picked])),
  });
});

function stage(requests: never[], visible = false) {
  const done: string[] = [];
  const changed = new EventEmitter<void>();
  const desk = {
    open: requests.map((request): Decision => ({ kind: "approval", request })),
    onDidChange: changed.event,
    decide: async (id: string, { optionId }: { optionId: string }) => void done.push(`${id} ${optionId}`),
  };
  const chat = {
    visible,
    shows: () => visible,
    onDidChangeVisible: new EventEmitter<boolean>().event as never,
    show: async (_page: string, taskId: string) => void done.push(`show ${taskId}`),
  };
  new Notifier(desk as never, chat, failed);
  const registered = registerDecisionCommands(desk as never, chat, (where) => where as never, failed);
  const run = async (command: string, where?: unknown) => {
    await commands.executeCommand(`clined.${command}`, where);
    for (const one of registered) one.dispose();
    return done;
  };
  const look = async () => {
    changed.fire();
    await new Promise(setImmediate);
    return done;
  };
  return { run, look };
}

test("a message offers a yes only for what it tells in full", async () => {
  pressed = "Approve";
  assert.deepEqual(await stage([make]).look(), ["make allow_once"]);
  assert.deepEqual(messages, [["clined: Run `make`", "Approve", "Reject", "Show"]]);
  messages = [];
  pressed = "Reject";
  assert.deepEqual(await stage([script, edit]).look(), ["script reject_once", "edit reject_once"]);
  assert.deepEqual(messages.map((m) => m.slice(1)), [["Show", "Reject"], ["Show", "Reject"]]);
  assert.deepEqual(await stage([make], true).look(), []);
});

test("Approve shows what it is about first, unless the user sees it", async () => {
  assert.deepEqual(await stage([make]).run("approve"), ["make allow_once"]);
  assert.deepEqual(lists, [["Run `make`"]], "there is a list, of one");
  for (const command of ["approve", "approveWithFeedback", "approveAlways"]) {
    assert.deepEqual(await stage([script]).run(command), ["show task of script"], command);
  }
  assert.deepEqual(await stage([edit], true).run("approve"), ["edit allow_once"], "the chat shows it");
  assert.deepEqual(await stage([edit]).run("approve", edit), ["edit allow_once"], "its diff is in front");
  picked = 1;
  assert.deepEqual(await stage([make, edit]).run("approve"), ["show task of edit"]);
});

test("what is rejected need not be seen", async () => {
  assert.deepEqual(await stage([script]).run("reject"), ["script reject_once"]);
  assert.deepEqual(lists, []);
});
