// Tool calls, diffs, output and checklists in a browser.

import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import type { DaemonState } from "../../src/daemon/api";
import type { Event } from "../../src/protocol/generated";
import { asking, call, cardScenes, ended, hostile, recordings, until as recorded } from "./scenes-cards";
import { until } from "./await";
import { staged, type Stage } from "./stage";
import { Lab, themes, type Theme, type View } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

async function show(t: TestContext, stage: Stage, theme?: Theme, width?: number): Promise<View> {
  const view = await lab.show(stage, theme, width);
  t.after(async () => {
    assert.deepEqual(view.faults, []);
    await view.close();
  });
  return view;
}

const stageOf = (...events: Event[]): Stage => ({ taskId: "t1", tasks: [staged("t1", "Test", events)] });
const card = (view: View, n = 0) => view.testId("tool-card").nth(n);

test("every scene of cards is drawn, and nothing sticks out of the narrowest view", { timeout: 180_000 }, async (t) => {
  for (const [name, stage] of Object.entries(cardScenes)) {
    const view = await lab.show(stage, "dark", 300);
    await view.testId("transcript").waitFor();
    await open(view);
    const wide = await view.page.evaluate(() =>
      [...document.querySelectorAll("body *")].filter((e) => {
        const box = e.getBoundingClientRect();
        if (box.width === 0 || box.right <= innerWidth + 0.5) return false;
        for (let p = e.parentElement; p; p = p.parentElement) if (getComputedStyle(p).overflowX !== "visible") return false;
        return true;
      }).map((e) => `${e.tagName}.${e.className.toString()}`),
    );
    assert.deepEqual(wide, [], name);
    assert.deepEqual(view.faults, [], name);
    await view.close();
  }
  void t;
});

/** Opens each card by its line. */
async function open(view: View): Promise<void> {
  const all = view.page.locator(".tool-card-toggle[aria-expanded=false]");
  for (let n = await all.count(); n > 0; n--) await all.first().click({ position: { x: 5, y: 5 }, timeout: 2000 }).catch(() => undefined);
}

test("hostile names, titles, output, rules and questions are only text, in every theme", { timeout: 60_000 }, async (t) => {
  for (const theme of themes) {
    const view = await show(t, hostile, theme, 300);
    await view.testId("approval").waitFor();
    await open(view);
    assert.equal(await view.page.locator("img, script:not([src])").count(), 0);
    const lying = await view.page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent?.includes("\u202e"))).map((e) => e.className));
    assert.deepEqual(lying, []);
  }
});

test("a card opens by a click and by the keyboard, and stays so when the call goes on", async (t) => {
  const view = await show(t, recorded("reads", (e) => e.type === "toolCall" && e.status === "completed"));
  const toggle = card(view).locator(".tool-card-toggle");
  await toggle.click({ position: { x: 5, y: 5 } });
  assert.equal(await toggle.getAttribute("aria-expanded"), "true");
  assert.match(await card(view).innerText(), /export function f2/);
  await toggle.press("Enter");
  assert.equal(await toggle.getAttribute("aria-expanded"), "false");
  assert.match((await toggle.getAttribute("aria-label")) ?? "", /^Read src\/app\.ts, done, 3–9$/);
});

test("paths, lines of files and matches of searches open at their line", async (t) => {
  const view = await show(t, ended("reads"));
  await view.testId("tool-group").first().waitFor();
  for (const group of await view.testId("tool-group").all()) await group.locator(".tool-card-toggle").first().click();
  await view.page.getByRole("button", { name: "src/app.ts", exact: true }).first().click();
  assert.deepEqual(view.sentOf("openFile")[0], { type: "openFile", path: "/home/me/shop/src/app.ts", taskId: "t1", line: 2 });
  const search = view.page.locator("[data-testid=tool-card]", { hasText: "f1\\d" });
  await search.locator(".tool-card-toggle").click({ position: { x: 5, y: 5 } });
  await search.getByRole("button", { name: "11", exact: true }).click();
  assert.deepEqual(view.sentOf("openFile")[1], { type: "openFile", path: "/home/me/shop/src/app.ts", taskId: "t1", line: 10 });
});

test("an edit shows its diff, and opens it in the editor", async (t) => {
  const view = await show(t, ended("edits"));
  await card(view).locator(".tool-card-toggle").click({ position: { x: 5, y: 5 } });
  assert.equal(await card(view).locator(".diff-added").count(), 2);
  assert.equal(await card(view).locator(".diff-word").first().innerText(), "2");
  await card(view).getByRole("button", { name: "Open diff" }).click();
  const [sent] = view.sentOf("showDiff");
  assert.equal(sent?.title, "Edit price.go");
  assert.match(sent?.diff ?? "", /^--- a\/price\.go/);
});

