// Makes the parts that decide and show edits, and connects them.

import { window, type Disposable } from "vscode";
import type { Daemon } from "../daemon/api";
import { registerDecisionCommands } from "../decisions/commands";
import { DecisionDesk } from "../decisions/desk";
import { Notifier, type ChatWindow } from "../decisions/notify";
import { unlinked } from "../decisions/words";
import { approvalHere, registerDiffCommands } from "./commands";
import { Diffs } from "./diffs";
import { Lenses } from "./lenses";

export interface Review extends Disposable {
  desk: DecisionDesk;
  diffs: Diffs;
  /** Messages appear while this window of the chat is hidden. */
  notifyBeside(chat: ChatWindow): void;
}

/** `failed` tells the user of an error. */
export function startReview(daemon: Daemon, failed: (error: unknown) => void): Review {
  const desk = new DecisionDesk(daemon, (severity, text) => {
    const show = severity === "info" ? window.showInformationMessage : window.showWarningMessage;
    void show(unlinked(`clined: ${text}`));
  });
  const diffs = new Diffs(daemon, desk, failed);
  desk.use(diffs);
  const disposables: Disposable[] = [
    diffs,
    desk,
    new Lenses(diffs, desk),
    ...registerDiffCommands(diffs, desk),
    ...registerDecisionCommands(desk, (where) => approvalHere(diffs, desk, where), failed),
  ];
  return {
    desk,
    diffs,
    notifyBeside: (chat) => void disposables.push(new Notifier(desk, chat, failed)),
    dispose: () => disposables.forEach((one) => one.dispose()),
  };
}
