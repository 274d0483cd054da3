// The transcript: what stays in sight, what keeps its place, what the keyboard does, what links and buttons ask of the host.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Event } from "../../src/protocol/generated";
import { until as wait } from "./await";
import { longTask } from "./long";
import { scenes } from "./scenes";
import { staged, type Stage } from "./stage";
import { Lab, type View } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

const limit = { timeout: 120_000 };
const long: Stage = { taskId: "long", tasks: [longTask(600)] };

function inView(name: string, stage: Stage, act: (view: View) => Promise<void>): void {
  test(name, limit, async () => {
    const view = await lab.show(stage);
    await act(view);
    assert.deepEqual(view.faults, []);
    await view.close();
  });
}

const frame = (view: View) => view.page.evaluate("new Promise((f) => requestAnimationFrame(f))");

/** Waits until it holds in the page; asked from here, as the page's policy allows no code from texts. */
const until = (view: View, holds: string) => wait(holds, () => view.page.evaluate<boolean>(holds));
const box = `document.querySelector("[data-testid=transcript]")`;
const fromEnd = `(${box}.scrollHeight - ${box}.scrollTop - ${box}.clientHeight)`;
const delta = (text: string, messageId = "m-live"): Event => ({ type: "messageDelta", messageId, partIndex: 0, kind: "text", text });

inView("a task opens at its end and asks for 200 items", long, async (view) => {
  await view.page.getByText("Go on with step 590, please.").waitFor();
  await until(view, `${fromEnd} < 2`);
  const [attach] = view.sentOf("request").filter((r) => r.method === "clined/task/attach");
  assert.deepEqual(attach?.params, { taskId: "long", limit: 200 });
  await until(view, `document.querySelectorAll("[data-index]").length < 60`);
});

inView("the end stays in sight while an answer grows", long, async (view) => {
  await until(view, `${fromEnd} < 2`);
  await view.events({ type: "state", state: "running" });
  for (let i = 0; i < 40; i++) await view.events(delta(`Line ${i} of a long answer, with words to fill it.\n\n`));
  await view.page.getByText("Line 39 of").waitFor();
  await until(view, `${fromEnd} < 2`);
});

inView("the end stays in sight when what stands below grows, and comes back with what is said", long, async (view) => {
  await until(view, `${fromEnd} < 2`);
  await view.page.setViewportSize({ width: 420, height: 500 });
  await until(view, `${box}.clientHeight < 420 && ${fromEnd} < 2`);
  await view.page.setViewportSize({ width: 420, height: 800 });
  await until(view, `${box}.clientHeight > 500 && ${fromEnd} < 2`);
  assert.equal(await view.testId("to-end").count(), 0);
  for (let i = 0; i < 5; i++) await frame(view);
  await view.page.evaluate(`${box}.scrollTop -= 1500`);
  await view.testId("to-end").waitFor();
  await view.testId("composer").fill("And now?");
  await view.testId("composer").press("Enter");
  await view.testId("to-end").waitFor({ state: "detached" });
  await until(view, `${fromEnd} < 2`);
});

inView("a call is named by what it does", scenes.story as Stage, async (view) => {
  await view.page.getByRole("article", { name: "Edit src/cart.ts" }).waitFor();
});

inView("who has scrolled up is left in peace, and told that there is news", long, async (view) => {
  await until(view, `${fromEnd} < 2`);
  await view.events(delta("begin\n\n"));
  await view.page.getByText("begin").waitFor();
  await view.page.evaluate(`${box}.scrollTop -= 1500`);
  await view.testId("to-end").waitFor();
  const seen = await firstSeen(view);
  for (let i = 0; i < 40; i++) await view.events(delta(`Line ${i} of a long answer.\n\n`));
  await view.page.getByText("New below").waitFor();
  assert.deepEqual(await firstSeen(view), seen);
  await view.testId("to-end").click();
  await view.page.getByText("Line 39 of").waitFor();
  await until(view, `${fromEnd} < 2`);
  await view.testId("to-end").waitFor({ state: "detached" });
});

