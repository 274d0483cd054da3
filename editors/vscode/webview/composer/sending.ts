// Saying things to the agent: prompts, answers, what is queued, and stopping. A draft is gone only when it was taken.

import { batch, computed, signal } from "@preact/signals";
import type { ContentBlock } from "../../src/protocol/generated";
import type { MessageItem } from "../../src/model/task";
import { asRequestError, daemon, openAsks, openTask, post, request, task, taskId, working } from "../store";
import { addWords, draftKey, draftOf, setDraft } from "./drafts";
import type { Picture } from "./drafts";
import { mode } from "./options";
import { blocks, picturesOf, textOf } from "./pictures";
import { missing } from "./setup-state";

/** What went wrong with the last thing that was sent, near the composer; null when nothing did. */
export const sendProblem = signal<{ text: string; hint?: string } | null>(null);
export const sending = signal(false);

/** Prompts that wait for the end of the turn, the oldest first. */
export const queued = computed<readonly MessageItem[]>(
  () => task.value?.items.filter((i): i is MessageItem => i.kind === "message" && i.role === "user" && i.status === "pending") ?? [],
);

/** The question that what is sent now would answer. */
export const asked = computed(() => openAsks.value[0]);

/** Why nothing can be sent; undefined when it can. */
export const blocked = computed(() => {
  const state = daemon.value;
  if (state.kind === "failed") return "clined does not run: see above for what helps";
  return missing.value ? "No model is connected yet" : undefined;
});

/** Runs something that may fail, with words for the user. */
async function attempt(work: () => Promise<void>): Promise<boolean> {
  batch(() => {
    sending.value = true;
    sendProblem.value = null;
  });
  try {
    await work();
    return true;
  } catch (error) {
    const { message, hint } = asRequestError(error);
    sendProblem.value = { text: message, hint };
    return false;
  } finally {
    sending.value = false;
  }
}

/** Sends the draft: as an answer where a question waits, into the running turn with `now`, else as the next prompt. */
export async function send(now = false): Promise<void> {
  const key = draftKey.value;
  const { text, pictures } = draftOf(key);
  await say(blocks(text, pictures), now, () => taken(key, text, pictures));
}

/** Says something that is no draft. */
export function say(prompt: ContentBlock[], now = false, done: () => void = () => undefined): Promise<boolean> {
  if (prompt.length === 0 || sending.value || blocked.value) return Promise.resolve(false);
  const id = taskId.value;
  const question = asked.value;
  return attempt(async () => {
    if (id === null) {
      const made = await request("clined/task/new", { prompt, mode: mode.value });
      done();
      if (taskId.value === null) await openTask(made.taskId);
      return;
    }
    if (question) answer(question.askId, prompt);
    else if (now && working.value) await request("clined/task/steer", { taskId: id, prompt });
    else await request("clined/task/prompt", { taskId: id, prompt });
    done();
  });
}

function answer(askId: string, prompt: ContentBlock[]): void {
  const images = prompt.filter((b) => b.type === "image");
  post({ type: "answer", askId, result: { action: "accept", text: textOf(prompt), ...(images.length > 0 && { images }) } });
}

// What was typed or added while the words were on their way stays.
function taken(key: string, text: string, pictures: readonly Picture[]): void {
  addWords(text);
  const now = draftOf(key);
  setDraft(
    {
      text: now.text.startsWith(text) ? now.text.slice(text.length) : now.text,
      pictures: now.pictures.filter((p) => !pictures.some((sent) => sent.id === p.id)),
    },
    key,
  );
}

/** Stops the turn. What was queued comes back into the draft, for the daemon drops it. */
export async function stop(): Promise<void> {
  const id = taskId.value;
  if (id === null) return;
  const waiting = queued.value;
  const key = draftKey.value;
  await attempt(async () => {
    await request("clined/task/cancel", { taskId: id });
    if (waiting.length === 0) return;
    const now = draftOf(key);
    const text = [...waiting.map((m) => textOf(m.content)), now.text].filter((t) => t.trim() !== "").join("\n\n");
    setDraft({ text, pictures: [...waiting.flatMap((m) => picturesOf(m.content)), ...now.pictures] }, key);
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
  const text = textOf(item.content);
  const pictures = picturesOf(item.content);
  const done = await attempt(async () => {
    await request("clined/task/steer", { taskId: id, prompt: blocks(text, pictures) });
  });
  if (done) return;
  const now = draftOf(key);
  setDraft({ text: [text, now.text].filter((t) => t !== "").join("\n\n"), pictures: [...pictures, ...now.pictures] }, key);
}

/** Says a message of the user anew, in place of it and all that followed. */
export function sayAgain(messageId: string, prompt: ContentBlock[]): Promise<boolean> {
  return attempt(async () => {
    const id = taskId.value;
    if (id) await request("clined/task/editMessage", { taskId: id, messageId, prompt });
  });
}
