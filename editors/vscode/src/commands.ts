// The commands of the chat and of the daemon. What they do is done elsewhere.

import { commands, window, type Disposable, type LogOutputChannel } from "vscode";
import { exportTask } from "./chat/actions";
import type { Session } from "./chat/session";
import { say, tell } from "./chat/tell";
import type { ChatView } from "./chat/view";
import type { Daemon } from "./daemon/api";

export interface Parts {
  chat: ChatView;
  daemon: Daemon;
  session: Session;
  log: LogOutputChannel;
  /** Called right before something is said in a task. */
  saying(): void;
}

export function registerCommands(parts: Parts): Disposable[] {
  const { chat, daemon, session, log } = parts;
  const all: Record<string, () => unknown> = {
    "clined.focus": () => chat.focus(),
    "clined.newTask": () => chat.show("chat", null),
    "clined.history": () => chat.show("history"),
    "clined.setUp": () => chat.show("setup"),
    "clined.stop": () => stop(parts),
    "clined.resume": () => resume(parts),
    "clined.exportTask": () => shown(session, (taskId) => exportTask(daemon, taskId, "markdown")),
    "clined.restart": () => restart(parts),
    "clined.showLog": () => log.show(),
    "clined.openSettings": () => commands.executeCommand("workbench.action.openSettings", "@ext:clined.clined"),
  };
  tellContext(session);
  return [
    ...Object.entries(all).map(([name, run]) => commands.registerCommand(name, () => Promise.resolve(run()).catch(tell))),
    session.onDidChange(() => tellContext(session)),
  ];
}

/** The task that is shown. Where none is, the user is told. */
async function shown(session: Session, work: (taskId: string) => Promise<unknown>): Promise<void> {
  if (session.current === null) void say("info", "clined: no task is open.");
  else await work(session.current);
}

async function stop({ daemon, session }: Parts): Promise<void> {
  const taskId = session.active.find(([id]) => id === session.current)?.[0] ?? session.active.at(-1)?.[0];
  if (taskId === undefined) void say("info", "clined: no task runs.");
  else await daemon.request("clined/task/cancel", { taskId });
}

async function resume({ chat, daemon, session, saying }: Parts): Promise<void> {
  await shown(session, async (taskId) => {
    await chat.show("chat", taskId);
    saying();
    await daemon.request("clined/task/resume", { taskId });
  });
}

/** Asks before it ends what runs. */
async function restart({ daemon, session }: Parts): Promise<void> {
  if (session.active.length > 0) {
    const restart = "Restart";
    const detail = "It can be resumed afterwards.";
    const said = await window.showWarningMessage("clined is at work. Restart it all the same?", { modal: true, detail }, restart);
    if (said !== restart) return;
  }
  await daemon.restart();
}

/** What commands in menus and the palette depend on. */
function tellContext(session: Session): void {
  const { current, active } = session;
  const set = (key: string, value: boolean) => void commands.executeCommand("setContext", key, value);
  set("clined.working", active.length > 0);
  set("clined.hasTask", current !== null);
  set("clined.resumable", current !== null && resumable.has(stateOf(session, current)));
}

const resumable = new Set(["interrupted", "cancelled", "error"]);

function stateOf(session: Session, taskId: string): string {
  const task = session.known(taskId);
  return task?.state === "idle" ? (task.stopReason ?? "") : (task?.state ?? "");
}