/** The item at the top of the view, and where it is. */
async function firstSeen(view: View): Promise<{ id: string; top: number }> {
  return view.page.evaluate(() => {
    const list = document.querySelector("[data-testid=transcript]")?.getBoundingClientRect();
    const rows = [...document.querySelectorAll<HTMLElement>("[data-index]")].map((row) => ({ id: row.dataset.id ?? "", top: Math.round(row.getBoundingClientRect().top), bottom: row.getBoundingClientRect().bottom }));
    const first = rows.sort((a, b) => a.top - b.top).find((row) => row.bottom > (list?.top ?? 0) + 40);
    return { id: first?.id ?? "", top: first?.top ?? 0 };
  });
}

inView("older items come in above, and what is read stays where it is", long, async (view) => {
  await until(view, `${fromEnd} < 2`);
  const reads = () => view.sentOf("request").filter((r) => r.method === "clined/task/read").length;
  // Up to where the next page is asked for, then it is there.
  for (let i = 0; i < 200 && reads() === 0; i++) {
    await view.page.evaluate(`${box}.scrollTop -= 700; new Promise((f) => requestAnimationFrame(f))`);
  }
  assert.equal(reads(), 1);
  await until(view, `[...document.querySelectorAll("[data-index]")].some((r) => Number(r.dataset.index) > 150)`);
  for (let i = 0; i < 600 && (await view.page.evaluate(`${box}.scrollTop`)) !== 0; i++) {
    await view.page.evaluate(`${box}.scrollTop -= 700; new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))`);
  }
  await view.page.getByText("Go on with step 0, please.").waitFor();
  await until(view, `document.querySelector("[data-index='0']").getAttribute("aria-setsize") === "600"`);
});

inView("a page that comes in moves nothing", { ...long, answers: {} }, async (view) => {
  await until(view, `${fromEnd} < 2`);
  let release = () => {};
  view.hold = (m) => (m.type === "request" && m.method === "clined/task/read" ? new Promise((done) => (release = done)) : undefined);
  await view.page.evaluate(`${box}.scrollTop = 300`);
  await view.page.waitForFunction((n) => document.querySelector(`[data-index="${n}"]`) !== null, 3);
  for (let i = 0; i < 5; i++) await frame(view);
  const seen = await firstSeen(view);
  release();
  await until(view, `Number(document.querySelector("[data-id='${seen.id}']")?.dataset.index) > 100`);
  for (let i = 0; i < 5; i++) await frame(view);
  const now = await firstSeen(view);
  assert.equal(now.id, seen.id);
  assert.ok(Math.abs(now.top - seen.top) <= 1, `it moved from ${seen.top} to ${now.top}`);
});

inView("the keyboard goes from item to item", { taskId: "long", tasks: [longTask(150)] }, async (view) => {
  await until(view, `${fromEnd} < 2`);
  await view.page.locator("[data-index]").last().focus();
  const at = `Number(document.activeElement.dataset.index)`;
  await until(view, `${at} > 0`);
  const last = (await view.page.evaluate(at)) as number;
  await view.page.keyboard.press("ArrowUp");
  await until(view, `${at} === ${last - 1}`);
  await view.page.keyboard.press("Home");
  await until(view, `${at} === 0`);
  await view.page.keyboard.press("End");
  await until(view, `${at} >= ${last}`);
});

inView("what had the focus may be taken back", { taskId: "long", tasks: [longTask(150)] }, async (view) => {
  await until(view, `${fromEnd} < 2`);
  await view.page.locator("[data-index]").last().focus();
  await view.page.keyboard.press("ArrowUp");
  await view.events({ type: "rewind", messageId: "u100" }, { type: "message", messageId: "again", role: "user", content: [{ type: "text", text: "Once more, otherwise." }], status: "completed" });
  await view.page.getByText("Once more, otherwise.").waitFor();
  await view.page.getByText("Go on with step 90, please.").waitFor();
});

