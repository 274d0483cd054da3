// The shapes of a task as a view shows it, made of events by reduce.ts. Pure data: nothing here knows VS Code or the DOM.

import type { EventMessage, EventOption, EventPlan, EventState, EventTerminal, EventToolCall, EventUsage, TaskInfo } from "../protocol/generated";

/** A message; `parts` grow by deltas while `status` is `in_progress`. */
export interface MessageItem extends Omit<EventMessage, "type"> {
  kind: "message";
  id: string;
  seq: number;
  turnId?: string;
  ts: string;
}

/** A tool call; `args` and `output` grow by deltas. `terminal` is there for commands that run on or ask. */
export interface CallItem extends Omit<EventToolCall, "type" | "kind"> {
  kind: "call";
  /** read, edit, command, mcp, ask or control. */
  callKind: string;
  id: string;
  seq: number;
  turnId?: string;
  ts: string;
  terminal?: Omit<EventTerminal, "type"> & { output: string };
}

export interface NoticeItem {
  kind: "notice";
  id: string;
  seq: number;
  turnId?: string;
  ts: string;
  severity: string;
  text: string;
  hint?: string;
}

export type Item = MessageItem | CallItem | NoticeItem;

/** A task. A change makes a new Task, a new `items` and a new object for each changed item; what is equal is the same. */
export interface Task {
  info: TaskInfo;
  /** In the order of first sight. */
  items: readonly Item[];
  state: Omit<EventState, "type">;
  /** The turn that runs, if one does. */
  turnId?: string;
  plan?: Omit<EventPlan, "type">;
  usage?: Omit<EventUsage, "type">;
  options: readonly EventOption[];
  /** Older items are to be had from `clined/task/read` with this `before`. */
  more: boolean;
  before: number;
  seq: number;
}