test("a diff of ten thousand lines opens fast, and holds few rows", async (t) => {
  const n = 10_000;
  const diff = `--- a/big\n+++ b/big\n@@ -0,0 +1,${n} @@\n` + Array.from({ length: n }, (_, i) => `+line ${i}\n`).join("");
  const view = await show(t, stageOf(call("c", { name: "write_to_file", kind: "edit", title: "Create big", diff })));
  await card(view).locator(".tool-card-toggle").click({ position: { x: 5, y: 5 } });
  await card(view).getByRole("button", { name: /Show 9,960 more lines/ }).click();
  await card(view).locator(".rows-windowed").waitFor();
  assert.ok((await card(view).locator(".diff-row").count()) < 150);
  await card(view).locator(".rows").evaluate((e) => (e.scrollTop = e.scrollHeight));
  await card(view).getByText("line 9999", { exact: true }).waitFor();
  assert.equal(await card(view).locator(".diff-number").last().innerText(), "10000");
});

test("five megabytes of output: the end is shown, all of it on demand", async (t) => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `${i} ${"x".repeat(45)}`);
  const view = await show(t, stageOf(call("c", { name: "execute_command", kind: "command", title: "Run `seq`", args: "{\"command\":\"seq\"}", output: `The command succeeded (exit code 0, 2s).\nOutput:\n${lines.join("\n")}` })));
  await card(view).locator(".tool-card-toggle").click({ position: { x: 5, y: 5 } });
  assert.match(await card(view).locator(".output-row").last().innerText(), /^99999 /);
  assert.ok((await card(view).locator(".output-row").count()) <= 24);
  await card(view).getByRole("button", { name: /Show all, 99,980 more lines/ }).click();
  await card(view).locator(".rows-windowed").waitFor();
  assert.ok((await card(view).locator(".output-row").count()) < 150);
});

test("a command that runs is open by itself, with its output as it comes, and can be stopped or left alone", async (t) => {
  const view = await show(t, recorded("commands", (e) => e.type === "toolCallDelta" && e.output === "one\n"));
  await card(view).getByText("one", { exact: true }).waitFor();
  const id = recordings.commands.events.find((e) => e.type === "toolCall")?.toolCallId ?? "";
  await view.events({ type: "toolCallDelta", toolCallId: id, output: "10%\r\u001b[32m20%\u001b[0m" });
  await card(view).locator(".ansi-fg-2", { hasText: "20%" }).waitFor();
  assert.equal((await card(view).locator(".output-row").last().innerText()).includes("10%"), false);
  await card(view).getByRole("button", { name: "Proceed in background" }).click();
  await card(view).getByRole("button", { name: "Stop" }).waitFor();
  assert.deepEqual(view.sentOf("request").filter((r) => r.method === "clined/terminal/detach").map((r) => r.params), [{ taskId: "t1", terminalId: id }]);
  await view.events({ type: "toolCall", toolCallId: id, name: "execute_command", kind: "command", status: "completed", output: "The command succeeded (exit code 0, 2s).\nOutput:\none" });
  await view.page.locator("[data-testid=tool-card][data-open=false]").waitFor();
});

test("a command that asks is typed to, a password hidden", async (t) => {
  const view = await show(t, recorded("interactive", (e) => e.type === "terminal" && e.asks !== undefined));
  const field = view.testId("terminal-input");
  assert.equal(await field.getAttribute("type"), "text");
  await field.fill("Ada");
  await field.press("Enter");
  const id = recordings.interactive.events.find((e) => e.type === "toolCall")?.toolCallId;
  await view.page.waitForFunction(() => (document.querySelector("[data-testid=terminal-input]") as HTMLInputElement).value === "");
  assert.deepEqual(view.sentOf("request").filter((r) => r.method === "clined/terminal/input").map((r) => r.params), [{ taskId: "t1", terminalId: id, text: "Ada\r" }]);
  await field.fill("begun");
  await view.events({ type: "terminal", terminalId: id ?? "", command: "x", cwd: "/", state: "running", tty: true, asks: "Password:" });
  await view.page.locator("input[type=password]").waitFor();
  assert.equal(await field.inputValue(), "begun", "what was typed before the command asked is still there");
});

test("commands in the background stay in sight, also those that ran before the view came", async (t) => {
  const stage = ended("reads");
  const id = recordings.reads.events.find((e) => e.type === "toolCall")?.toolCallId ?? "";
  stage.answers = { "clined/terminal/list": () => ({ terminals: [{ type: "terminal", terminalId: id, command: "npm run dev", cwd: "/w", state: "background" }] }) };
  const view = await show(t, stage);
  await view.testId("background").getByText("npm run dev").click();
  await view.events({ type: "terminalDelta", terminalId: id, text: "ready on :3000\n" });
  await view.testId("background").getByText("ready on :3000").waitFor();
  await view.events({ type: "terminal", terminalId: id, command: "npm run dev", cwd: "/w", state: "exited", exitCode: 0 });
  await view.testId("background").waitFor({ state: "detached" });
});

