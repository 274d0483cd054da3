// What waits for the user: open approvals and questions of every task of this window, from the daemon's request until they are
// decided, by whomever. Nothing here decides: silence, a closed window and an error are never an answer.

import { EventEmitter, type CancellationToken, type Disposable, type Event } from "vscode";
import type { ShownApproval } from "../chat/messages";
import type { Decision, Decisions } from "../chat/ports";
import type { Daemon } from "../daemon/api";
import type { ApprovalOutcome, ApprovalRequestParams, AskResult } from "../protocol/generated";

/** What the diff views have of an approval's edits. */
export interface Proposals {
  shown(request: ShownApproval): ShownApproval["shown"];
  /** Tells the daemon all that the user made of the proposals so far. */
  flush(request: ApprovalRequestParams): void;
  /** The ids of the hunks that are kept; undefined for all of them. */
  kept(request: ApprovalRequestParams): string[] | undefined;
  choose(request: ApprovalRequestParams, hunk: string, taken: boolean): void;
  /** Fires when `shown` may be another. */
  readonly onDidChange: Event<void>;
}

/** Tells the user why something they did has not decided anything. */
export type Tell = (severity: "info" | "warning", text: string) => void;

interface Entry {
  decision: Decision;
  /** The daemon's request is withdrawn or of no use any more. */
  end(): void;
  answering: boolean;
}

/** Methods that answer what the daemon's requests left open. */
type Respond = "clined/approval/respond" | "clined/ask/respond";

