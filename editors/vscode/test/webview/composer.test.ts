// The composer in a browser: what its keys and buttons ask of the daemon, and that nothing that was written is lost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Event, ModelInfo } from "../../src/protocol/generated";
import { asked, until } from "./await";
import { running } from "./scenes-composer";
import { options, staged, type Stage } from "./stage";
import { Lab, type View } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

const limit = { timeout: 60_000 };

const words = (text: string) => [{ type: "text", text }];
const fresh = (): Stage => ({ tasks: [] });
const idle = (): Stage => ({
  taskId: "t1",
  tasks: [staged("t1", "Comments", [...running, { type: "state", state: "idle", stopReason: "completed" }])],
});
const busy = (...more: Event[]): Stage => ({ taskId: "t1", tasks: [staged("t1", "Comments", [...running, ...more], "running")] });
const waiting = (id: string, text: string): Event => ({ type: "message", messageId: id, role: "user", content: words(text), status: "pending" });

const refusing = (stage: Stage, method: "clined/task/new" | "clined/task/prompt" | "clined/config/set" | "clined/task/steer", why: string): Stage => ({
  ...stage,
  answers: { [method]: () => { throw new Error(why); } },
});

async function field(view: View) {
  const box = view.testId("composer");
  await box.waitFor();
  await box.click();
  return box;
}

test("Enter sends, Shift+Enter is a new line, an input method's Enter is neither", limit, async () => {
  const view = await lab.show(fresh());
  const box = await field(view);
  await view.page.keyboard.type("fix it");
  await view.page.keyboard.press("Shift+Enter");
  await view.page.keyboard.type("please");
  await box.evaluate((el) => el.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true })));
  assert.equal(asked(view, "clined/task/new").length, 0);
  await view.page.keyboard.press("Enter");
  await until("a task", () => asked(view, "clined/task/new").length === 1);
  assert.deepEqual(asked(view, "clined/task/new")[0]?.prompt, words("fix it\nplease"));
  assert.equal(asked(view, "clined/task/new")[0]?.mode, "act");
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("nothing but blanks is not sent, and the button says why", limit, async () => {
  const view = await lab.show(fresh());
  await field(view);
  await view.page.keyboard.type("  ");
  await view.page.keyboard.press("Enter");
  assert.equal(await view.testId("send").isDisabled(), true);
  assert.match((await view.testId("send").getAttribute("title")) ?? "", /Nothing is written/);
  assert.equal(asked(view, "clined/task/new").length, 0);
  await view.close();
});

test("a prompt that fails is told, and the draft stays", limit, async () => {
  const view = await lab.show(refusing(idle(), "clined/task/prompt", "the disk is full"));
  const box = await field(view);
  await view.page.keyboard.type("a long thought");
  await view.page.keyboard.press("Enter");
  await view.testId("composer-problem").waitFor();
  assert.match(await view.testId("composer-problem").innerText(), /the disk is full/i);
  assert.equal(await box.inputValue(), "a long thought");
  await view.close();
});

test("without a daemon nothing can be sent, and the draft stays", limit, async () => {
  const view = await lab.show({ ...fresh(), daemon: { kind: "failed", problem: "clined was not found", hint: "install it", help: ["settings"] } });
  const box = await field(view);
  await view.page.keyboard.type("hello");
  await view.page.keyboard.press("Enter");
  assert.equal(await view.testId("send").isDisabled(), true);
  assert.match((await view.testId("send").getAttribute("title")) ?? "", /does not run/);
  assert.equal(await box.inputValue(), "hello");
  assert.equal(asked(view, "clined/task/new").length, 0);
  await view.close();
});

test("a draft outlives a reload and the way to other tasks", limit, async () => {
  const view = await lab.show({ ...idle() });
  const box = await field(view);
  await view.page.keyboard.type("not yet");
  await view.deliver({ type: "show", page: "chat", taskId: null });
  await until("an empty field", async () => (await box.inputValue()) === "");
  await view.page.keyboard.type("something else");
  await view.page.reload();
  await view.testId("transcript").waitFor();
  assert.equal(await view.testId("composer").inputValue(), "not yet");
  await view.deliver({ type: "show", page: "chat", taskId: null });
  await until("the other draft", async () => (await view.testId("composer").inputValue()) === "something else");
  await view.close();
});