test("what a process ran that is gone runs no more, and nothing offers to stop it", async (t) => {
  const failed: DaemonState = { kind: "failed", problem: "killed", hint: "restart it", help: ["restart"] };
  const running: DaemonState = { kind: "running", version: "1", methods: [] };
  const view = await show(t, recorded("commands", (e) => e.type === "toolCallDelta" && e.output === "one\n"));
  await card(view).getByRole("button", { name: "Stop" }).waitFor();
  await view.deliver({ type: "daemon", state: failed });
  await card(view).getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

  const stage = ended("reads");
  const id = recordings.reads.events.find((e) => e.type === "toolCall")?.toolCallId ?? "";
  const other = await show(t, stage);
  await other.events({ type: "terminal", terminalId: id, command: "npm run dev", cwd: "/w", state: "background" });
  await other.testId("background").waitFor();
  await other.deliver({ type: "daemon", state: failed });
  await other.deliver({ type: "daemon", state: running });
  await other.testId("background").waitFor({ state: "detached" });
});

test("calls that only looked are one line when the work went on", async (t) => {
  const view = await show(t, cardScenes["cards-group"] as Stage);
  const group = view.testId("tool-group");
  assert.equal(await group.innerText(), "Read 4 files, searched");
  await group.locator(".tool-card-toggle").click();
  assert.equal(await group.locator("[data-testid=tool-card]").count(), 5);
});

test("arguments as the model writes them: the path, then a growing count, and never JSON", async (t) => {
  const view = await show(t, stageOf({ type: "state", state: "running" }));
  await view.events({ type: "toolCall", toolCallId: "w", name: "write_to_file", kind: "edit", status: "pending" });
  await card(view).getByText("Write").waitFor();
  await view.events({ type: "toolCallDelta", toolCallId: "w", argsText: "{\"path\":\"docs/n" });
  await view.events({ type: "toolCallDelta", toolCallId: "w", argsText: "ew.md\",\"content\":\"# New\\n\\nHello\\nwor" });
  await card(view).getByText("docs/new.md").waitFor();
  await card(view).getByText("3 lines").waitFor();
  assert.equal((await card(view).innerText()).includes("{"), false);
});

test("the checklist opens, and every change of it is sent whole", async (t) => {
  const stage = stageOf({ type: "plan", entries: [{ text: "a", done: true }, { text: "b", done: false }] });
  const view = await show(t, stage);
  const list = view.testId("checklist");
  assert.match(await list.innerText(), /1 of 2\s*b/);
  await list.getByRole("button", { name: /1 of 2/ }).click();
  await list.getByRole("checkbox", { name: "Done: b" }).check();
  await list.getByRole("textbox").nth(0).fill("first");
  await list.getByRole("textbox").nth(0).press("Alt+ArrowDown");
  await list.getByRole("button", { name: "Remove step 1" }).click({ force: true });
  await list.getByRole("button", { name: "Add a step" }).click();
  await view.page.keyboard.type("last");
  await view.page.keyboard.press("Enter");
  const sent = view.sentOf("request").filter((r) => r.method === "clined/task/setChecklist").map((r) => (r.params as { markdown: string }).markdown);
  assert.equal(sent[0], "- [x] a\n- [x] b\n");
  assert.ok(sent.at(-1)?.endsWith("- [ ] last\n"), sent.join("\n"));
  await view.events({ type: "plan", entries: [{ text: "a", done: true }], byUser: true });
  await list.getByText("The model will be told").waitFor();
});

test("what the agent does while a step is typed goes into what is sent", async (t) => {
  const entries = [{ text: "a", done: false }, { text: "b", done: false }];
  const view = await show(t, stageOf({ type: "plan", entries }));
  const list = view.testId("checklist");
  await list.getByRole("button", { name: /0 of 2/ }).click();
  await list.getByRole("textbox").nth(1).fill("mine");
  await view.events({ type: "plan", entries: [{ text: "new", done: false }, { text: "a", done: true }, { text: "b", done: false }] });
  await list.getByText("1 of 3").waitFor();
  await view.page.keyboard.type("!");
  await view.page.keyboard.press("Tab");
  await until("a change", () => changesOf(view).length > 0);
  assert.equal(changesOf(view)[0], "- [ ] new\n- [x] a\n- [ ] mine!\n");
});

test("a change of the checklist that fails is kept, and can be tried again", async (t) => {
  const refused = () => { throw new Error("the disk is full"); };
  const view = await show(t, { ...stageOf({ type: "plan", entries: [{ text: "a", done: false }] }), answers: { "clined/task/setChecklist": refused } });
  const list = view.testId("checklist");
  await list.getByRole("button", { name: /0 of 1/ }).click();
  await list.getByRole("textbox").fill("mine");
  await list.getByRole("textbox").press("Tab");
  await list.getByRole("alert").getByText("The disk is full").waitFor();
  assert.equal(await list.getByRole("textbox").inputValue(), "mine");
  view.stage.answers = {};
  await list.getByRole("button", { name: "Try again" }).click();
  await until("another try", () => changesOf(view).length === 2);
  assert.equal(changesOf(view)[1], "- [ ] mine\n");
});

const changesOf = (view: View) => view.sentOf("request").filter((r) => r.method === "clined/task/setChecklist").map((r) => (r.params as { markdown: string }).markdown);

test("a call that waits for a yes says so", async (t) => {
  const view = await show(t, asking("edits"));
  await card(view).getByText("waits for you").waitFor();
});
