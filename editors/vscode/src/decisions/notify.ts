// Messages of VS Code for decisions while the chat cannot be seen: one for each decision, ever. VS Code cannot take a message
// away, so one that is answered late does nothing and says so.

import { type Disposable, type Event } from "vscode";
import type { ShownApproval } from "../chat/messages";
import type { Decision } from "../chat/ports";
import { say } from "../chat/tell";
import { localFolders } from "../daemon/folders";
import type { AskParams } from "../protocol/generated";
import { idOf, type DecisionDesk } from "./desk";
import { fitsLine, fitsMessage, oneLine, question } from "./words";

export interface ChatWindow {
  readonly visible: boolean;
  readonly onDidChangeVisible: Event<boolean>;
  /** Whether the user sees the chat with this task. */
  shows(taskId: string): boolean;
  /** Shows the chat with a task. */
  show(page: "chat", taskId: string): Promise<void>;
}

/** In milliseconds: what is pressed this soon after a message came or went was meant for another one. */
const settleMs = 350;

export class Notifier implements Disposable {
  private readonly asked = new Set<string>();
  /** When a message of ours last came, or went. */
  private moved = 0;
  private readonly disposables: Disposable[];

  constructor(
    private readonly desk: DecisionDesk,
    private readonly chat: ChatWindow,
    private readonly failed: (error: unknown) => void,
    private readonly clock: () => number = () => performance.now(),
  ) {
    const look = () => this.look();
    this.disposables = [desk.onDidChange(look), chat.onDidChangeVisible(look)];
  }

  dispose(): void {
    for (const one of this.disposables) one.dispose();
  }

  private look(): void {
    const open = new Set(this.desk.open.map(idOf));
    for (const id of this.asked) if (!open.has(id)) this.asked.delete(id);
    if (this.chat.visible) return;
    for (const decision of this.desk.open) {
      const id = idOf(decision);
      if (this.asked.has(id)) continue;
      this.asked.add(id);
      this.ask(decision).catch(this.failed);
    }
  }

  private ask(decision: Decision): Promise<void> {
    return decision.kind === "approval" ? this.askApproval(decision.request) : this.askQuestion(decision.params);
  }

  /** Shows a message, and again when it was pressed too soon and its decision is open still. */
  private async pressed(id: string, text: string, buttons: string[]): Promise<string | undefined> {
    for (;;) {
      this.moved = this.clock();
      const said = await say("info", text, ...buttons);
      const meant = this.clock() - this.moved >= settleMs;
      this.moved = this.clock();
      if (meant || said === undefined || !this.desk.open.some((decision) => idOf(decision) === id)) return said;
    }
  }

  private async askApproval(request: ShownApproval): Promise<void> {
    const approve = "Approve";
    const reject = "Reject";
    const show = "Show";
    const buttons = isTold(request) ? [approve, reject, show] : [show, reject];
    const said = await this.pressed(request.approvalId, `clined: ${oneLine(request)}`, buttons);
    if (said === show) await this.chat.show("chat", request.taskId);
    if (said === approve) await this.desk.decide(request.approvalId, { optionId: once(request, "allow_once") });
    if (said === reject) await this.desk.decide(request.approvalId, { optionId: once(request, "reject_once") });
  }

  private async askQuestion(ask: AskParams): Promise<void> {
    const show = "Show";
    const options = fitsMessage(ask) ? (ask.options ?? []) : [];
    const said = await this.pressed(ask.askId, `clined asks: ${question(ask)}`, [...options, show]);
    if (said === undefined) return;
    if (options.includes(said)) await this.desk.answer(ask.askId, { action: "accept", option: said });
    else await this.chat.show("chat", ask.taskId);
  }
}

/** Whether its line is enough to say yes to. */
export function isTold(request: ShownApproval): boolean {
  return fitsLine(
    request,
    localFolders().map((folder) => folder.path),
  );
}

/** The option of a kind; there is one of allow_once and one of reject_once. */
export function once(request: ShownApproval, kind: "allow_once" | "reject_once"): string | undefined {
  return request.options.find((option) => option.kind === kind)?.optionId;
}
