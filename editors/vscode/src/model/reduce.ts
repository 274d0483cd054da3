// Makes a Task of a task's events, by the rules of docs/protocol.md: the first sight of an id creates, a later event
// replaces, what is left out stays, a delta appends. Pure: it asks nobody, and never changes what it was given.

import type {
  EventContent,
  EventMessage,
  EventMessageDelta,
  EventTerminal,
  EventToolCall,
  EventToolCallDelta,
  TaskAttachResult,
  TaskEventParams,
  TaskInfo,
  TaskReadResult,
} from "../protocol/generated";
import type { CallItem, Item, MessageItem, NoticeItem, Task } from "./task";

export function emptyTask(info: TaskInfo): Task {
  return { info, items: [], state: { state: "idle" }, options: [], more: false, before: 0, seq: 0 };
}

/** Whether an answer with `sinceSeq` cannot be joined to what is known, so that the task has to be attached anew. */
export function breaksOff(known: Task, result: TaskAttachResult): boolean {
  if (result.more) return true;
  const says = (id: string) => known.items.some((i) => i.id === id);
  return known.more && result.events.some((e) => e.event.type === "rewind" && !says(e.event.messageId));
}

/** The task as an attach tells it. `known` is what the `sinceSeq` of that attach was taken of, `early` what came before its answer. */
export function attached(result: TaskAttachResult, known?: Task, early: readonly TaskEventParams[] = []): Task {
  let task: Task = { ...(known ?? emptyTask(result.task)), info: result.task };
  for (const params of result.events) task = reduce(task, params);
  task = withoutHalves(task, result);
  if (!known) task = { ...task, more: result.more ?? false, before: result.before ?? 0 };
  task = { ...task, state: stateOf(task, result), seq: Math.max(task.seq, result.seq) };
  return early.reduce(apply, task);
}

/** What was half written when its process died is in no record, and nobody will finish it. */
function withoutHalves(task: Task, { task: info, events }: TaskAttachResult): Task {
  if (info.state === "running" || info.state === "requires_action") return task;
  const told = new Set(events.map(({ event }) => (event.type === "message" ? event.messageId : "")));
  const isHalf = (i: Item) => i.kind === "message" && i.role === "assistant" && i.status === "in_progress" && !told.has(i.id);
  return task.items.some(isHalf) ? { ...task, items: task.items.filter((i) => !isHalf(i)) } : task;
}

/** The task after one event. Events that are known already change nothing. */
export function apply(task: Task, params: TaskEventParams): Task {
  if (params.taskId !== task.info.taskId || params.seq <= task.seq) return task;
  return { ...reduce(task, params), seq: params.seq };
}

/** The task with what a `clined/terminal/list` tells of commands that run: their events are not kept for those who come later,
 * and what it does not name ended with its process. */
export function withTerminals(task: Task, terminals: readonly EventTerminal[]): Task {
  const running = new Set(terminals.map((t) => t.terminalId));
  const items = task.items.map((i) => (i.kind === "call" && i.terminal && !running.has(i.id) ? { ...i, terminal: { ...i.terminal, state: "exited" } } : i));
  return terminals.reduce<Task>((now, t) => put(now, t.terminalId, (old) => terminal(t, old)), { ...task, items });
}

/** The task with the older items of a `clined/task/read`; what is known stays where it is. */
export function prepended(task: Task, result: TaskReadResult): Task {
  let older = emptyTask(task.info);
  for (const params of result.events) older = reduce(older, params);
  const known = new Set(task.items.map((i) => i.id));
  return {
    ...task,
    items: [...older.items.filter((i) => !known.has(i.id)), ...task.items],
    more: result.more ?? false,
    before: result.before ?? 0,
  };
}

// The state event of a turn that was interrupted was never sent: the task itself tells.
function stateOf(task: Task, { task: info, pending }: TaskAttachResult): Task["state"] {
  if (info.state === "interrupted") return { state: "idle", stopReason: "interrupted" };
  if (task.state.state === "idle" && info.state === "idle") {
    return task.state.stopReason || !info.stopReason ? task.state : { ...task.state, stopReason: info.stopReason };
  }
  if (info.state === "requires_action" || pending.length > 0) return { state: "requires_action", pending };
  return task.state.state === info.state ? task.state : { state: info.state };
}

/** The task without its owner: a process that runs nothing of it any more has it no longer. */
function released(task: Task): Task {
  const { owner: _, ...info } = task.info;
  return task.info.owner ? { ...task, info } : task;
}

