// What a test has the view believe: the daemon's state, tasks with their events, and how requests are answered.

import type { Page, RelayedMethod, SetupAction, ShownApproval, ToHost, ToWebview } from "../../src/chat/messages";
import type { DaemonState } from "../../src/daemon/api";
import type { AskParams, Event, EventOption, TaskEventParams, TaskInfo } from "../../src/protocol/generated";

export interface StagedTask {
  info: TaskInfo;
  events: TaskEventParams[];
}

export interface Stage {
  daemon?: DaemonState;
  page?: Page;
  unsure?: boolean;
  taskId?: string;
  tasks?: StagedTask[];
  approvals?: ShownApproval[];
  asks?: AskParams[];
  options?: EventOption[];
  /** Answers that differ from the usual ones; what throws is an error to the view. */
  answers?: Partial<Record<RelayedMethod, (params: Record<string, unknown>) => unknown>>;
  /** Why decisions and answers do not count: false where it was too late, words for an error. */
  undecided?: false | string;
  setup?: Partial<Record<SetupAction["kind"], unknown>>;
}

/** What setup says when it does not answer. */
export const never = Symbol("never");

const start = Date.parse("2026-05-30T08:00:00.000Z");

/** A task out of events: one a second, in one turn. */
export function staged(taskId: string, title: string, events: Event[], state = "idle"): StagedTask {
  return {
    info: {
      taskId,
      title,
      cwd: "/home/me/shop",
      roots: ["/home/me/shop"],
      created: new Date(start).toISOString(),
      updated: new Date(start + events.length * 1000).toISOString(),
      mode: "act",
      model: "gpt-5",
      state,
      messages: events.filter((e) => e.type === "message").length,
    },
    events: events.map((event, i) => ({
      taskId,
      seq: i + 1,
      // What waits is of a turn of its own.
      turnId: event.type === "message" && event.role === "user" && event.status === "pending" ? `turn-${event.messageId}` : "turn-1",
      ts: new Date(start + i * 1000).toISOString(),
      event,
    })),
  };
}

export const options: EventOption[] = [
  { id: "mode", name: "Mode", value: "act", choices: ["plan", "act"] },
  { id: "model", name: "Model", value: "gpt-5", choices: ["gpt-5", "gpt-5-mini", "qwen3-coder:30b"] },
  { id: "auto_approve.read", name: "Read files", value: "true", choices: ["true", "false"] },
  { id: "auto_approve.edit", name: "Edit files", value: "false", choices: ["true", "false"] },
  { id: "auto_approve.command", name: "Run commands", value: "false", choices: ["true", "false"] },
  { id: "auto_approve.mcp", name: "Use MCP servers", value: "false", choices: ["true", "false"] },
];

export function initOf(stage: Stage): ToWebview {
  return {
    type: "init",
    daemon: stage.daemon ?? { kind: "running", version: "0.1.0", methods: [] },
    taskId: stage.taskId ?? null,
    page: stage.page ?? "chat",
    unsure: stage.unsure,
    approvals: stage.approvals ?? [],
    asks: stage.asks ?? [],
    folders: [{ name: "shop", path: "/home/me/shop" }],
    platform: "linux",
  };
}

/** The host's answer to a message of the view, if it wants one. */
export function answer(stage: Stage, message: ToHost): ToWebview | undefined {
  if (message.type === "setup") {
    const result = stage.setup?.[message.action.kind] ?? { configured: true, provider: "openai", model: "gpt-5" };
    return result === never ? undefined : { type: "response", id: message.id, result };
  }
  if (message.type === "decide" || message.type === "answer") {
    const { undecided = true } = stage;
    if (typeof undecided === "boolean") return { type: "response", id: message.id, result: undecided };
    return { type: "response", id: message.id, error: { code: -32603, message: undecided } };
  }
  if (message.type !== "request") return undefined;
  const params = message.params as Record<string, unknown>;
  try {
    const own = stage.answers?.[message.method];
    return { type: "response", id: message.id, result: own ? own(params) : usual(stage, message.method, params) };
  } catch (error) {
    const { code = -32603 } = error as { code?: number };
    return { type: "response", id: message.id, error: { code, message: String(error instanceof Error ? error.message : error) } };
  }
}

/** The newest of these events, as many as the daemon tells at once, and the place of the first of them where there are more. */
function page(events: readonly TaskEventParams[], limit: number) {
  let front = events.length;
  for (let size = 0; front > 0 && events.length - front < limit; front--) {
    size += JSON.stringify(events[front - 1]?.event).length;
    if (size > 1 << 20 && front < events.length) break;
  }
  return front > 0 ? { events: events.slice(front), more: true, before: front } : { events, more: false };
}

function usual(stage: Stage, method: RelayedMethod, params: Record<string, unknown>): unknown {
  const tasks = stage.tasks ?? [];
  const task = tasks.find((t) => t.info.taskId === params.taskId);
  const limit = (params.limit as number | undefined) ?? 200;
  switch (method) {
    case "clined/task/attach": {
      if (!task) throw new Error("there is no such task");
      const since = (params.sinceSeq as number | undefined) ?? 0;
      const events = task.events.filter((e) => e.seq > since);
      const seq = task.events.at(-1)?.seq ?? 0;
      const pending = [
        ...(stage.approvals ?? []).map((a) => ({ id: a.approvalId, kind: "approval", title: a.title, toolCallId: a.toolCallId })),
        ...(stage.asks ?? []).map((a) => ({ id: a.askId, kind: "question", title: a.text })),
      ];
      return { task: task.info, ...page(events, limit), seq, pending };
    }
    case "clined/task/read": {
      if (!task) throw new Error("there is no such task");
      return { task: task.info, ...page(task.events.slice(0, params.before as number | undefined), limit) };
    }
    case "clined/task/list":
      return { tasks: tasks.map((t) => t.info) };
    case "clined/terminal/list": {
      const told = (task?.events ?? []).flatMap(({ event }) => (event.type === "terminal" ? [event] : []));
      return { terminals: [...new Map(told.map((t) => [t.terminalId, t])).values()].filter((t) => t.state !== "exited") };
    }
    case "clined/config/get":
    case "clined/config/set":
      return { options: stage.options ?? options };
    case "clined/task/new":
      return { taskId: "task-new", seq: 0, turnId: "turn-1", messageId: "m-new" };
    case "clined/task/prompt":
    case "clined/task/steer":
    case "clined/task/editMessage":
    case "clined/task/resume":
      return { turnId: "turn-2", messageId: "m-2" };
    default:
      return {};
  }
}
