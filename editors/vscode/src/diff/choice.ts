// Which hunks of an approval's edits the user leaves out.

import { EventEmitter } from "vscode";
import type { ApprovalRequestParams, SubjectEdit } from "../protocol/generated";

export class Choices {
  private readonly refused = new Map<string, Set<string>>();
  private readonly changed = new EventEmitter<string>();
  /** Fires with the approval's id. */
  readonly onDidChange = this.changed.event;

  refusedOf(approvalId: string): ReadonlySet<string> {
    return this.refused.get(approvalId) ?? none;
  }

  set(approvalId: string, hunks: readonly string[], refused: boolean): void {
    const set = this.refused.get(approvalId) ?? new Set();
    for (const id of hunks) {
      if (refused) set.add(id);
      else set.delete(id);
    }
    this.refused.set(approvalId, set);
    this.changed.fire(approvalId);
  }

  /** Forgets those of approvals that are closed. */
  retain(isOpen: (approvalId: string) => boolean): void {
    for (const id of this.refused.keys()) if (!isOpen(id)) this.refused.delete(id);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

const none: ReadonlySet<string> = new Set();

/** What an approval says of a diff view's file. */
export function fileOf(request: ApprovalRequestParams, diffId: string): SubjectEdit | undefined {
  return request.subject.files?.find((file) => file.diffId === diffId);
}
