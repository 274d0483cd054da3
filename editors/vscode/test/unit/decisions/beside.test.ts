// Deciding beside the chat, by messages and by commands: a yes only where all of what it is for is seen.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Decision } from "../../../src/chat/ports";
import { registerDecisionCommands } from "../../../src/decisions/commands";
import { Steady } from "../../../src/decisions/steady";
import { Notifier } from "../../../src/decisions/notify";
import type { Subject } from "../../../src/protocol/generated";
import { commands, EventEmitter, on, Uri, window, workspace } from "../vscode";

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
/** What a clock shows, and how long the user takes for a press, in ms. */
let now = 0;
let takes = 1000;

beforeEach(() => {
  [messages, lists, pressed, picked, takes] = [[], [], undefined, 0, 1000];
  workspace.workspaceFolders = [{ uri: Uri.file("/w") }];
  window.showInformationMessage = (...said: unknown[]) => (messages.push(said as string[]), (now += takes), Promise.resolve(pressed));
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
    decide: async (id: string, { optionId }: { optionId: string }) => {
      done.push(`${id} ${optionId}`);
      desk.open = desk.open.filter((d) => d.kind === "approval" && d.request.approvalId !== id);
      changed.fire();
    },
  };
  const chat = {
    visible,
    shows: () => visible,
    onDidChangeVisible: new EventEmitter<boolean>().event as never,
    show: async (_page: string, taskId: string) => void done.push(`show ${taskId}`),
  };
  new Notifier(desk as never, chat, failed, () => now);
  const steady = new Steady(desk as never, () => now);
  const registered = registerDecisionCommands(desk as never, chat, (where) => where as never, failed, steady);
  const run = async (command: string, where?: unknown) => {
    await commands.executeCommand(`clined.${command}`, where);
    end();
    return done;
  };
  const look = async () => {
    changed.fire();
    await new Promise(setImmediate);
    return done;
  };
  const press = async (command: string, where?: unknown) => {
    await commands.executeCommand(`clined.${command}`, where);
    return done;
  };
  const end = () => {
    steady.dispose();
    for (const one of registered) one.dispose();
  };
  return { run, look, press, end, steady, changed };
}

test("a message offers a yes only for what it tells in full", async () => {
  pressed = "Approve";
  assert.deepEqual(await stage([make]).look(), ["make allow_once"]);
  assert.deepEqual(messages, [["clined: Run `make`", "Approve", "Reject", "Show"]]);
  messages = [];
  pressed = "Reject";
  for (const [request, id] of [[script, "script"], [edit, "edit"]] as const) assert.deepEqual(await stage([request]).look(), [`${id} reject_once`]);
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

test("a press right after something came decides nothing, however often", async () => {
  takes = 0;
  const { press, end, steady, changed } = stage([edit, make], true);
  changed.fire();
  assert.equal(steady.settled, false);
  assert.deepEqual(await press("approve", edit), [], "it has just come");
  now += 300;
  assert.deepEqual(await press("approve", edit), [], "a key is held down");
  assert.match(String(messages[0]), /only just now/);
  now += 350;
  assert.deepEqual(await press("approve", edit), ["edit allow_once"]);
  assert.deepEqual(await press("reject", make), ["edit allow_once"], "pressed twice: the next one stands there now");
  now += 350;
  on(window.onDidChangeVisibleTextEditors).fire([]);
  assert.deepEqual(await press("reject", make), ["edit allow_once"], "another diff came to the front");
  now += 350;
  assert.deepEqual(await press("reject", make), ["edit allow_once", "make reject_once"]);
  end();
});

test("buttons are off until what they are about has settled, and nothing ticks after that", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { end, steady, changed } = stage([make]);
  const seen: boolean[] = [];
  steady.onDidChange(() => seen.push(steady.settled));
  changed.fire();
  changed.fire();
  assert.deepEqual(seen, [false], "the same ones are not told twice");
  now += 400;
  t.mock.timers.tick(400);
  assert.deepEqual(seen, [false, true]);
  t.mock.timers.tick(100_000);
  assert.deepEqual(seen, [false, true]);
  end();
});

test("a message that is pressed as it comes, or as another goes, asks again", async () => {
  pressed = "Approve";
  window.showInformationMessage = (...said: unknown[]) => {
    messages.push(said as string[]);
    now += messages.length < 3 ? 100 : 1000;
    return Promise.resolve(pressed);
  };
  assert.deepEqual(await stage([make]).look(), ["make allow_once"]);
  assert.equal(messages.length, 3);
});

test("a message about what was decided meanwhile is not shown again", async () => {
  pressed = "Show";
  takes = 0;
  const { look, press, end } = stage([script]);
  window.showInformationMessage = async (...said: unknown[]) => {
    messages.push(said as string[]);
    if (messages.length === 1) now += 1000;
    if (messages.length === 1) await press("reject", script);
    return pressed;
  };
  assert.deepEqual(await look(), ["script reject_once", "show task of script"]);
  end();
});
