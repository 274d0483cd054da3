// What a decision of the user is as an outcome for the daemon, and what there is to choose from. Pure.

import { hunksOf } from "../../src/chat/approval";
import type { ShownApproval } from "../../src/chat/messages";
import type { ApprovalOption, ApprovalOutcome } from "../../src/protocol/generated";

/** Which hunks the user took or left in the card; those not named are as the diff editor has them. */
export type Taken = ReadonlyMap<string, boolean>;

export function isTaken(request: ShownApproval, taken: Taken, id: string): boolean {
  return taken.get(id) ?? !(request.shown?.refusedHunks ?? []).includes(id);
}

export { hunksOf };

export function takenHunks(request: ShownApproval, taken: Taken): string[] {
  return hunksOf(request).map((h) => h.id).filter((id) => isTaken(request, taken, id));
}

export function option(request: ShownApproval, kind: string): ApprovalOption | undefined {
  return request.options.find((o) => o.kind === kind);
}

/** A yes to nothing does not count: with every hunk left out there is only a no. */
export function canAllow(request: ShownApproval, taken: Taken): boolean {
  return hunksOf(request).length === 0 || takenHunks(request, taken).length > 0;
}

export function outcome(request: ShownApproval, chosen: ApprovalOption, words: string, taken: Taken): ApprovalOutcome {
  const made: ApprovalOutcome = { optionId: chosen.optionId, subjectHash: request.subjectHash };
  const text = words.trim();
  if (text && request.allowFeedback) made.feedback = { text };
  if (chosen.kind.startsWith("allow")) {
    const ids = takenHunks(request, taken);
    // What the user chose here is said in full: it goes above what the diff editor has.
    if (ids.length < hunksOf(request).length || taken.size > 0) made.hunks = ids;
  }
  return made;
}

export interface RuleGroup {
  /** The rule in full. */
  pattern: string;
  choices: { option: ApprovalOption; scope: string }[];
}

const scopes: Record<string, string> = { task: "in this task", workspace: "in this workspace", user: "everywhere" };

/** The rules that an "always" would store, with the scopes of each. */
export function ruleGroups(request: ShownApproval): RuleGroup[] {
  const groups: RuleGroup[] = [];
  for (const o of request.options) {
    if (o.kind !== "allow_always") continue;
    const pattern = o.rule?.pattern ?? o.name;
    const scope = o.rule ? (scopes[o.rule.scope] ?? o.rule.scope) : "always";
    const group = groups.find((g) => g.pattern === pattern);
    if (group) group.choices.push({ option: o, scope });
    else groups.push({ pattern, choices: [{ option: o, scope }] });
  }
  return groups;
}
