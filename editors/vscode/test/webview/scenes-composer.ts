// Scenes of the composer, the history and the setup page.

import type { Event, FoundServer, TaskInfo } from "../../src/protocol/generated";
import { options, staged, type Stage } from "./stage";

const user = (messageId: string, text: string, more: object = {}): Event => ({
  type: "message", messageId, role: "user", content: [{ type: "text", text }], status: "completed", ...more,
});

export const running: Event[] = [
  user("m1", "Make the parser take comments."),
  { type: "state", state: "running" },
  { type: "message", messageId: "m2", role: "assistant", content: [{ type: "text", text: "I'll look at the parser first." }], status: "completed" },
];

const queue: Stage = {
  taskId: "t1",
  tasks: [staged("t1", "Make the parser take comments", [
    ...running,
    user("q1", "And then update the README, with an example of each kind of comment", { status: "pending" }),
    user("q2", "Run the linter, too", { status: "pending" }),
  ], "running")],
};

const bold: Stage = {
  ...queue,
  options: options.map((o) => (o.id === "auto_approve.edit" || o.id === "auto_approve.command" ? { ...o, value: "true" } : o.id === "model" ? { ...o, value: "anthropic/claude-sonnet-4.5-with-a-very-long-name" } : o)),
};

const now = Date.now();
const hour = 3_600_000;

export const past = (n: number, title: string, hoursAgo: number, more: Partial<TaskInfo> = {}): TaskInfo => ({
  taskId: `h${n}`,
  title,
  cwd: "/home/me/shop",
  roots: ["/home/me/shop"],
  created: new Date(now - hoursAgo * hour - 60_000).toISOString(),
  updated: new Date(now - hoursAgo * hour).toISOString(),
  state: "idle",
  stopReason: "completed",
  messages: 12,
  tokensIn: 82_000,
  tokensOut: 4_100,
  cost: 0.1432,
  ...more,
});

const tasks: TaskInfo[] = [
  past(1, "Fix the cart total with vouchers", 0.1, { state: "running", stopReason: undefined }),
  past(2, "Move the price rules into their own module", 0.6, { state: "requires_action", stopReason: undefined, favorite: true }),
  past(3, "Why does the build fail on Windows?", 1.5, { state: "interrupted", stopReason: "interrupted" }),
  past(4, "Upgrade the HTTP client and everything that depends on its retries, timeouts and tracing", 25, { state: "running", stopReason: undefined, owner: { pid: 4711, since: new Date(now - hour).toISOString() }, cost: 0.004 }),
  past(5, "Plan the migration to SQLite", 27, { stopReason: "plan_presented", cost: undefined }),
  past(6, "<img src=x onerror=alert(1)> & <b>bold</b>", 30, { stopReason: "error" }),
  past(7, "Add dark mode", 24 * 4, { stopReason: "cancelled", tokensIn: 0, tokensOut: 0, cost: undefined }),
  past(8, "Explain the scheduler", 24 * 12, { damage: "2 of 40 messages could not be read" }),
  past(9, "Write tests for the tokenizer", 24 * 40),
  past(10, "Draw the architecture", 24 * 400),
];

const list = (all: TaskInfo[]) => ({ "clined/task/list": (p: Record<string, unknown>) => {
  const limit = Number(p.limit ?? 50);
  const from = Number(p.cursor ?? 0);
  const words = String(p.query ?? "").toLowerCase();
  const found = all.filter((t) => t.title.toLowerCase().includes(words) && (!p.favorite || t.favorite));
  return { tasks: found.slice(from, from + limit), ...(from + limit < found.length && { nextCursor: String(from + limit) }) };
} });

export const history: Stage = { page: "history", tasks: [], answers: list(tasks) };
export const longHistory: Stage = { page: "history", answers: list(Array.from({ length: 1000 }, (_, i) => past(i, `Task number ${i}`, i * 5))) };
const historyEmpty: Stage = { page: "history", answers: list([]) };
const historyBroken: Stage = { page: "history", answers: { "clined/task/list": () => { throw new Error("the store cannot be read: disk I/O error"); } } };

export const servers: FoundServer[] = [
  { name: "Ollama", provider: "ollama", baseUrl: "http://127.0.0.1:11434", models: ["devstral:24b", "gpt-oss:20b", "qwen3-coder:30b"] },
  { name: "LM Studio", provider: "openai", baseUrl: "http://127.0.0.1:1234/v1", models: [] },
];
export const unconfigured = { configured: false, provider: "openai", baseUrl: "https://api.openai.com/v1", problem: "no model is set", hint: "set \"model\"", keys: [] };
export const configured = { configured: true, provider: "openai", model: "gpt-5", baseUrl: "https://api.openai.com/v1", keys: [{ provider: "openai", baseUrl: "https://api.openai.com/v1" }] };

export const demoPrompts = ["What is the weather in New York tomorrow?", "Create a file that says hello.", "Run a command in the terminal."];

export const welcome: Stage = { setup: { status: unconfigured, discover: { servers }, models: { models: [] }, save: { saved: true, status: configured }, demo: { ...configured, demo: true, examples: demoPrompts } } };

export const setupConnected: Stage = {
  page: "setup",
  setup: { status: configured, discover: { servers: [] }, models: { models: [], problem: "the provider refused the API key", hint: "check it, or make a new one at the provider" } },
};

const draft: Stage = { tasks: [] };

export const composerScenes: Record<string, Stage> = { queue, bold, draft, history, historyEmpty, historyBroken, welcome, setupConnected };