function reduce(task: Task, params: TaskEventParams): Task {
  const { event, turnId } = params;
  switch (event.type) {
    case "message":
      return put(said(task, event), event.messageId, (old) => message(params, event, old));
    case "messageDelta":
      return put(task, event.messageId, (old) => grown(params, event, old));
    case "toolCall":
      return put(task, event.toolCallId, (old) => call(params, event, old));
    case "toolCallDelta":
      return put(task, event.toolCallId, (old) => callGrown(params, event, old));
    case "terminal":
      return put(task, event.terminalId, (old) => terminal(event, old));
    case "terminalDelta":
      return put(task, event.terminalId, (old) =>
        old?.kind === "call" && old.terminal
          ? { ...old, terminal: { ...old.terminal, output: printed(old.terminal.output, event.text) } }
          : undefined,
      );
    case "notice": {
      const { type: _, ...rest } = event;
      const item: NoticeItem = { kind: "notice", id: `notice:${params.seq}`, ...place(params), ...rest };
      return put(task, item.id, (old) => old ?? item);
    }
    case "state": {
      const { type: _, ...state } = event;
      const { turnId: _was, ...rest } = state.state === "idle" ? released(task) : task;
      return state.state === "idle" || !turnId ? { ...rest, state } : { ...rest, state, turnId };
    }
    case "plan": {
      const { type: _, ...plan } = event;
      return { ...task, plan };
    }
    case "usage": {
      const { type: _, ...usage } = event;
      return { ...task, usage };
    }
    case "config":
      return { ...task, options: event.options };
    case "info":
      return { ...task, info: { ...task.info, title: event.title } };
    case "rewind":
      return { ...task, items: before(task, event.messageId) };
    default:
      return task; // of a newer daemon
  }
}

// A message that is not known is older than what is, and took all of that along; or it is missing from a record of the whole.
function before(task: Task, messageId: string): readonly Item[] {
  const at = task.items.findIndex((i) => i.id === messageId);
  if (at < 0) return task.more ? [] : task.items;
  return task.items.slice(0, at);
}

// A prompt that waited stands where it is said.
function said(task: Task, { role, status, messageId }: EventMessage): Task {
  const at = role === "user" && status === "completed" ? findLast(task.items, messageId) : -1;
  const item = task.items[at];
  if (!item || at === task.items.length - 1) return task;
  return { ...task, items: [...task.items.slice(0, at), ...task.items.slice(at + 1), item] };
}

/** Replaces the item of that id, or appends one; undefined leaves all as it is. Discarded items are gone. */
function put(task: Task, id: string, make: (old: Item | undefined) => Item | undefined): Task {
  const at = findLast(task.items, id);
  const old = at < 0 ? undefined : task.items[at];
  const item = make(old);
  if (!item || item === old) return task;
  const items = task.items.slice();
  const gone = "status" in item && item.status === "discarded";
  if (gone && at < 0) return task;
  if (gone) items.splice(at, 1);
  else if (at < 0) items.push(item);
  else items[at] = item;
  return { ...task, items };
}

// What changes is nearly always near the end.
function findLast(items: readonly Item[], id: string): number {
  for (let i = items.length - 1; i >= 0; i--) if (items[i]?.id === id) return i;
  return -1;
}

function place({ seq, turnId, ts }: TaskEventParams): { seq: number; ts: string; turnId?: string } {
  return turnId ? { seq, ts, turnId } : { seq, ts };
}

function message(params: TaskEventParams, event: EventMessage, old: Item | undefined): Item {
  const { type: _, ...rest } = event;
  const base = old?.kind === "message" ? old : undefined;
  return { ...base, ...rest, kind: "message", id: event.messageId, ...place(params) };
}

function grown(params: TaskEventParams, event: EventMessageDelta, old: Item | undefined): Item | undefined {
  const { messageId, partIndex, kind, text } = event;
  if (old && old.kind !== "message") return undefined;
  const base: MessageItem = old ?? {
    kind: "message",
    id: messageId,
    messageId,
    role: "assistant",
    content: [],
    status: "in_progress",
    ...place(params),
  };
  const content: EventContent[] = base.content.slice();
  // Parts before the first one that was seen are not known yet: they come with the whole.
  while (content.length < partIndex) content.push({ type: kind, text: "" });
  const part = content[partIndex];
  content[partIndex] = part && part.type === kind ? { ...part, text: (part.text ?? "") + text } : { type: kind, text };
  return { ...base, content };
}

function call(params: TaskEventParams, event: EventToolCall, old: Item | undefined): Item {
  const { type: _, kind, ...rest } = event;
  const base = old?.kind === "call" ? old : undefined;
  return { ...base, ...rest, kind: "call", callKind: kind ?? base?.callKind ?? "", id: event.toolCallId, ...place(params) };
}

function callGrown(params: TaskEventParams, event: EventToolCallDelta, old: Item | undefined): Item | undefined {
  if (old && old.kind !== "call") return undefined;
  const base: CallItem = old ?? {
    kind: "call",
    callKind: "",
    id: event.toolCallId,
    toolCallId: event.toolCallId,
    name: "",
    status: "in_progress",
    ...place(params),
  };
  const next = { ...base };
  if (event.argsText) next.args = (base.args ?? "") + event.argsText;
  if (event.output) next.output = printed(base.output, event.output);
  return next;
}

/** What a command prints may be without end: its newest part is kept, from the beginning of a line. */
const mostPrinted = 4_000_000;

function printed(before: string | undefined, more: string): string {
  const all = (before ?? "") + more;
  if (all.length <= mostPrinted) return all;
  const kept = all.slice(-mostPrinted / 2);
  return kept.slice(kept.indexOf("\n") + 1);
}

// This event is whole each time: without `asks` the command waits no more.
function terminal(event: EventTerminal, old: Item | undefined): Item | undefined {
  if (old?.kind !== "call") return undefined;
  const { type: _, ...rest } = event;
  return { ...old, terminal: { output: old.terminal?.output ?? "", ...rest } };
}
