// What this window knows of tasks: the one that is shown, and of each that was heard of its title, folders and state. It hears
// the daemon's events and answers; it asks nothing.

import { EventEmitter, type Memento } from "vscode";
import type { TaskEventParams, TaskInfo } from "../protocol/generated";

export interface KnownTask {
  title: string;
  roots: readonly string[];
  /** running, requires_action or idle, or interrupted of a task that nobody runs. */
  state: string;
  stopReason?: string;
  /** The error that ended its last turn. */
  error?: string;
  /** Another process runs it, which is none of this window's work: to this window it is idle. */
  elsewhere?: boolean;
}

const key = "clined.task";
const unknown: KnownTask = { title: "", roots: [], state: "idle" };

export class Session {
  private readonly changed = new EventEmitter<void>();
  private readonly tasks = new Map<string, KnownTask>();
  /** Fires when a state or a title changed, or another task is shown. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memento: Pick<Memento, "get" | "update">) {}

  /** The task that is shown, or was last in this workspace. */
  get current(): string | null {
    return this.memento.get<string | null>(key, null) ?? null;
  }

  show(taskId: string | null): void {
    if (taskId === this.current) return;
    void this.memento.update(key, taskId);
    this.changed.fire();
  }

  known(taskId: string): KnownTask | undefined {
    return this.tasks.get(taskId);
  }

  /** Tasks that run or wait for the user, those first that were heard of first. */
  get active(): [string, KnownTask][] {
    return [...this.tasks].filter(([, task]) => task.state === "running" || task.state === "requires_action");
  }

  hear({ taskId, event }: TaskEventParams): void {
    switch (event.type) {
      case "state":
        if (event.state !== "idle" && this.known(taskId)?.elsewhere) break;
        this.set(taskId, { elsewhere: false, state: event.state, stopReason: event.stopReason, error: event.error?.message });
        break;
      case "info":
        this.set(taskId, { title: event.title });
        break;
    }
  }

  /** What an answer of the daemon tells of a task. */
  told(info: TaskInfo): void {
    const { title, roots, stopReason } = info;
    const elsewhere = info.owner !== undefined;
    this.set(info.taskId, { title, roots, stopReason, elsewhere, state: elsewhere ? "idle" : info.state });
  }

  /** Something was said in the task, and taken: the other process is done with it. */
  taken(taskId: string): void {
    if (this.known(taskId)?.elsewhere) this.set(taskId, { elsewhere: false, state: "running" });
  }

  forget(taskId: string): void {
    this.tasks.delete(taskId);
    if (this.current === taskId) void this.memento.update(key, null);
    this.changed.fire();
  }

  /** No process runs any more: what ran there is interrupted. */
  ended(): void {
    for (const [id, task] of this.active) this.tasks.set(id, { ...task, state: "interrupted" });
    this.changed.fire();
  }

  private set(taskId: string, news: Partial<KnownTask>): void {
    const before = this.tasks.get(taskId) ?? unknown;
    const now = { ...before, ...news };
    this.tasks.set(taskId, now);
    if (now.title !== before.title || now.state !== before.state || now.stopReason !== before.stopReason) this.changed.fire();
  }
}
