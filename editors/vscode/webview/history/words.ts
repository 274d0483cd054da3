// Words for a task of the list: the day it belongs to, when it was, and how it stands.

import type { TaskInfo } from "../../src/protocol/generated";
import type { IconName } from "../parts/icons";
import { short } from "../parts/words";

const day = 24 * 60 * 60 * 1000;

const midnight = (d: Date) => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();

/** The group of a moment, seen from `now`. */
export function dayOf(iso: string, now: Date): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return "Some day";
  const days = Math.round((midnight(now) - midnight(then)) / day);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return then.toLocaleDateString("en", { weekday: "long" });
  if (then.getFullYear() === now.getFullYear()) return then.toLocaleDateString("en", { month: "long" });
  return then.toLocaleDateString("en", { month: "long", year: "numeric" });
}

/** When it was, as short as its group allows. */
export function timeOf(iso: string, now: Date): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return "";
  const days = Math.round((midnight(now) - midnight(then)) / day);
  if (days < 7) return then.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  return then.toLocaleDateString("en", { month: "short", day: "numeric" });
}

export interface Standing {
  text: string;
  icon: IconName;
  /** How much it matters: it moves, wants the user, or went wrong. */
  tone: "busy" | "waits" | "bad" | "quiet";
  more?: string;
}

const stops: Record<string, Standing> = {
  plan_presented: { text: "Plan ready", icon: "checklist", tone: "waits" },
  cancelled: { text: "Stopped", icon: "circle-slash", tone: "quiet" },
  needs_user: { text: "Waits for you", icon: "question", tone: "waits" },
  error: { text: "Failed", icon: "error", tone: "bad" },
};

/** How a task stands; undefined for one that simply is done. */
export function standing(task: TaskInfo): Standing | undefined {
  if (task.owner) {
    return { text: "Runs elsewhere", icon: "vm-running", tone: "busy", more: `process ${task.owner.pid}, since ${new Date(task.owner.since).toLocaleString("en")}` };
  }
  switch (task.state) {
    case "running":
      return { text: "Running", icon: "loading", tone: "busy" };
    case "requires_action":
      return { text: "Waits for you", icon: "question", tone: "waits" };
    case "interrupted":
      return { text: "Interrupted", icon: "debug-rerun", tone: "waits" };
  }
  return task.stopReason === "interrupted" ? { text: "Interrupted", icon: "debug-rerun", tone: "waits" } : stops[task.stopReason ?? ""];
}

/** The figures of a task, those that there are. */
export function figures(task: TaskInfo): string[] {
  const tokens = (task.tokensIn ?? 0) + (task.tokensOut ?? 0);
  const cost = task.cost ?? 0;
  return [
    tokens > 0 ? `${short(tokens)} tokens` : "",
    cost > 0 ? (cost < 0.01 ? "under $0.01" : `$${cost.toFixed(2)}`) : "",
  ].filter((s) => s !== "");
}

export function folderName(cwd: string): string {
  return cwd.split(/[\\/]/).filter((p) => p !== "").pop() ?? cwd;
}

export type Row = { kind: "day"; text: string } | { kind: "task"; task: TaskInfo; index: number };

/** The list with a heading before each day's first task. */
export function rowsOf(tasks: readonly TaskInfo[], now: Date): Row[] {
  const rows: Row[] = [];
  let last: string | undefined;
  tasks.forEach((task, index) => {
    const text = dayOf(task.updated, now);
    if (text !== last) rows.push({ kind: "day", text });
    last = text;
    rows.push({ kind: "task", task, index });
  });
  return rows;
}