test("while it works Enter queues, Ctrl+Enter says it now", limit, async () => {
  const view = await lab.show(busy());
  await field(view);
  await view.page.keyboard.type("later");
  await view.page.keyboard.press("Enter");
  await until("a prompt", () => asked(view, "clined/task/prompt").length === 1);
  await view.page.keyboard.type("now");
  await view.page.keyboard.press("Control+Enter");
  await until("a steer", () => asked(view, "clined/task/steer").length === 1);
  assert.deepEqual(asked(view, "clined/task/prompt")[0], { taskId: "t1", prompt: words("later") });
  assert.deepEqual(asked(view, "clined/task/steer")[0], { taskId: "t1", prompt: words("now") });
  await until("an empty field", async () => (await view.testId("composer").inputValue()) === "");
  await view.close();
});

test("while another window works on it nothing can be said or stopped, and then it can", limit, async () => {
  const stage = busy(waiting("m9", "theirs"));
  stage.tasks![0]!.info.owner = { pid: 4711, since: "2026-05-30T08:00:00.000Z" };
  const view = await lab.show(stage);
  await view.testId("status").filter({ hasText: "Another window works on this task" }).waitFor();
  await field(view);
  await view.page.keyboard.type("later");
  for (const key of ["Enter", "Control+Enter", "Escape", "Escape"]) await view.page.keyboard.press(key);
  const send = view.testId("send");
  assert.equal(await send.isDisabled(), true);
  assert.match((await send.getAttribute("title")) ?? "", /Another window works on this task/);
  for (const id of ["stop", "queue-now", "queue-remove", "edit-message-begin"]) assert.equal(await view.testId(id).count(), 0, id);
  await view.events({ type: "state", state: "idle", stopReason: "completed" });
  await view.page.keyboard.press("Enter");
  await until("the prompt", () => asked(view, "clined/task/prompt").length === 1);
  for (const method of ["clined/task/steer", "clined/task/cancel"] as const) assert.equal(asked(view, method).length, 0, method);
  await view.events({ type: "state", state: "running" });
  await view.testId("stop").waitFor();
  assert.equal(await view.testId("status").filter({ hasText: "Another window" }).count(), 0);
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("that another window has begun to work on it is known once something was refused for that", limit, async () => {
  const stage = idle();
  stage.answers = {
    "clined/task/prompt": () => {
      stage.tasks = busy().tasks!;
      stage.tasks[0]!.info.owner = { pid: 4711, since: "2026-05-30T08:00:00.000Z" };
      throw Object.assign(new Error("another process runs this task"), { code: 1002 });
    },
  };
  const view = await lab.show(stage);
  await field(view);
  await view.page.keyboard.type("more");
  await view.page.keyboard.press("Enter");
  await view.testId("composer-problem").waitFor();
  await view.testId("status").filter({ hasText: "Another window works on this task" }).waitFor();
  assert.equal(await view.testId("stop").count(), 0);
  assert.equal(await view.testId("composer").inputValue(), "more");
  await view.close();
});

test("what is queued is taken back, or said now", limit, async () => {
  const view = await lab.show(busy(waiting("q1", "first"), waiting("q2", "second")));
  await view.testId("queue").waitFor();
  assert.equal(await view.testId("queue-item").count(), 2);
  await view.testId("queue-remove").first().click();
  await until("a cancel", () => asked(view, "clined/task/cancel").length === 1);
  assert.deepEqual(asked(view, "clined/task/cancel")[0], { taskId: "t1", turnId: "turn-q1" });
  await view.testId("queue-now").last().click();
  await until("a steer", () => asked(view, "clined/task/steer").length === 1);
  assert.deepEqual(asked(view, "clined/task/steer")[0], { taskId: "t1", prompt: words("second") });
  await view.events({ ...waiting("q1", "first"), status: "discarded" } as Event, { ...waiting("q2", "second"), status: "completed" } as Event);
  await view.testId("queue").waitFor({ state: "detached" });
  await view.close();
});

test("what was said to the running turn cannot be taken back, which would end the turn", limit, async () => {
  const view = await lab.show(busy(waiting("q1", "afterwards")));
  await view.events({ type: "state", state: "running" }, waiting("s1", "mind the tabs"));
  await view.testId("steering-item").filter({ hasText: "mind the tabs" }).waitFor();
  assert.equal(await view.testId("steering-item").getByRole("button").count(), 0);
  assert.equal(await view.testId("queue-item").count(), 1);
  // Stopped, both come back.
  await view.testId("stop").click();
  await until("the words", async () => (await view.testId("composer").inputValue()) === "afterwards\n\nmind the tabs");
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("a queued prompt that cannot be said now is in the draft", limit, async () => {
  const view = await lab.show(refusing(busy(waiting("q1", "do not lose me")), "clined/task/steer", "gone"));
  await view.testId("queue-now").click();
  await until("the words", async () => (await view.testId("composer").inputValue()) === "do not lose me");
  assert.match(await view.testId("composer-problem").innerText(), /gone/i);
  await view.close();
});

test("stopping gives back what was queued", limit, async () => {
  const view = await lab.show(busy(waiting("q1", "first"), waiting("q2", "second")));
  await field(view);
  await view.testId("stop").click();
  await until("the words", async () => (await view.testId("composer").inputValue()) === "first\n\nsecond");
  assert.deepEqual(asked(view, "clined/task/cancel"), [{ taskId: "t1" }]);
  await view.close();
});

test("Escape stops, and asks for a second one where something is written", limit, async () => {
  const view = await lab.show(busy());
  await field(view);
  await view.page.keyboard.type("half a");
  await view.page.keyboard.press("Escape");
  assert.equal(asked(view, "clined/task/cancel").length, 0);
  await view.page.getByText("Escape again stops the agent").waitFor();
  await view.page.keyboard.press("Escape");
  await until("a cancel", () => asked(view, "clined/task/cancel").length === 1);
  assert.equal(await view.testId("composer").inputValue(), "half a");
  await view.close();

  const empty = await lab.show(busy());
  await field(empty);
  await empty.page.keyboard.press("Escape");
  await until("a cancel", () => asked(empty, "clined/task/cancel").length === 1);
  await empty.close();
});

test("a question is answered by what is written", limit, async () => {
  const view = await lab.show({ ...busy(), asks: [{ askId: "a1", taskId: "t1", turnId: "turn-1", text: "Which one?", options: ["A", "B"] }] });
  await field(view);
  await view.page.keyboard.type("neither");
  await view.page.keyboard.press("Enter");
  await until("an answer", () => view.sentOf("answer").length === 1);
  const [sent] = view.sentOf("answer");
  assert.deepEqual([sent?.askId, sent?.result], ["a1", { action: "accept", text: "neither" }]);
  assert.equal(asked(view, "clined/task/prompt").length, 0);
  await view.close();
});

test("the arrow keys go through what was said, and back to the draft", limit, async () => {
  const view = await lab.show(idle());
  const box = await field(view);
  for (const text of ["one", "two"]) {
    await view.page.keyboard.type(text);
    await view.page.keyboard.press("Enter");
    await until("sent", async () => (await box.inputValue()) === "");
  }
  await view.page.keyboard.type("draft");
  const shows = (text: string) => until(text, async () => (await box.inputValue()) === text);
  await view.page.keyboard.press("ArrowUp");
  await shows("two");
  await view.page.keyboard.press("ArrowUp");
  await shows("one");
  await view.page.keyboard.press("ArrowUp");
  await shows("one");
  await view.page.keyboard.press("End");
  await view.page.keyboard.press("ArrowDown");
  await shows("two");
  await view.page.keyboard.press("ArrowDown");
  await shows("draft");
  await box.fill("line one\nline two");
  await view.page.keyboard.press("ArrowUp");
  await shows("line one\nline two");
  await view.close();
});

test("the mode is switched by press and by key, and put back when that fails", limit, async () => {
  const view = await lab.show(fresh());
  const mode = view.testId("mode-switch");
  await mode.getByText("Plan").click();
  await until("a change", () => asked(view, "clined/config/set").length === 1);
  assert.deepEqual(asked(view, "clined/config/set")[0], { id: "mode", value: "plan" });
  await view.close();

  const failing = await lab.show(refusing(fresh(), "clined/config/set", "it cannot be kept"));
  await failing.testId("mode-switch").waitFor();
  await failing.testId("composer").click();
  await failing.page.keyboard.press("Control+.");
  await failing.testId("composer-problem").waitFor();
  assert.equal(await failing.testId("mode-switch").getAttribute("data-mode"), "act");
  await failing.close();
});

test("ten thousand models are filtered by typing and chosen by keys; their names are text", limit, async () => {
  const models: ModelInfo[] = Array.from({ length: 10_000 }, (_, i) => ({ id: `vendor/model-${i}`, name: `<b>Model</b> ${i}`, contextWindow: 128_000 }));
  const view = await lab.show({ ...idle(), answers: { "clined/model/list": () => ({ models }) } });
  await view.testId("model-chip").click();
  await view.page.getByPlaceholder("Filter 10,000 models").waitFor();
  assert.ok((await view.testId("model-item").count()) <= 101);
  await view.page.keyboard.type("9876");
  await until("one", async () => (await view.testId("model-item").first().innerText()).includes("model-9876"));
  assert.match(await view.testId("model-item").first().innerText(), /<b>Model<\/b> 9876/);
  await view.screenshot("composer-models-dark-420");
  await view.page.keyboard.press("Enter");
  await until("a change", () => asked(view, "clined/config/set").length === 1);
  assert.deepEqual(asked(view, "clined/config/set")[0], { taskId: "t1", id: "model", value: "vendor/model-9876" });
  await view.testId("model-chooser").waitFor({ state: "detached" });
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("a model that no list has can be named, and a list that fails is told", limit, async () => {
  const view = await lab.show({ ...fresh(), answers: { "clined/model/list": () => ({ models: [], problem: "nobody answers at 127.0.0.1:8080", hint: "start the server" }) } });
  await view.testId("model-chip").click();
  await view.page.getByText("Nobody answers at 127.0.0.1:8080").waitFor();
  await view.page.keyboard.type("my-model");
  await view.page.keyboard.press("Enter");
  await until("a change", () => asked(view, "clined/config/set").length === 1);
  assert.deepEqual(asked(view, "clined/config/set")[0], { id: "model", value: "my-model" });
  await view.testId("model-chip").click();
  await view.page.keyboard.press("Escape");
  await view.testId("model-chooser").waitFor({ state: "detached" });
  assert.equal(await view.testId("model-chip").evaluate((el) => el === document.activeElement), true);
  await view.testId("model-chip").click();
  await view.testId("open-setup").click();
  await view.testId("welcome").waitFor();
  await view.close();
});

test("what needs no question is switched one by one", limit, async () => {
  const view = await lab.show({ ...idle(), options });
  await view.testId("auto-approve").click();
  await view.testId("auto-approve-panel").waitFor();
  assert.equal(await view.testId("auto_approve.read").getAttribute("aria-checked"), "true");
  await view.screenshot("composer-approve-dark-420");
  await view.testId("auto_approve.command").click();
  await until("a change", () => asked(view, "clined/config/set").length === 1);
  assert.deepEqual(asked(view, "clined/config/set")[0], { taskId: "t1", id: "auto_approve.command", value: "true" });
  await view.close();
});

test("a message is said anew in its place; Escape leaves it", limit, async () => {
  const view = await lab.show(idle());
  const begin = async () => {
    await view.testId("message-user").first().hover();
    await view.testId("edit-message-begin").first().click();
    await view.testId("edit-field").waitFor();
  };
  await begin();
  assert.equal(await view.testId("edit-field").inputValue(), "Make the parser take comments.");
  await view.screenshot("composer-edit-dark-420");
  await view.page.keyboard.press("Escape");
  await view.testId("edit-field").waitFor({ state: "detached" });
  await begin();
  await view.testId("edit-field").fill("Make it take no comments.");
  await view.page.keyboard.press("Enter");
  await until("a change", () => asked(view, "clined/task/editMessage").length === 1);
  assert.deepEqual(asked(view, "clined/task/editMessage")[0], { taskId: "t1", messageId: "m1", prompt: words("Make it take no comments.") });
  await view.testId("edit-field").waitFor({ state: "detached" });
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("a command's words go behind the draft, or are said at once beside it", limit, async () => {
  const view = await lab.show(idle());
  const box = await field(view);
  await view.page.keyboard.type("mine");
  await view.deliver({ type: "compose", text: "@selection" });
  await until("both", async () => (await box.inputValue()) === "mine\n\n@selection");
  await view.deliver({ type: "compose", text: "explain this", send: true });
  await until("a prompt", () => asked(view, "clined/task/prompt").length === 1);
  assert.deepEqual(asked(view, "clined/task/prompt")[0], { taskId: "t1", prompt: words("explain this") });
  assert.equal(await box.inputValue(), "mine\n\n@selection");
  await view.close();
});

test("a command's words that come before the task is there are no answer to its question", limit, async () => {
  const asks = [{ askId: "a1", taskId: "t1", turnId: "turn-1", text: "Which one?" }];
  const view = await lab.show({ tasks: busy().tasks ?? [], asks });
  let answer = () => {};
  view.hold = (m) => (m.type === "request" && m.method === "clined/task/attach" ? new Promise((done) => (answer = done)) : undefined);
  await view.deliver({ type: "show", page: "chat", taskId: "t1" }, { type: "compose", text: "Fix this", send: true });
  await until("an attach", () => asked(view, "clined/task/attach").length === 1);
  await view.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.deepEqual([view.sentOf("answer").length, asked(view, "clined/task/prompt").length, asked(view, "clined/task/new").length], [0, 0, 0]);
  answer();
  await until("a task", () => asked(view, "clined/task/new").length === 1);
  assert.deepEqual(asked(view, "clined/task/new")[0]?.prompt, words("Fix this"));
  assert.deepEqual([view.sentOf("answer").length, asked(view, "clined/task/prompt").length], [0, 0]);
  await view.close();
});

test("an answer that does not count is in the draft again", limit, async () => {
  const asks = [{ askId: "a1", taskId: "t1", turnId: "turn-1", text: "Which one?" }];
  for (const undecided of [false, "the daemon is gone"] as const) {
    const view = await lab.show({ ...busy(), asks, undecided });
    const box = await field(view);
    await view.page.keyboard.type("the second");
    await view.page.keyboard.press("Enter");
    await view.testId("composer-problem").getByText(undecided ? "The daemon is gone" : "The question was answered already").waitFor();
    assert.equal(await box.inputValue(), "the second");
    await view.close();
  }
});

test("typing into what was said before leaves the draft, and what was typed", limit, async () => {
  const view = await lab.show(idle());
  const box = await field(view);
  await view.page.keyboard.type("one");
  await view.page.keyboard.press("Enter");
  await until("sent", async () => (await box.inputValue()) === "");
  await view.page.keyboard.type("draft");
  const shows = (text: string) => until(text, async () => (await box.inputValue()) === text);
  await view.page.keyboard.press("ArrowUp");
  await shows("one");
  await view.page.keyboard.press("End");
  await view.page.keyboard.type(" more");
  await view.page.keyboard.press("ArrowDown");
  await shows("draft");
  await view.page.keyboard.press("ArrowUp");
  await shows("one more");
  await view.close();
});

test("a message that is being changed outlives a reload", limit, async () => {
  const view = await lab.show(idle());
  await view.testId("message-user").first().hover();
  await view.testId("edit-message-begin").first().click();
  await view.testId("edit-field").fill("Make it take all of them.");
  await view.page.reload();
  await view.testId("edit-field").waitFor();
  assert.equal(await view.testId("edit-field").inputValue(), "Make it take all of them.");
  await view.testId("edit-field").press("Escape");
  await view.testId("edit-field").waitFor({ state: "detached" });
  await view.page.reload();
  await view.testId("message-user").first().waitFor();
  assert.equal(await view.testId("edit-field").count(), 0);
  await view.close();
});

test("the page of a new task promises no question where auto-approve asks none", limit, async () => {
  for (const [value, says] of [["false", /Nothing is changed without your yes/], ["true", /auto-approve covers is done without asking/]] as const) {
    const view = await lab.show({ ...fresh(), options: options.map((o) => (o.id === "auto_approve.edit" ? { ...o, value } : o)) });
    await view.testId("new-task-page").getByText(says).waitFor();
    await view.close();
  }
});
