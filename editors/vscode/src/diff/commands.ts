// Commands of the diff editor, and the context that its buttons and keys depend on.

import { commands, Uri, window, type Disposable } from "vscode";
import type { ShownApproval } from "../chat/messages";
import type { DecisionDesk } from "../decisions/desk";
import type { Steady } from "../decisions/steady";
import type { Diffs } from "./diffs";
import { proposalOf } from "./tabs";
import type { View } from "./view";

export function registerDiffCommands(diffs: Diffs, desk: DecisionDesk, steady: Steady): Disposable[] {
  return [
    commands.registerCommand("clined.diff.setHunk", (diffId: string, hunk: string, out: boolean) => {
      const request = desk.approvalOf(diffId);
      if (request !== undefined) diffs.choices.set(request.approvalId, [hunk], out);
    }),
    commands.registerCommand("clined.diff.toggleHunk", () => toggleHunk(diffs)),
    ...context(diffs, desk, steady),
  ];
}

/** The approval of the diff that a command means: of its argument, as title bars give it, else of the active tab. */
export function approvalHere(diffs: Diffs, desk: DecisionDesk, where: unknown): ShownApproval | undefined {
  const view = viewHere(diffs, where);
  if (view !== undefined) view.hasKeyboard = true;
  return view && desk.approvalOf(view.id);
}

function viewHere(diffs: Diffs, where?: unknown): View | undefined {
  const uri = where instanceof Uri ? where : proposalOf(window.tabGroups.activeTabGroup.activeTab);
  return uri && diffs.viewOf(uri);
}

/** Keeps or leaves out the hunk at the cursor, or the next one below it. */
function toggleHunk(diffs: Diffs): void {
  const view = viewHere(diffs);
  const found = view && diffs.hunksIn(view);
  const line = view?.editor?.selection.active.line;
  if (found === undefined || line === undefined) return;
  const hunk = found.hunks.find((h) => !h.undone && line < Math.max(h.to, h.from + 1));
  if (hunk === undefined) return;
  const { approvalId } = found.request;
  diffs.choices.set(approvalId, [hunk.id], !diffs.choices.refusedOf(approvalId).has(hunk.id));
}

/** Tells VS Code which diffs can be decided about, and whether one of them is active. */
function context(diffs: Diffs, desk: DecisionDesk, steady: Steady): Disposable[] {
  let told = "";
  const tell = () => {
    const uris = desk.open.flatMap((d) => (d.kind === "approval" ? (d.request.subject.files ?? []) : [])).flatMap((f) => diffs.proposalUri(f.diffId) ?? []);
    const active = proposalOf(window.tabGroups.activeTabGroup.activeTab)?.toString();
    const asks = steady.settled && desk.open.some((d) => d.kind === "approval");
    const now = { "clined.diffs": uris, "clined.diffActive": active !== undefined && uris.includes(active), "clined.asks": asks };
    if (JSON.stringify(now) === told) return;
    told = JSON.stringify(now);
    for (const [key, value] of Object.entries(now)) void commands.executeCommand("setContext", key, value);
  };
  return [desk.onDidChange(tell), steady.onDidChange(tell), diffs.onDidChange(tell), window.tabGroups.onDidChangeTabs(tell), window.tabGroups.onDidChangeTabGroups(tell)];
}
