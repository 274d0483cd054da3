// Deciding by commands: from the palette, and from the title bar of a diff editor.

import { commands, window, type Disposable, type QuickPickItem } from "vscode";
import type { ShownApproval } from "../chat/messages";
import type { DecisionDesk } from "./desk";
import { once } from "./notify";
import { always, oneLine, uniconed } from "./words";

export function registerDecisionCommands(desk: DecisionDesk, diffOf: (where: unknown) => ShownApproval | undefined, failed: (error: unknown) => void): Disposable[] {
  const pick = (where: unknown) => pickApproval(desk, diffOf(where));
  const decide = async (where: unknown, kind: "allow_once" | "reject_once", words: boolean) => {
    const request = await pick(where);
    if (request === undefined) return;
    const optionId = once(request, kind);
    if (!words) return desk.decide(request.approvalId, { optionId });
    const text = await askWords(request, kind);
    if (text === undefined) return;
    await desk.decide(request.approvalId, { optionId, ...(text === "" ? {} : { feedback: { text } }) });
  };
  const all: Record<string, (where: unknown) => Promise<unknown>> = {
    "clined.approve": (where) => decide(where, "allow_once", false),
    "clined.reject": (where) => decide(where, "reject_once", false),
    "clined.approveWithFeedback": (where) => decide(where, "allow_once", true),
    "clined.rejectWithFeedback": (where) => decide(where, "reject_once", true),
    "clined.approveAlways": async (where) => {
      const request = await pick(where);
      if (request !== undefined) await approveAlways(desk, request);
    },
  };
  return Object.entries(all).map(([name, run]) => commands.registerCommand(name, (where: unknown) => run(where).catch(failed)));
}

interface Item<T> extends QuickPickItem {
  value: T;
}

async function pickApproval(desk: DecisionDesk, meant: ShownApproval | undefined): Promise<ShownApproval | undefined> {
  if (meant !== undefined) return meant;
  const open = desk.open.flatMap((d) => (d.kind === "approval" ? [d.request] : []));
  if (open.length === 0) void window.showInformationMessage("clined: nothing waits for your approval.");
  if (open.length <= 1) return open[0];
  const items = open.map((value): Item<ShownApproval> => ({ label: uniconed(oneLine(value)), detail: uniconed(value.description ?? ""), value }));
  return (await window.showQuickPick(items, { title: "clined: Which One?", placeHolder: "What do you decide about?" }))?.value;
}

async function askWords(request: ShownApproval, kind: "allow_once" | "reject_once"): Promise<string | undefined> {
  const yes = kind === "allow_once";
  return window.showInputBox({
    title: `${yes ? "Approve" : "Reject"}: ${oneLine(request)}`,
    prompt: yes ? "What the model is told along with the yes" : "What the model should do instead",
    placeHolder: yes ? "for example: and mind the tabs" : "for example: keep the old name",
    ignoreFocusOut: true,
  });
}

/** The rule stands there in full before it is chosen. */
async function approveAlways(desk: DecisionDesk, request: ShownApproval): Promise<void> {
  const options = always(request);
  if (options.length === 0) {
    void window.showInformationMessage("clined: this can only be allowed once.");
    return;
  }
  const items = options.map(
    (option): Item<string> => ({
      label: uniconed(option.name),
      detail: option.rule === undefined ? undefined : uniconed(`stores the rule: ${option.rule.pattern} (${reach(option.rule.scope)})`),
      value: option.optionId,
    }),
  );
  const title = `Approve: ${oneLine(request)}`;
  const chosen = await window.showQuickPick(items, { title, placeHolder: "Which rule do you want to store?", matchOnDetail: true });
  if (chosen !== undefined) await desk.decide(request.approvalId, { optionId: chosen.value });
}

function reach(scope: string): string {
  return scope === "task" ? "in this task" : scope === "workspace" ? "in this workspace" : "everywhere";
}
