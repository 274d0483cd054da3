// What tasks as large as they get cost in a real VS Code, seen from within the view: other processes add to these times, too.

import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withEditor } from "./harness/editor";

export interface Cost {
  /** From the press on the task to its first message on the screen, in ms. */
  content: number;
  /** The longest that the page did nothing else, while the task was opened and scrolled through, in ms. */
  longest: number;
  /** From a key to the frame that shows it, the slowest of some, in ms. */
  key: number;
}

const longtask = resolve("..", "..", ".cache", "vscode", "longtask");

/** Opens a task of so many messages and calls, with so many bytes in each message of the model. */
export async function costOf(messages: number, bytes: number): Promise<Cost> {
  let cost: Cost | undefined;
  await withEditor({ name: "bench-large", script: "" }, async (vs) => {
    const size = ["-messages", String(messages), "-bytes", String(bytes)];
    execFileSync(longtask, ["-state", join(vs.root, "clined", "state"), "-cwd", vs.workspace, ...size]);
    await vs.openChat();
    const body = vs.chat.locator("body");
    await vs.chat.getByText("A long task").first().waitFor();
    const opened = await body.evaluate(open);
    const field = vs.in("composer");
    await field.evaluate(timeKeys);
    await field.pressSequentially("typing");
    cost = { ...opened, key: await field.evaluate(slowestKey) };
  });
  if (cost === undefined) throw new Error("the task was not opened");
  return cost;
}

// These run in the page.

async function open(body: HTMLElement): Promise<Omit<Cost, "key">> {
  const frame = () => new Promise(requestAnimationFrame);
  const tasks: number[] = [0];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)));
  observer.observe({ entryTypes: ["longtask"] });
  const title = [...body.querySelectorAll<HTMLElement>("button, [role=option], [role=button], a")].find((e) => e.textContent?.includes("A long task"));
  if (!title) throw new Error("the task is in no list");
  const began = performance.now();
  title.click();
  while (!body.querySelector("[data-testid=message-assistant]")) await frame();
  await frame();
  const content = performance.now() - began;
  const box = body.querySelector("[data-testid=transcript]") as HTMLElement;
  for (let n = 0; n < 60; n++) {
    box.scrollTop -= 1500;
    await frame();
  }
  await frame();
  observer.disconnect();
  if (box.scrollHeight - box.scrollTop < 30_000) throw new Error("the task was not scrolled");
  return { content, longest: Math.max(...tasks) };
}

function timeKeys(field: HTMLElement | SVGElement): void {
  const times: number[] = [];
  field.addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => times.push(performance.now() - timeStamp)));
  Object.assign(window, { keys: times });
}

async function slowestKey(): Promise<number> {
  await new Promise(requestAnimationFrame);
  return Math.max(...(window as unknown as { keys: number[] }).keys);
}
