// A task as the daemon keeps and tells it, for tests of what views make of that: numbers, deltas that are not kept, one
// record for each thing in the order of first sight, and what a rewind hides. As docs/protocol.md says it.

import type { Event, TaskAttachResult, TaskEventParams, TaskReadResult } from "../../../src/protocol/generated";

interface Kept {
  first: number;
  params: TaskEventParams;
}

export class Record {
  /** All that was told, deltas too. */
  readonly told: TaskEventParams[] = [];
  private readonly kept = new Map<string, Kept>();
  private readonly begun = new Map<string, number>();
  private title = "";
  private state = "idle";
  private stopReason: string | undefined;

  constructor(readonly taskId = "t") {}

  get seq(): number {
    return this.told.at(-1)?.seq ?? 0;
  }

  /** Numbers may be skipped: `by` is the step. */
  tell(event: Event, turnId: string | undefined, by = 1): void {
    const seq = this.seq + by;
    const ts = new Date(Date.UTC(2026, 0, 1) + seq).toISOString();
    const params: TaskEventParams = { taskId: this.taskId, seq, ...(turnId ? { turnId } : {}), ts, event };
    this.told.push(params);
    if (event.type === "messageDelta" && !this.begun.has(event.messageId)) this.begun.set(event.messageId, seq);
    if (event.type === "info") this.title = event.title;
    if (event.type === "state") [this.state, this.stopReason] = [event.state, event.stopReason];
    const key = keyOf(event, turnId, seq);
    if (!key) return;
    const first = event.type === "message" ? this.begun.get(event.messageId) : undefined;
    if (event.type === "rewind") this.hide(event.messageId);
    const old = this.kept.get(key);
    const saidNow = event.type === "message" && event.role === "user" && event.status === "completed";
    const moves = !key.includes(":") || key.startsWith("end:") || saidNow;
    this.kept.set(key, { first: moves ? seq : (old?.first ?? first ?? seq), params });
  }

  private hide(messageId: string): void {
    const from = this.kept.get(`message:${messageId}`)?.first;
    if (from === undefined) return;
    for (const [key, { first }] of this.kept) if (first >= from && key.includes(":")) this.kept.delete(key);
  }

  private get info() {
    return {
      taskId: this.taskId, title: this.title, cwd: "/w", roots: ["/w"], created: "", updated: "", messages: 0,
      state: this.state, ...(this.stopReason ? { stopReason: this.stopReason } : {}),
    };
  }

  // What a task has once, and how it stands, are not counted, and on the newest page alone.
  private page(since: number, before: number, limit: number): Pick<TaskReadResult, "events" | "more" | "before"> {
    const kept = [...this.kept].map(([key, k]) => ({ key, ...k })).sort((a, b) => a.first - b.first);
    const all = kept.filter((k) => k.key.includes(":") && k.params.seq > since && k.first < before);
    const page = all.slice(-limit);
    const more = all.length > limit && { more: true, before: page[0]?.first };
    if (before === Infinity) {
      const stands = kept.filter((k) => k.key === "state" || k.key.startsWith("end:")).reduce<typeof kept>((a, b) => (a[0] && a[0].params.seq > b.params.seq ? a : [b]), []);
      const once = kept.filter((k) => !k.key.includes(":") && k.key !== "state").concat(stands);
      for (const k of once) if (k.params.seq > since && !page.includes(k)) page.push(k);
      page.sort((a, b) => a.first - b.first);
    }
    return { events: page.map((k) => k.params), ...more };
  }

  attach(since = 0, limit = 200): TaskAttachResult {
    const state = [...this.told].reverse().find((p) => p.event.type === "state")?.event;
    const pending = state?.type === "state" && state.state === "requires_action" ? (state.pending ?? []) : [];
    return { task: this.info, ...this.page(since, Infinity, limit), seq: this.seq, pending };
  }

  read(before: number, limit = 200): TaskReadResult {
    return { task: this.info, ...this.page(0, before, limit) };
  }
}

function keyOf(event: Event, turnId: string | undefined, seq: number): string {
  switch (event.type) {
    case "message":
      return `message:${event.messageId}`;
    case "toolCall":
      return `toolCall:${event.toolCallId}`;
    case "state":
      return event.state === "idle" ? `end:${turnId}` : "state";
    case "plan":
    case "usage":
    case "config":
    case "info":
      return event.type;
    case "notice":
    case "rewind":
      return `${event.type}:${seq}`;
    default:
      return "";
  }
}
