// Deciding by commands: from the palette, and from the title bar of a diff editor.

import { commands, window, type Disposable, type QuickPickItem } from "vscode";
import type { ShownApproval } from "../chat/messages";
import { say } from "../chat/tell";
import type { ApprovalOption } from "../protocol/generated";
import type { DecisionDesk } from "./desk";
import { isTold, once, type ChatWindow } from "./notify";
import type { Steady } from "./steady";
import { always, oneLine, uniconed } from "./words";

export function registerDecisionCommands(
  desk: DecisionDesk,
  chat: ChatWindow,
  diffOf: (where: unknown) => ShownApproval | undefined,
  failed: (error: unknown) => void,
  steady: Pick<Steady, "press">,
): Disposable[] {
  /** What is to be approved has to be before the user's eyes: in a diff, in the chat, or in the list, where it fits there. */
  const pick = async (where: unknown, allows: boolean) => {
    const meant = diffOf(where);
    if (meant !== undefined) return meant;
    const seen = (request: ShownApproval) => !allows || chat.shows(request.taskId);
    const found = await pickApproval(desk, seen);
    if (found === undefined || seen(found) || fitsList(found)) return found;
    await chat.show("chat", found.taskId);
    return undefined;
  };
  const decide = async (where: unknown, kind: "allow_once" | "reject_once", words: boolean) => {
    const request = await pick(where, kind === "allow_once");
    if (request === undefined) return;
    const optionId = once(request, kind);
    const text = words ? await askWords(request, kind) : "";
    if (text === undefined) return;
    await desk.decide(request.approvalId, { optionId, ...(text === "" ? {} : { feedback: { text } }) });
  };
  const all: Record<string, (where: unknown) => Promise<unknown>> = {
    "clined.approve": (where) => decide(where, "allow_once", false),
    "clined.reject": (where) => decide(where, "reject_once", false),
    "clined.approveWithFeedback": (where) => decide(where, "allow_once", true),
    "clined.rejectWithFeedback": (where) => decide(where, "reject_once", true),
    "clined.approveAlways": async (where) => {
      const request = await pick(where, true);
      if (request !== undefined) await approveAlways(desk, request);
    },
  };
  const press = async (run: (where: unknown) => Promise<unknown>, where: unknown) => {
    if (steady.press()) await run(where);
    else void say("info", "clined: that came only just now. Look at it, then decide.");
  };
  return Object.entries(all).map(([name, run]) => commands.registerCommand(name, (where: unknown) => press(run, where).catch(failed)));
}

interface Item<T> extends QuickPickItem {
  value: T;
}

/** A list has about this many characters in a line. */
const wide = 80;

/** Where there is but one, and the user sees it, or would not see it all in a list, there is none. */
async function pickApproval(desk: DecisionDesk, seen: (request: ShownApproval) => boolean): Promise<ShownApproval | undefined> {
  const open = desk.open.flatMap((d) => (d.kind === "approval" ? [d.request] : []));
  const [first, ...more] = open;
  if (first === undefined) void say("info", "clined: nothing waits for your approval.");
  if (first === undefined || (more.length === 0 && (seen(first) || !fitsList(first)))) return first;
  const items = open.map((value): Item<ShownApproval> => ({ label: uniconed(oneLine(value)), detail: uniconed(value.description ?? ""), value }));
  return (await window.showQuickPick(items, { title: "clined: Which One?", placeHolder: "What do you decide about?" }))?.value;
}

function fitsList(request: ShownApproval): boolean {
  return isTold(request) && [...oneLine(request)].length <= wide;
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
    void say("info", "clined: this can only be allowed once.");
    return;
  }
  const items = options.map(
    (option): Item<string> => ({
      label: uniconed(option.name),
      detail: ruleOf(option),
      value: option.optionId,
    }),
  );
  const title = `Approve: ${oneLine(request)}`;
  const chosen = await window.showQuickPick(items, { title, placeHolder: "Which rule do you want to store?", matchOnDetail: true });
  if (chosen !== undefined) await desk.decide(request.approvalId, { optionId: chosen.value });
}

/** The rule that an option stores, where its name does not say it. */
function ruleOf({ name, rule }: ApprovalOption): string | undefined {
  if (rule === undefined || name.includes(`${rule.pattern} (${reach(rule.scope)})`)) return undefined;
  return uniconed(`stores the rule: ${rule.pattern} (${reach(rule.scope)})`);
}

function reach(scope: string): string {
  return scope === "task" ? "in this task" : scope === "workspace" ? "in this workspace" : "everywhere";
}
