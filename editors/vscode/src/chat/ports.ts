// What the chat needs of the other parts of the extension. They implement it; extension.ts connects them.

import type { Event } from "vscode";
import type { ApprovalOutcome, AskParams, AskResult } from "../protocol/generated";
import type { SetupAction, ShownApproval } from "./messages";

export type Decision = { kind: "approval"; request: ShownApproval } | { kind: "ask"; params: AskParams };

/** What waits for the user, in every task of this window. */
export interface Decisions {
  /** The oldest first. A decision that changes is another object; one that does not is the same. */
  readonly open: readonly Decision[];
  readonly onDidChange: Event<void>;
  /** Whether the decision counts; why it does not is told to the user. */
  decide(approvalId: string, outcome: ApprovalOutcome): Promise<boolean>;
  /** A hunk of an approval's edits is to be taken or left out, whoever decides and wherever. */
  choose(approvalId: string, hunk: string, taken: boolean): void;
  /** Whether the answer counts; why it does not is told to the user. */
  answer(askId: string, result: AskResult): Promise<boolean>;
  /** Asks anew what is open in a task that is followed from now on. */
  refresh(taskId: string): Promise<void>;
}

export interface Diffs {
  /** Brings the diff editor of an edit to the front; false when none is open. */
  reveal(diffId: string): Promise<boolean>;
}

export interface Setup {
  /** Does what the setup page asks for; what it resolves to is told by the action's kind. */
  perform(action: SetupAction): Promise<unknown>;
}

/** The chat view, for commands that put something into it. */
export interface Chat {
  /**
   * Shows the view with `text` in its composer, behind what is there. With `send` it is said at once: in the task that is shown
   * if that is idle, otherwise in a new one.
   */
  compose(text: string, options?: { send?: boolean }): Promise<void>;
}
