// What comes from the webview, before anything is done with it: a message of a known kind whose every field is of its type and
// no longer than any that the view sends. Whether it may be done is decided where it is done.

import type { ApprovalOutcome, AskResult } from "../protocol/generated";
import type { SetupAction, ToHost } from "./messages";

type Check = (value: unknown) => boolean;
type Fields = Record<string, Check>;
/** A check for every field of a type but the one that names its kind. */
type Of<T, Key = never> = Record<Exclude<keyof T, Key>, Check>;
type ByKind<T, Key extends keyof T> = { [K in T[Key] & string]: Of<Extract<T, Record<Key, K>>, Key> };

/** In characters. */
const word = 1000;
const line = 32_000;
/** As the daemon's largest message. */
const document = 64 << 20;

const text =
  (most: number): Check =>
  (v) =>
    typeof v === "string" && v.length <= most;
const path: Check = (v) => typeof v === "string" && v.length <= line && !v.includes("\0");
const count: Check = (v) => Number.isSafeInteger(v) && (v as number) >= 0;
const number: Check = (v) => typeof v === "number" && Number.isFinite(v);
const boolean: Check = (v) => typeof v === "boolean";
const plain: Check = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const one =
  (...values: string[]): Check =>
  (v) =>
    typeof v === "string" && values.includes(v);
const maybe =
  (check: Check): Check =>
  (v) =>
    v === undefined || check(v);
const list =
  (check: Check): Check =>
  (v) =>
    Array.isArray(v) && v.length <= 100_000 && v.every(check);
/** With these fields and no others. */
const object =
  (fields: Fields): Check =>
  (v) =>
    plain(v) &&
    Object.entries(fields).every(([name, check]) => check((v as Record<string, unknown>)[name])) &&
    Object.keys(v as object).every((name) => Object.hasOwn(fields, name));
const kinds =
  (key: string, all: Record<string, Fields>): Check =>
  (v) => {
    const kind = plain(v) ? (v as Record<string, unknown>)[key] : undefined;
    return typeof kind === "string" && Object.hasOwn(all, kind) && object({ ...all[kind], [key]: one(kind) })(v);
  };

const place = { provider: text(word), baseUrl: text(line) };
const action = kinds("kind", {
  status: {},
  discover: {},
  models: { choice: object({ ...place, secret: maybe(text(line)) }) },
  save: { choice: object({ ...place, model: text(word), secret: maybe(text(line)) }), unchecked: maybe(boolean) },
  demo: { stop: maybe(boolean) },
  signOut: place,
} satisfies ByKind<SetupAction, "kind">);

const outcome = object({
  optionId: maybe(text(word)),
  subjectHash: maybe(text(word)),
  feedback: maybe(object({ text: text(document) })),
  editedContent: (v) => v === undefined, // what was typed into a diff comes from the diff editor
  hunks: maybe(list(text(word))),
} satisfies Of<Required<ApprovalOutcome>>);
const answer = object({
  action: text(word),
  text: maybe(text(document)),
  option: maybe(text(document)),
  images: maybe(list(plain)),
} satisfies Of<Required<AskResult>>);

const isMessage = kinds("type", {
  ready: {},
  request: { id: count, method: text(word), params: plain },
  follow: { taskId: (v) => v === null || text(word)(v) },
  decide: { id: count, approvalId: text(word), outcome },
  choose: { approvalId: text(word), hunk: text(word), taken: boolean },
  answer: { id: count, askId: text(word), result: answer },
  openFile: { path, taskId: maybe(text(word)), line: maybe(number) },
  openExternal: { url: text(line) },
  showDiff: { diffId: maybe(text(word)), title: text(document), diff: maybe(text(document)) },
  copy: { text: text(document) },
  insert: { text: text(document) },
  export: { taskId: text(word), format: one("markdown", "json") },
  command: { command: one("restart", "log", "settings") },
  setup: { id: count, action },
  painted: { ms: number },
} satisfies ByKind<ToHost, "type">);

/** The message, or undefined for what is none. */
export function incoming(message: unknown): ToHost | undefined {
  return isMessage(message) ? (message as ToHost) : undefined;
}
