// What is being written to each task, kept while the view is hidden and over a reload of the window. Nothing here is sent.

import { computed, signal } from "@preact/signals";
import { remember, remembered } from "../host";
import { taskId } from "../store";

/** A picture as it will be sent: base64 of PNG, JPEG, GIF or WebP. */
export interface Picture {
  id: string;
  name: string;
  mimeType: string;
  data: string;
}

export interface Draft {
  text: string;
  pictures: readonly Picture[];
}

const nothing: Draft = { text: "", pictures: [] };
const unsent = "new";
const maxDrafts = 30;
/** Base64 characters of pictures that are kept; VS Code writes the state as one text. */
const maxKept = 6 << 20;
const maxWords = 50;

const drafts = signal<ReadonlyMap<string, Draft>>(new Map(restored()));
const words = signal<readonly string[]>(remembered<string[]>("words") ?? []);

/** Where drafts of the task that is shown are; that of the page of a new task is kept, too. */
export const draftKey = computed(() => taskId.value ?? unsent);
export const draft = computed(() => drafts.value.get(draftKey.value) ?? nothing);

export function setDraft(change: Partial<Draft>, key = draftKey.value): void {
  const next = new Map(drafts.value);
  const now = { ...(next.get(key) ?? nothing), ...change };
  next.delete(key); // the one changed last stands last
  if (now.text !== "" || now.pictures.length > 0) next.set(key, now);
  for (const old of [...next.keys()].slice(0, Math.max(0, next.size - maxDrafts))) next.delete(old);
  drafts.value = next;
  soon();
}

export function draftOf(key: string): Draft {
  return drafts.value.get(key) ?? nothing;
}

/** What is on its way, by where it was written: a view that goes before the answer keeps it as a draft. */
const leaving = new Map<Draft, string>();

/** Takes a draft out to be sent. `left` forgets it, `giveBack` puts it before what was written since. */
export function takeOut(key: string): Draft {
  const taken = { ...draftOf(key) };
  leaving.set(taken, key);
  setDraft(nothing, key);
  return taken;
}

export function left(taken: Draft): void {
  leaving.delete(taken);
}

export function giveBack(taken: Draft, key: string): void {
  leaving.delete(taken);
  setDraft(joined([taken, draftOf(key)]), key);
}

/** Several drafts as one, in their order. */
export function joined(all: readonly Draft[]): Draft {
  return {
    text: all.map((d) => d.text).filter((t) => t.trim() !== "").join("\n\n"),
    pictures: all.flatMap((d) => d.pictures),
  };
}

/** What was said before, the newest last, in this view's tasks. */
export const said = computed(() => words.value);

export function addWords(text: string): void {
  const word = text.trim();
  if (word === "" || word.length > 20_000) return;
  words.value = [...words.value.filter((w) => w !== word), word].slice(-maxWords);
  remember("words", words.value);
}

function restored(): [string, Draft][] {
  const kept = remembered<[string, Draft][]>("drafts");
  return Array.isArray(kept) ? kept.filter((d) => typeof d?.[1]?.text === "string" && Array.isArray(d[1].pictures)) : [];
}

let timer: ReturnType<typeof setTimeout> | undefined;

function soon(): void {
  timer ??= setTimeout(keep, 300);
}

function keep(): void {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  let room = maxKept;
  const all = new Map(drafts.value);
  for (const [taken, key] of [...leaving].reverse()) all.set(key, joined([taken, all.get(key) ?? nothing]));
  const kept = [...all].reverse().map(([key, d]): [string, Draft] => {
    const pictures = d.pictures.filter((p) => (room -= p.data.length) >= 0);
    return [key, { text: d.text, pictures }];
  });
  remember("drafts", kept.reverse());
}

window.addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", keep);
