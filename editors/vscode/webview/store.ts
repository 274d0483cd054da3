// What the view shows, as signals, and what it can do about it. Every component reads from here; only the messages of the
// host and the actions below change it. Signals of a component's own stand in that component's file.

import { batch, computed, signal } from "@preact/signals";
import type { Page, ShownApproval, ToWebview } from "../src/chat/messages";
import type { DaemonState } from "../src/daemon/api";
import { apply, attached, breaksOff, prepended } from "../src/model/reduce";
import type { Task } from "../src/model/task";
import type { AskParams, TaskEventParams } from "../src/protocol/generated";
import { listen, post, request, RequestError } from "./host";

export { answerAsk, decide, post, request, RequestError } from "./host";

/** False until the host has told what to show. */
export const ready = signal(false);
export const daemon = signal<DaemonState>({ kind: "stopped" });
export const page = signal<Page>("chat");
/** The page is a guess of the host: nothing is known yet. */
export const unsure = signal(false);
/** The task on the chat page, or null for a new one. `task` follows as soon as the daemon has told it. */
export const taskId = signal<string | null>(null);
export const task = signal<Task | null>(null);
/** False while the process that runs, if one does, was not yet asked for the task: it would not know it. */
export const attachedNow = signal(true);
/** Why the task could not be shown. */
export const problem = signal<RequestError | null>(null);
/** All that waits for a decision, of other tasks too. */
export const approvals = signal<ReadonlyMap<string, ShownApproval>>(new Map());
export const asks = signal<ReadonlyMap<string, AskParams>>(new Map());
export const folders = signal<readonly { name: string; path: string }[]>([]);
export const platform = signal<"mac" | "windows" | "linux">("linux");

/** What a command or a suggestion puts into the composer; the composer takes it by setting null. */
export const composed = signal<(Extract<ToWebview, { type: "compose" }> & { suggestion?: true }) | null>(null);
/** Rises when the composer is to take the focus. */
export const focusComposer = signal(0);

/** No model is connected, and a new task was wanted all the same. */
export const modelMissing = signal(false);
export const modelNeeded = signal(false);
/** Prompts that the model understands, where it is the demo's; it understands little else. */
export const demoPrompts = signal<readonly string[]>([]);

/** What waits in the task that is shown. */
export const openApprovals = computed(() => [...approvals.value.values()].filter((a) => a.taskId === taskId.value));
export const openAsks = computed(() => [...asks.value.values()].filter((a) => a.taskId === taskId.value));
/** A daemon that is gone works on nothing. */
export const working = computed(() => daemon.value.kind !== "failed" && task.value !== null && task.value.state.state !== "idle");

/** Another process works on it: nothing can be said here until it is done. */
export const elsewhere = computed(() => working.value && task.value?.info.owner !== undefined);

/** How many items are asked for at a time. */
const pageSize = 200;

// Events of the task that is being opened wait for the answer to its attach.
let early: TaskEventParams[] | null = null;
let opening = 0;
let opened: Promise<void> = Promise.resolve();

/** Shows a task, on the chat page unless another is named. Showing the one that is shown asks for what is new. */
export function openTask(id: string, on: Page = "chat"): Promise<void> {
  return (opened = open(id, on));
}

async function open(id: string, on: Page): Promise<void> {
  const known = task.value?.info.taskId === id ? task.value : undefined;
  const turn = ++opening;
  batch(() => {
    page.value = on;
    taskId.value = id;
    problem.value = null;
    if (!known) task.value = null;
  });
  post({ type: "follow", taskId: id });
  early = [];
  try {
    const params = { taskId: id, limit: pageSize };
    let result = await request("clined/task/attach", known?.seq ? { ...params, sinceSeq: known.seq } : params);
    if (turn !== opening) return;
    let next = known;
    if (known && breaksOff(known, result)) {
      next = undefined;
      result = await request("clined/task/attach", params);
      if (turn !== opening) return;
    }
    batch(() => {
      task.value = attached(result, next, early ?? []);
      attachedNow.value = true;
    });
  } catch (error) {
    if (turn === opening) problem.value = asRequestError(error);
  } finally {
    if (turn === opening) early = null;
  }
}