inView("links and buttons of a message ask the host", scenes.story as Stage, async (view) => {
  await view.page.getByRole("link", { name: "src/cart.ts:41" }).click();
  await view.page.getByRole("link", { name: "src/cart.test.ts" }).press("Enter");
  assert.deepEqual(view.sentOf("openFile"), [
    { type: "openFile", path: "src/cart.ts", taskId: "t1", line: 40 },
    { type: "openFile", path: "src/cart.test.ts", taskId: "t1" },
  ]);
  const code = view.page.locator("figure.code").first();
  await code.getByRole("button", { name: "Copy the code" }).click();
  await code.getByRole("button", { name: "Copied" }).waitFor();
  await code.getByRole("button", { name: "Insert the code" }).click();
  assert.match(view.sentOf("copy")[0]?.text ?? "", /^refresh\(\): void \{[^]*\}$/);
  assert.equal(view.sentOf("insert")[0]?.text, view.sentOf("copy")[0]?.text);
  await code.locator(".hljs-keyword").first().waitFor();
});

inView("thoughts are folded, and open", scenes.story as Stage, async (view) => {
  await view.page.locator("[data-testid=thought]").first().scrollIntoViewIfNeeded();
  const thought = view.testId("thought").first();
  assert.equal(await thought.getAttribute("data-open"), "false");
  await thought.getByRole("button").press("Enter");
  await thought.getByText("Probably").waitFor();
});

inView("the state is told, and what helps is one press away", scenes.interrupted as Stage, async (view) => {
  await view.page.getByText("Interrupted, nothing is lost").waitFor();
  await view.testId("resume").click();
  assert.deepEqual(view.sentOf("request").filter((r) => r.method === "clined/task/resume").map((r) => r.params), [{ taskId: "t1" }]);
  await view.events({ type: "state", state: "running" });
  await view.page.getByText("Thinking").waitFor();
});

inView("what the user stopped can go on", scenes.story as Stage, async (view) => {
  await view.events({ type: "state", state: "running" }, { type: "state", state: "idle", stopReason: "cancelled" });
  await view.testId("status").getByText("Stopped").waitFor();
  await view.testId("resume").click();
  await wait("to go on", () => view.sentOf("request").some((r) => r.method === "clined/task/resume"));
});

inView("a daemon that is gone waits for nobody", scenes.story as Stage, async (view) => {
  await view.events({ type: "state", state: "requires_action", pending: [] }, { type: "toolCall", toolCallId: "c9", name: "read_file", title: "Read a.ts", kind: "read", status: "in_progress", args: "{\"path\":\"a.ts\"}" });
  await view.page.getByRole("button", { name: /Read a.ts, runs/ }).waitFor();
  await view.deliver({ type: "daemon", state: { kind: "failed", problem: "clined ended", hint: "see the log", help: ["restart"] } });
  await view.testId("status").getByText("Interrupted, nothing is lost").waitFor();
  await view.page.getByRole("button", { name: /Read a.ts, interrupted/ }).waitFor();
  assert.equal(await view.testId("stop").count(), 0);
  // A new process knows the task's options once it was asked for the task.
  const before = view.sentOf("request").length;
  await view.deliver({ type: "daemon", state: { kind: "running", version: "1", methods: [] } });
  await wait("the options", () => view.sentOf("request").slice(before).some((r) => r.method === "clined/config/get"));
  assert.equal(view.sentOf("request")[before]?.method, "clined/task/attach");
});

inView("a title is changed in place", scenes.story as Stage, async (view) => {
  await view.page.getByRole("button", { name: /^Fix the cart total.*: rename$/ }).click();
  await view.page.getByLabel("Title of the task").fill("Vouchers count once");
  await view.page.keyboard.press("Enter");
  assert.deepEqual(view.sentOf("request").find((r) => r.method === "clined/task/rename")?.params, { taskId: "t1", title: "Vouchers count once" });
  await view.events({ type: "info", title: "Vouchers count once" });
  await view.page.getByRole("button", { name: "Vouchers count once: rename" }).waitFor();
});

