// Saying things to the agent: prompts, answers, what is queued, and stopping. A draft is gone only when it was taken.

import { computed, signal } from "@preact/signals";
import type { AskParams, ContentBlock } from "../../src/protocol/generated";
import type { MessageItem } from "../../src/model/task";
import { answerAsk, asRequestError, daemon, elsewhere, openAsks, openTask, request, RequestError, task, taskId, working } from "../store";
import { addWords, draftKey, draftOf, giveBack, joined, left, setDraft, takeOut } from "./drafts";
import { mode } from "../models/options";
import { blocks, picturesOf, textOf } from "./pictures";
import { missing } from "../models/connected";

/** What went wrong with the last thing that was sent, near the composer; null when nothing did. */
export const sendProblem = signal<{ text: string; hint?: string } | null>(null);
export const sending = signal(false);
/** Rises with each thing that is said in a task. */
export const spoken = signal(0);

const pending = computed<readonly MessageItem[]>(
  () => task.value?.items.filter((i): i is MessageItem => i.kind === "message" && i.role === "user" && i.status === "pending") ?? [],
);

/** Prompts that wait for the end of the turn, the oldest first. */
export const queued = computed(() => pending.value.filter((i) => !isSteering(i)));

/** What was said to the turn that runs, and that it hears at its next step: it is the turn's, so it cannot be taken back. */
export const steering = computed(() => pending.value.filter(isSteering));

function isSteering(item: MessageItem): boolean {
  return working.value && !elsewhere.value && item.turnId !== undefined && item.turnId === task.value?.turnId;
}

/** The question that what is sent now would answer. */
export const asked = computed(() => openAsks.value[0]);

/** Why nothing can be sent; undefined when it can. */
export const blocked = computed(() => {
  const state = daemon.value;
  if (state.kind === "failed") return "clined does not run: see above for what helps";
  if (elsewhere.value) return "Another window works on this task";
  return missing.value ? "No model is connected yet" : undefined;
});

/** What the daemon answers where something else runs in the task, docs/protocol.md "Errors". */
const busy = 1002;

// One thing is said after the other. What was pressed behind one that failed is not said without it.
let line: Promise<boolean> = Promise.resolve(true);
let inLine = 0;

/** Runs something that may fail. False when it failed, which the user is told. */
async function attempt(work: () => Promise<void>): Promise<boolean> {
  sendProblem.value = null;
  try {
    await work();
    return true;
  } catch (error) {
    const { code, message, hint } = asRequestError(error);
    sendProblem.value = { text: message, hint };
    // Another process may have begun with the task since it was attached: only an attach tells.
    if (code === busy && taskId.value) void openTask(taskId.value);
    return false;
  }
}

/** Runs something that may fail behind what was said before. False also when that failed. */
function attemptInLine(work: () => Promise<void>): Promise<boolean> {
  const behind = inLine > 0 ? line : Promise.resolve(true);
  inLine++;
  sending.value = true;
  line = behind.then((before) => before && attempt(work)).finally(() => (sending.value = --inLine > 0));
  return line;
}

/** Sends the draft: as an answer where a question waits, into the running turn with `now`, else as the next prompt. */
export async function send(now = false): Promise<void> {
  const key = draftKey.value;
  if (blocks(draftOf(key).text, draftOf(key).pictures).length === 0 || blocked.value) return;
  const fresh = taskId.value === null;
  const taken = takeOut(key);
  addWords(taken.text);
  if (await say(blocks(taken.text, taken.pictures), asked.value ?? (now ? "turn" : "prompt"))) left(taken);
  else giveBack(taken, fresh ? (made ?? key) : key);
}

// The task that was made of the words that came first, for those that were written before it was there.
let made: string | null = null;

/** What something is said to: a question that waits, the turn that runs, or the task as its next prompt. */
type Target = AskParams | "turn" | "prompt";

/** Says something. False when that failed, which the user is told. */
export function say(prompt: ContentBlock[], target: Target): Promise<boolean> {
  if (prompt.length === 0 || blocked.value) return Promise.resolve(false);
  const pressed = taskId.value;
  const first = pressed === null && inLine === 0;
  if (first) made = null;
  return attemptInLine(async () => {
    const id = pressed ?? made;
    if (id === null) {
      made = (await request("clined/task/new", { prompt, mode: mode.value })).taskId;
      if (taskId.value === null) void openTask(made);
    } else if (typeof target === "object") await answer(target.askId, prompt);
    else if (target === "turn" && working.value) await request("clined/task/steer", { taskId: id, prompt });
    else await request("clined/task/prompt", { taskId: id, prompt });
    spoken.value++;
  });
}

async function answer(askId: string, prompt: ContentBlock[]): Promise<void> {
  const images = prompt.filter((b) => b.type === "image");
  const result = { action: "accept" as const, text: textOf(prompt), ...(images.length > 0 && { images }) };
  if (!(await answerAsk(askId, result))) throw new RequestError(0, "the question was answered already");
}

/** Stops the turn. What was queued comes back into the draft, for the daemon drops it. */
export async function stop(): Promise<void> {
  const id = taskId.value;
  if (id === null || elsewhere.value) return;
  const waiting = pending.value;
  const key = draftKey.value;
  await attempt(async () => {
    await request("clined/task/cancel", { taskId: id });
    if (waiting.length === 0) return;
    setDraft(joined([...waiting.map(asDraft), draftOf(key)]), key);
  });
}

/** Takes a prompt back that waits. */
export function unqueue(item: MessageItem): Promise<boolean> {
  return attempt(async () => {
    const id = taskId.value;
    if (id && item.turnId) await request("clined/task/cancel", { taskId: id, turnId: item.turnId });
  });
}

/** Says a prompt that waits to the turn that runs. Should that fail, its words are in the draft. */
export async function sendNow(item: MessageItem): Promise<void> {
  const id = taskId.value;
  const key = draftKey.value;
  if (!id || !(await unqueue(item))) return;
  const { text, pictures } = asDraft(item);
  const done = await attemptInLine(async () => {
    await request("clined/task/steer", { taskId: id, prompt: blocks(text, pictures) });
  });
  if (!done) setDraft(joined([{ text, pictures }, draftOf(key)]), key);
}

const asDraft = (item: MessageItem) => ({ text: textOf(item.content), pictures: picturesOf(item.content) });

/** Says a message of the user anew, in place of it and all that followed. */
export function sayAgain(messageId: string, prompt: ContentBlock[]): Promise<boolean> {
  return attemptInLine(async () => {
    const id = taskId.value;
    if (id) await request("clined/task/editMessage", { taskId: id, messageId, prompt });
  });
}