/** Shows the page of a new task. The task is made with its first words. */
export function newTask(): void {
  opening++;
  early = null;
  batch(() => {
    page.value = "chat";
    taskId.value = null;
    task.value = null;
    problem.value = null;
  });
  post({ type: "follow", taskId: null });
  focusComposer.value++;
}

export function showHistory(): void {
  page.value = "history";
}

export function showSetup(): void {
  page.value = "setup";
}

export function showChat(): void {
  page.value = "chat";
}

let loading: Promise<void> | null = null;

/** Asks for older items of the task, one page at a time. */
export function loadOlder(): Promise<void> {
  loading ??= older().finally(() => (loading = null));
  return loading;
}

async function older(): Promise<void> {
  const now = task.value;
  if (!now?.more) return;
  const { taskId } = now.info;
  try {
    const result = await request("clined/task/read", { taskId, before: now.before, limit: pageSize });
    if (task.value?.info.taskId === taskId) task.value = prepended(task.value, result);
  } catch {
    if (task.value?.info.taskId === taskId) task.value = { ...task.value, more: false };
  }
}

export function asRequestError(error: unknown): RequestError {
  return error instanceof RequestError ? error : new RequestError(-32603, String(error));
}

/** Begins to listen to the host and tells it so. */
export function start(): void {
  listen(hear);
  post({ type: "ready" });
}

function hear(message: ToWebview): void {
  switch (message.type) {
    case "init":
      batch(() => {
        ready.value = true;
        daemon.value = message.daemon;
        page.value = message.page;
        unsure.value = message.unsure ?? false;
        approvals.value = new Map(message.approvals.map((a) => [a.approvalId, a]));
        asks.value = new Map(message.asks.map((a) => [a.askId, a]));
        folders.value = message.folders;
        platform.value = message.platform;
      });
      if (message.taskId) void openTask(message.taskId, message.page);
      break;
    case "event":
      hearEvent(message.params);
      break;
    case "approval":
      approvals.value = new Map(approvals.value).set(message.request.approvalId, message.request);
      break;
    case "ask":
      asks.value = new Map(asks.value).set(message.params.askId, message.params);
      break;
    case "closed":
      batch(() => {
        approvals.value = without(approvals.value, message.id);
        asks.value = without(asks.value, message.id);
      });
      break;
    case "folders":
      folders.value = message.folders;
      break;
    case "daemon":
      hearDaemon(message.state);
      break;
    case "show":
      show(message);
      break;
    case "compose":
      void compose(message);
      break;
  }
}

/** What a command says waits for no other work: it begins a task where one works, or where that cannot be told. */
async function compose(message: Extract<ToWebview, { type: "compose" }>): Promise<void> {
  page.value = "chat";
  // Whether a task works is known once it is attached.
  while (message.send && early) await opened;
  if (message.send && taskId.value && (working.value || !task.value)) newTask();
  composed.value = message;
}

function hearEvent(params: TaskEventParams): void {
  if (params.taskId !== taskId.value) return;
  if (early) early.push(params);
  else if (task.value) task.value = apply(task.value, params);
}

// A new process knows nothing of this view: the task is attached again, with what happened meanwhile.
function hearDaemon(state: DaemonState): void {
  const again = state.kind === "running" && daemon.value.kind !== "running";
  batch(() => {
    if (state.kind !== "running") attachedNow.value = false;
    daemon.value = state;
  });
  if (!again || !taskId.value) return;
  void openTask(taskId.value, page.value);
}

function show(message: Extract<ToWebview, { type: "show" }>): void {
  unsure.value = false;
  if (message.page === "chat" && !message.taskId && modelMissing.value && (message.taskId === null || page.value === "setup")) {
    // A new task needs a model first.
    if (message.taskId === null) newTask();
    batch(() => {
      page.value = "setup";
      modelNeeded.value = message.taskId === null;
    });
    return;
  }
  if (message.taskId) void openTask(message.taskId, message.page);
  else if (message.taskId === null) newTask();
  page.value = message.page;
  if (message.focus) focusComposer.value++;
}

function without<T>(map: ReadonlyMap<string, T>, id: string): ReadonlyMap<string, T> {
  if (!map.has(id)) return map;
  const next = new Map(map);
  next.delete(id);
  return next;
}
