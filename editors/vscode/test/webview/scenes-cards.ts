// Scenes of tool calls, approvals, questions and checklists, made of what a real daemon sent (test/fixtures/calls.json).

import type { ShownApproval } from "../../src/chat/messages";
import type { AskParams, Event, EventToolCall } from "../../src/protocol/generated";
import recorded from "../fixtures/calls.json";
import { staged, type Stage } from "./stage";

export interface Recording {
  events: Event[];
  approvals: ShownApproval[];
  asks: AskParams[];
}

export const recordings = recorded as unknown as Record<keyof typeof recorded, Recording>;

/** A task that has come to its end. */
export function ended(name: keyof typeof recorded): Stage {
  return { taskId: "t1", tasks: [staged("t1", `Please ${name}`, recordings[name].events)] };
}

/** The same task as it stood when the nth approval was asked for. */
export function asking(name: keyof typeof recorded, n = 0): Stage {
  const { events, approvals } = recordings[name];
  const approval = approvals[n];
  if (!approval) throw new Error(`${name} has no approval ${n}`);
  const at = events.findIndex((e) => e.type === "state" && e.pending?.some((p) => p.id === approval.approvalId));
  return { taskId: "t1", tasks: [staged("t1", `Please ${name}`, events.slice(0, at + 1), "requires_action")], approvals: [approval] };
}

/** The task up to the last event that fits, as if it were running. */
export function until(name: keyof typeof recorded, fits: (event: Event) => boolean): Stage {
  const { events } = recordings[name];
  const at = events.findIndex(fits);
  return { taskId: "t1", tasks: [staged("t1", `Please ${name}`, events.slice(0, at + 1), "running")] };
}

export function call(toolCallId: string, more: Partial<EventToolCall>): Event {
  return { type: "toolCall", toolCallId, name: "read_file", kind: "read", status: "completed", ...more };
}

const questions = recordings.ask.asks;
const firstAsk = recordings.ask.events.findIndex((e) => e.type === "state" && e.state === "requires_action");

const evil = "</script><img src=x onerror=alert(1)>\u202egnp.exe\u202c \u001b]0;x\u0007 مرحبا بالعالم " + "verylongword".repeat(30);

export const hostile: Stage = {
  taskId: "t1",
  tasks: [
    staged("t1", evil, [
      call("h1", { title: `Read ${evil}`, args: JSON.stringify({ path: evil }), locations: [`/home/me/shop/${evil}`], output: evil }),
      call("h2", { name: evil, kind: "whatever", title: undefined, status: "failed", args: "{broken", output: evil }),
      call("h3", { name: "execute_command", kind: "command", title: `Run \`${evil}\``, args: JSON.stringify({ command: evil }), output: `The command failed with exit code 2 (1s).\nOutput:\n${evil}`, status: "failed" }),
      call("h4", { name: "replace_in_file", kind: "edit", title: `Edit ${evil}`, args: JSON.stringify({ path: evil }), locations: ["/home/me/shop/x"], diff: `--- a/${evil}\n+++ b/${evil}\n@@ -1,2 +1,2 @@\n-${evil}\n+${evil}<b>bold</b>\n same\n` }),
      call("h5", { name: "search_files", title: "Search", args: JSON.stringify({ regex: evil, path: evil }), output: `Found 1 match in 1 file.\n\n${evil}\n1:${evil}` }),
      call("h6", { name: "x", kind: "mcp", server: evil, tool: evil, args: JSON.stringify({ [evil]: evil }), output: JSON.stringify({ html: evil }) }),
      call("h7", { name: "", kind: undefined, args: undefined, output: undefined, status: "strange" }),
      { type: "nonsense", toolCallId: "h1" } as unknown as Event,
      { type: "plan", entries: [{ text: evil, done: false }, { text: "b", done: true }] },
    ], "requires_action"),
  ],
  approvals: [
    {
      approvalId: "a-evil", taskId: "t1", turnId: "u", toolCallId: "h3", title: evil, description: evil, subjectHash: "x", allowFeedback: true, allowEditedContent: false,
      subject: { type: "command", command: evil, cwd: evil, parts: [{ command: evil, verdict: "ask", reason: evil, rule: evil }] },
      options: [{ optionId: "allow_once", kind: "allow_once", name: evil }, { optionId: "w", kind: "allow_always", name: evil, rule: { scope: evil, pattern: evil } }, { optionId: "reject_once", kind: "reject_once", name: "Reject" }],
    },
  ],
  asks: [{ askId: "q-evil", taskId: "t1", turnId: "u", text: evil, options: [evil, evil] }],
};

export const cardScenes: Record<string, Stage> = {
  "cards-reads": ended("reads"),
  "cards-edits": ended("edits"),
  "cards-patch": ended("patch"),
  "cards-commands": ended("commands"),
  "cards-background": until("background", (e) => e.type === "terminalDelta"),
  "cards-live": until("commands", (e) => e.type === "toolCallDelta" && e.output === "progress 10%"),
  "cards-interactive": until("interactive", (e) => e.type === "terminal" && e.asks !== undefined),
  "cards-stdin": until("stdin", (e) => e.type === "terminal" && e.asks !== undefined),
  "cards-mcp": ended("mcp"),
  "cards-ask": ended("ask"),
  "cards-checklist": ended("checklist"),
  "cards-wrong": ended("wrong"),
  "cards-denied": ended("denied"),
  "approve-edit": asking("edits"),
  "approve-create": asking("edits", 1),
  "approve-patch": asking("patch"),
  "approve-command": asking("denied"),
  "approve-long": asking("commands"),
  "approve-read": asking("reads"),
  "approve-mcp": asking("mcp"),
  "approve-three": { ...asking("mcp"), approvals: [...recordings.mcp.approvals] },
  "ask-options": { taskId: "t1", tasks: [staged("t1", "Please ask", recordings.ask.events.slice(0, firstAsk + 1), "requires_action")], asks: questions.slice(0, 1) },
  "ask-free": { taskId: "t1", tasks: [staged("t1", "Please ask", recordings.ask.events.slice(0, firstAsk + 1), "requires_action")], asks: questions.slice(1, 2) },
  plan: ended("plan"),
  "cards-group": {
    taskId: "t1",
    tasks: [staged("t1", "Group", [
      ...["a", "b", "c", "d"].map((n) => call(n, { title: `Read ${n}.ts`, args: `{"path":"${n}.ts"}`, locations: [`/home/me/shop/${n}.ts`], output: `${n}.ts, 1 line\n1 | x` })),
      call("s", { name: "search_files", args: `{"path":"src","regex":"price"}`, output: "No matches in src (4 files searched)." }),
      { type: "message", messageId: "m", role: "assistant", status: "completed", content: [{ type: "text", text: "All four are alike." }] },
      call("e", { title: "Read e.ts", args: `{"path":"e.ts"}`, locations: ["/home/me/shop/e.ts"], output: "e.ts, 9 lines" }),
      { type: "plan", entries: [{ text: "Read the files", done: true }, { text: "Change the price", done: false }, { text: "Run the tests", done: false }], byUser: true },
    ])],
  },
  hostile,
};
