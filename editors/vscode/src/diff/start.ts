// Makes the parts that decide and show edits, and connects them.

import type { Disposable } from "vscode";
import { say } from "../chat/tell";
import type { Daemon } from "../daemon/api";
import { registerDecisionCommands } from "../decisions/commands";
import { DecisionDesk } from "../decisions/desk";
import { Notifier, type ChatWindow } from "../decisions/notify";
import { Steady } from "../decisions/steady";
import { approvalHere, registerDiffCommands } from "./commands";
import { Diffs } from "./diffs";
import { Lenses } from "./lenses";

export interface Review extends Disposable {
  desk: DecisionDesk;
  diffs: Diffs;
  /** Messages ask while this chat is hidden; commands decide about what they, it or a diff show. */
  beside(chat: ChatWindow): void;
}

/** `failed` tells the user of an error; `settled` is called when the screen is as an edit leaves it. */
export function startReview(daemon: Daemon, failed: (error: unknown) => void, settled: () => void): Review {
  const desk = new DecisionDesk(daemon, (severity, text) => void say(severity, `clined: ${text}`));
  const diffs = new Diffs(daemon, desk, failed, settled);
  desk.use(diffs);
  const steady = new Steady(desk);
  const disposables: Disposable[] = [
    diffs,
    desk,
    steady,
    new Lenses(diffs, desk),
    ...registerDiffCommands(diffs, desk, steady),
  ];
  return {
    desk,
    diffs,
    beside: (chat) => {
      const here = (where: unknown) => approvalHere(diffs, desk, where);
      disposables.push(new Notifier(desk, chat, failed), ...registerDecisionCommands(desk, chat, here, failed, steady));
    },
    dispose: () => disposables.forEach((one) => one.dispose()),
  };
}
