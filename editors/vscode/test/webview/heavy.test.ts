// Messages as long as they get: no more of them is drawn than is seen, and they are read, copied and followed as any other.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Event } from "../../src/protocol/generated";
import { until as wait } from "./await";
import { answer, heavyTask } from "./long";
import { staged, type Stage } from "./stage";
import { Lab, type View } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

function inView(name: string, events: Event[], act: (view: View) => Promise<void>): void {
  test(name, { timeout: 120_000 }, async () => {
    const stage: Stage = { taskId: "t", tasks: [staged("t", "T", [...events, { type: "state", state: "idle", stopReason: "completed" }])] };
    const view = await lab.show(stage);
    await act(view);
    assert.deepEqual(view.faults, []);
    await view.close();
  });
}

const says = (messageId: string, role: string, text: string, type = "text"): Event => ({ type: "message", messageId, role, content: [{ type, text }], status: "completed" });
const long = (characters: number) => {
  let text = "";
  for (let k = 0; text.length < characters; k++) text += `${answer(k)}\n\n`;
  return text;
};
const until = (view: View, holds: string) => wait(holds, () => view.page.evaluate<boolean>(holds));
const box = `document.querySelector("[data-testid=transcript]")`;
const fromEnd = `(${box}.scrollHeight - ${box}.scrollTop - ${box}.clientHeight)`;
const drawn = (view: View) => view.page.evaluate<number>(`${box}.querySelectorAll("*").length`);

/** Scrolls up to where nothing is above any more. */
async function toTop(view: View): Promise<void> {
  await wait("the beginning", async () => {
    await view.page.evaluate(`${box}.scrollTop = 0`);
    return view.page.evaluate<boolean>(`${box}.scrollTop === 0 && document.querySelector("[data-index='0']") !== null`);
  });
}

const code = Array.from({ length: 3000 }, (_, n) => `const a${n} = ${n};`).join("\n");

inView("a long answer opens at its end, and is there up to its beginning", [says("m", "assistant", `# The beginning\n\n${long(400_000)}\nThe very end.`)], async (view) => {
  await view.page.getByText("The very end.").waitFor();
  await until(view, `${fromEnd} < 2`);
  const rows = Number(await view.page.locator("[data-index]").first().getAttribute("aria-setsize"));
  assert.ok(rows > 50, `${rows} rows`);
  assert.ok((await drawn(view)) < 1500);
  await toTop(view);
  await view.page.getByRole("heading", { name: "The beginning" }).waitFor();
  await view.page.getByRole("article", { name: "clined", exact: true }).waitFor();
  assert.ok((await drawn(view)) < 1500);
});

inView("long code goes on from row to row, and is copied and inserted whole", [says("m", "assistant", `Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n`)], async (view) => {
  await until(view, `${fromEnd} < 2`);
  await view.page.getByText("const a2999 = 2999;").waitFor();
  assert.equal(await view.page.getByRole("button", { name: "Copy the code" }).count(), 0);
  await toTop(view);
  await view.page.getByRole("button", { name: "Copy the code" }).click();
  await view.page.getByRole("button", { name: "Insert the code" }).click();
  assert.deepEqual(view.sentOf("copy"), [{ type: "copy", text: code }]);
  assert.deepEqual(view.sentOf("insert"), [{ type: "insert", text: code }]);
});

inView("long reasoning is opened and closed", [{ ...says("m", "assistant", ""), content: [{ type: "thought", text: `So it begins.\n\n${long(60_000)}` }, { type: "text", text: "Done." }] } as Event], async (view) => {
  const line = view.page.getByRole("button", { name: "Thought for a while" });
  await line.click();
  await view.page.getByText("So it begins.").waitFor();
  assert.equal(await line.getAttribute("aria-expanded"), "true");
  await line.click();
  await view.page.getByText("So it begins.").waitFor({ state: "detached" });
  await view.page.getByText("Done.").waitFor();
});

inView("an answer that becomes long stays in sight", [says("u", "user", "Go.")], async (view) => {
  await view.page.getByText("Go.").waitFor();
  const text = long(80_000);
  await view.events({ type: "state", state: "running" });
  for (let at = 0; at < text.length; at += 4000) {
    await view.events({ type: "messageDelta", messageId: "m", partIndex: 0, kind: "text", text: text.slice(at, at + 4000) });
  }
  await view.events({ type: "messageDelta", messageId: "m", partIndex: 0, kind: "text", text: "\n\nUp to here." });
  await view.page.getByText("Up to here.").waitFor();
  await until(view, `${fromEnd} < 2`);
  assert.ok((await drawn(view)) < 1500);
  await view.events(says("m", "assistant", `${text}\n\nUp to here.`));
  await until(view, `${fromEnd} < 2 && document.querySelector("[data-testid=message-assistant]").dataset.status === "completed"`);
});

const pasted = `The log:\n${"a line of a log that was pasted\n".repeat(30_000)}and its end`;

inView("of a long prompt the beginning is shown, and all of it when it is wanted", [says("u", "user", pasted)], async (view) => {
  await view.page.getByText("The log:").waitFor();
  assert.equal(await view.page.getByText("and its end").count(), 0);
  const button = view.page.getByRole("button", { name: `Show all ${pasted.length.toLocaleString("en-US")} characters` });
  await button.click();
  await view.page.getByText("and its end").waitFor({ state: "attached" });
  await view.page.getByRole("button", { name: "Show less" }).click();
  await view.page.getByText("and its end").waitFor({ state: "detached" });
});

test("older messages are had page by page, and are no news", { timeout: 120_000 }, async () => {
  const view = await lab.show({ taskId: "heavy", tasks: [heavyTask(4, 700_000)] });
  await until(view, `${fromEnd} < 2`);
  const reads = () => view.sentOf("request").filter((r) => r.method === "clined/task/read").length;
  await wait("all pages", async () => {
    await view.page.evaluate(`${box}.scrollTop = 0`);
    return reads() === 3;
  });
  await toTop(view);
  await view.page.getByRole("heading", { name: "Step 0", exact: true }).waitFor();
  assert.equal(await view.testId("announcer").textContent(), "");
  assert.deepEqual(view.faults, []);
  await view.close();
});
