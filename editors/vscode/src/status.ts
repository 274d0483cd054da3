// The item in the status bar: what clined does in this window, and a click to see it.

import { StatusBarAlignment, ThemeColor, window, type Disposable } from "vscode";
import type { Configured } from "./chat/configured";
import type { Decisions } from "./chat/ports";
import type { Session } from "./chat/session";
import type { Daemon, DaemonState } from "./daemon/api";
import { sentence } from "./daemon/sentence";

export interface Look {
  text: string;
  tooltip: string;
  /** Drawn so that it is seen. */
  alert?: "warning" | "error";
}

export interface Shown {
  daemon: DaemonState;
  /** False when no model is set up; undefined while that is not known. */
  configured: boolean | undefined;
  /** How many decisions wait, and the title of the first of their tasks. */
  open: { count: number; title: string };
  /** Titles of the tasks that run. */
  running: string[];
  /** The task that is shown, if it ended badly. */
  broken?: { title: string; error: string };
}

export function look(s: Shown): Look {
  if (s.daemon.kind === "failed") {
    const tooltip = `${sentence(s.daemon.problem)}\n${sentence(s.daemon.hint)}`;
    return { text: "$(error) clined", tooltip, alert: "error" };
  }
  if (s.open.count > 0) {
    const what = s.open.count === 1 ? "clined needs you" : `clined needs you for ${s.open.count} decisions`;
    return { text: "$(bell-dot) clined", tooltip: `${what}: ${s.open.title}`, alert: "warning" };
  }
  const [first, ...more] = s.running;
  if (first !== undefined) {
    const tooltip = more.length === 0 ? `clined works: ${first}` : `clined works on ${more.length + 1} tasks:\n${s.running.join("\n")}`;
    return { text: "$(loading~spin) clined", tooltip };
  }
  if (s.daemon.kind === "starting") return { text: "$(loading~spin) clined", tooltip: "clined starts" };
  if (s.configured === false) return { text: "$(circle-slash) clined", tooltip: "clined has no model yet: click to set one up" };
  if (s.broken) return { text: "$(warning) clined", tooltip: `${s.broken.title}\n${sentence(s.broken.error)}` };
  return { text: "$(hubot) clined", tooltip: "clined is idle: click to say what to do" };
}

export interface Parts {
  daemon: Daemon;
  session: Session;
  configured: Configured;
  decisions: Decisions;
}

export class StatusBar implements Disposable {
  private readonly item = window.createStatusBarItem("clined.status", StatusBarAlignment.Right, 100);
  private readonly disposables: Disposable[];

  constructor(private readonly parts: Parts) {
    const { daemon, session, configured, decisions } = parts;
    this.item.name = "clined";
    this.item.command = "clined.focus";
    const draw = () => this.draw();
    this.disposables = [
      this.item,
      daemon.onDidChangeState(draw),
      session.onDidChange(draw),
      configured.onDidChange(draw),
      decisions.onDidChange(draw),
    ];
    this.draw();
    this.item.show();
  }

  dispose(): void {
    for (const one of this.disposables) one.dispose();
  }

  private draw(): void {
    const { text, tooltip, alert } = look(this.shown());
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = alert && new ThemeColor(`statusBarItem.${alert}Background`);
    this.item.accessibilityInformation = { label: tooltip, role: "button" };
  }

  private shown(): Shown {
    const { daemon, session, configured, decisions } = this.parts;
    const title = (taskId: string) => session.known(taskId)?.title || "a task";
    const [first] = decisions.open;
    const asking = first && (first.kind === "approval" ? first.request.taskId : first.params.taskId);
    const current = session.current === null ? undefined : session.known(session.current);
    const broken = current?.state === "idle" && current.stopReason === "error";
    return {
      daemon: daemon.state,
      configured: configured.value,
      open: { count: decisions.open.length, title: asking === undefined ? "" : title(asking) },
      running: session.active.map(([id]) => title(id)),
      ...(broken ? { broken: { title: current.title, error: current.error ?? "" } } : {}),
    };
  }
}