inView("what is done is said to screen readers, what grows is not", scenes.streaming as Stage, async (view) => {
  await view.testId("thought").waitFor();
  await view.events(delta("It is ", "m9"), delta("seven.", "m9"));
  await view.page.getByText("It is seven.").first().waitFor();
  assert.equal(await view.testId("announcer").textContent(), "");
  await view.events({ type: "message", messageId: "m9", role: "assistant", content: [{ type: "text", text: "It is **seven**.\n\n```sh\ndate\n```\n\n- a\n- `b`" }], status: "completed" });
  await until(view, `document.querySelector("[data-testid=announcer]").textContent === "It is seven. Code, sh. a b"`);
});

inView("a daemon that fails is told with what helps; one that comes back tells what is new", scenes.story as Stage, async (view) => {
  await view.deliver({ type: "daemon", state: { kind: "failed", problem: "clined ended", hint: "see the log", help: ["restart", "log"] } });
  await view.testId("daemon-problem").getByRole("button", { name: "Restart" }).click();
  assert.deepEqual(view.sentOf("command"), [{ type: "command", command: "restart" }]);
  await view.deliver({ type: "daemon", state: { kind: "running", version: "1", methods: [] } });
  await view.testId("daemon-problem").waitFor({ state: "detached" });
  await until(view, `document.querySelectorAll("[data-index]").length > 0`);
  const attaches = view.sentOf("request").filter((r) => r.method === "clined/task/attach");
  assert.equal(attaches.length, 2);
  assert.ok(((attaches[1]?.params as { sinceSeq?: number }).sinceSeq ?? 0) > 0);
});

inView("the first content is told once", scenes.story as Stage, async (view) => {
  await view.page.waitForFunction(() => document.querySelectorAll("[data-index]").length > 0);
  while (view.sentOf("painted").length === 0) await frame(view);
  await view.events(delta("more"));
  await view.page.getByText("more", { exact: true }).waitFor();
  assert.equal(view.sentOf("painted").length, 1);
});

inView("a prompt that waited stands where it was said", {
  taskId: "q",
  tasks: [staged("q", "Two prompts", [])].map((t) => {
    const tell = (seq: number, turnId: string, event: Event) => ({ taskId: "q", seq, turnId, ts: "2026-05-30T08:00:00.000Z", event });
    const says = (messageId: string, role: string, text: string): Event => ({ type: "message", messageId, role, content: [{ type: "text", text }], status: "completed" });
    return { ...t, events: [
      tell(1, "t1", says("a", "user", "first prompt")), tell(9, "t2", says("b", "user", "second prompt")),
      tell(5, "t1", says("c", "assistant", "first answer")), tell(12, "t2", says("d", "assistant", "second answer")),
    ] };
  }),
}, async (view) => {
  await view.page.getByText("second answer").waitFor();
  const order = await view.page.evaluate(() => [...document.querySelectorAll("[data-index]")].map((r) => r.textContent?.trim()));
  assert.deepEqual(order.map((t) => t?.replace(/\s+/g, " ")), ["first prompt", "first answer", "second prompt", "second answer"]);
});

inView("a title that could not be changed is told, and the keyboard stays", { ...(scenes.story as Stage), answers: { "clined/task/rename": () => { throw new Error("the disk is full"); } } }, async (view) => {
  const button = view.page.getByRole("button", { name: /^Fix the cart total.*: rename$/ });
  await button.click();
  await view.page.getByRole("textbox", { name: "Title of the task" }).fill("Another");
  await view.page.keyboard.press("Enter");
  await view.page.getByRole("alert").getByText("The disk is full").waitFor();
  assert.equal(await button.evaluate((el) => el === document.activeElement), true);
});