export class DecisionDesk implements Decisions, Disposable {
  private readonly entries = new Map<string, Entry>();
  private readonly changed = new EventEmitter<void>();
  private readonly disposables: Disposable[];
  private proposals: Proposals | undefined;
  private list: readonly Decision[] = [];
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly daemon: Daemon,
    private readonly tell: Tell,
  ) {
    this.disposables = [
      this.changed,
      daemon.handle("clined/approval/request", (request, token) => this.wait({ kind: "approval", request }, token)),
      daemon.handle("clined/ask", (params, token) => this.wait({ kind: "ask", params }, token)),
      daemon.on("clined/approval/resolved", ({ approvalId }) => this.close(approvalId)),
      daemon.onDidChangeState((state) => {
        if (state.kind !== "running" && state.kind !== "starting") this.clear();
      }),
    ];
  }

  get open(): readonly Decision[] {
    return this.list;
  }

  /** The diff views' part in approvals; they come after the desk. */
  use(proposals: Proposals): void {
    this.proposals = proposals;
    this.disposables.push(proposals.onDidChange(() => this.look()));
  }

  approval(approvalId: string): ShownApproval | undefined {
    const decision = this.entries.get(approvalId)?.decision;
    return decision?.kind === "approval" ? decision.request : undefined;
  }

  /** The approval whose edit is shown by a diff view. */
  approvalOf(diffId: string): ShownApproval | undefined {
    for (const { decision } of this.entries.values()) {
      if (decision.kind === "approval" && decision.request.subject.files?.some((file) => file.diffId === diffId)) return decision.request;
    }
    return undefined;
  }

  /** Asks what is open beside what was requested, after a task was attached. */
  async refresh(taskId: string): Promise<void> {
    // What is asked while the list is on its way need not be in it.
    const known = [...this.entries.keys()];
    const found = await this.daemon.request("clined/approval/list", { taskId }).catch(() => undefined);
    if (found === undefined) return;
    const { approvals, asks } = found;
    const all = [...approvals.map((request): Decision => ({ kind: "approval", request })), ...asks.map((params): Decision => ({ kind: "ask", params }))];
    const whole = all.filter(isWhole);
    for (const decision of whole) this.add(decision, () => {});
    const there = new Set(whole.map(idOf));
    for (const id of known) {
      const entry = this.entries.get(id);
      if (entry !== undefined && taskOf(entry.decision) === taskId && !there.has(id)) this.close(id);
    }
  }

  async decide(approvalId: string, outcome: ApprovalOutcome): Promise<boolean> {
    const request = this.approval(approvalId);
    if (request === undefined) return this.late();
    const chosen = request.options.find((option) => option.optionId === outcome.optionId);
    if (chosen === undefined) return false;
    this.proposals?.flush(request);
    const whole: ApprovalOutcome = { subjectHash: request.subjectHash, ...outcome };
    if (chosen.kind !== "reject_once" && whole.hunks === undefined) {
      const hunks = this.proposals?.kept(request);
      if (hunks?.length === 0) {
        this.tell("warning", "every change is left out: keep one of them, or reject the edit");
        return false;
      }
      if (hunks !== undefined) whole.hunks = hunks;
    }
    return this.respond(approvalId, "clined/approval/respond", { approvalId, outcome: whole });
  }

  choose(approvalId: string, hunk: string, taken: boolean): void {
    const request = this.approval(approvalId);
    if (request !== undefined) this.proposals?.choose(request, hunk, taken);
  }

  async answer(askId: string, result: AskResult): Promise<boolean> {
    if (this.entries.get(askId)?.decision.kind !== "ask") return this.late();
    return this.respond(askId, "clined/ask/respond", { askId, result });
  }

  dispose(): void {
    this.clear();
    for (const one of this.disposables) one.dispose();
  }

  /** Answers beside the request, which is then withdrawn: so it is told whether the answer counts, and why not. */
  private async respond(id: string, method: Respond, params: { approvalId: string; outcome: ApprovalOutcome } | { askId: string; result: AskResult }): Promise<boolean> {
    const entry = this.entries.get(id);
    if (entry === undefined || entry.answering) return false;
    entry.answering = true;
    try {
      const { status } = await this.daemon.request(method, params as never);
      this.close(id);
      return status === "alreadyResolved" ? this.late() : true;
    } catch (error) {
      if ((error as { code?: number }).code === 1004) {
        this.close(id);
        return this.late();
      }
      throw error;
    } finally {
      entry.answering = false;
    }
  }

  private late(): false {
    this.tell("info", "that was decided already");
    return false;
  }

  private wait(decision: Decision, token: CancellationToken): Promise<null> {
    if (!isWhole(decision)) return Promise.reject(new Error("what is asked lacks something and cannot be shown"));
    return new Promise((resolve) => {
      const id = idOf(decision);
      const listening = token.onCancellationRequested(() => this.close(id));
      const end = () => {
        listening.dispose();
        resolve(null);
      };
      if (token.isCancellationRequested) return end();
      // What was known from a list is asked for now: the request ends it.
      const known = this.entries.get(id);
      if (known !== undefined) known.end = end;
      else this.add(decision, end);
    });
  }

  private add(decision: Decision, end: () => void): void {
    const id = idOf(decision);
    if (this.entries.has(id)) return;
    this.entries.set(id, { decision: this.withShown(decision), end, answering: false });
    this.tellChange();
  }

  private close(id: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    this.entries.delete(id);
    entry.end();
    this.tellChange();
  }

  /** Nothing that a process asked outlives it. */
  private clear(): void {
    if (this.entries.size === 0) return;
    for (const entry of this.entries.values()) entry.end();
    this.entries.clear();
    this.tellChange();
  }

  /** Takes over what the diff views have now. */
  private look(): void {
    let other = false;
    for (const entry of this.entries.values()) {
      const now = this.withShown(entry.decision);
      if (now === entry.decision) continue;
      entry.decision = now;
      other = true;
    }
    if (other) this.tellChange();
  }

  private withShown(decision: Decision): Decision {
    if (decision.kind !== "approval") return decision;
    const shown = this.proposals?.shown(decision.request);
    if (JSON.stringify(shown) === JSON.stringify(decision.request.shown)) return decision;
    return { kind: "approval", request: { ...decision.request, shown } };
  }

  private tellChange(): void {
    this.list = [...this.entries.values()].map((entry) => entry.decision);
    this.changed.fire();
  }
}

/** Whether it has what is needed to show it and to decide about it. */
function isWhole(decision: Decision): boolean {
  if (decision.kind === "ask") return typeof decision.params?.askId === "string" && typeof decision.params.text === "string";
  const { approvalId, taskId, title, subject, options } = decision.request ?? {};
  const texts = [approvalId, taskId, title, subject?.type].every((text) => typeof text === "string");
  return texts && Array.isArray(options) && options.every((o) => typeof o?.optionId === "string" && typeof o.kind === "string");
}

export function idOf(decision: Decision): string {
  return decision.kind === "approval" ? decision.request.approvalId : decision.params.askId;
}

function taskOf(decision: Decision): string {
  return decision.kind === "approval" ? decision.request.taskId : decision.params.taskId;
}

