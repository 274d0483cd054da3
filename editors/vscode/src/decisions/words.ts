// Approvals and questions in a line, for places that are not the chat.

import type { ApprovalOption, ApprovalRequestParams, AskParams, Subject } from "../protocol/generated";

const longest = 140;

/** What would happen, in one line. */
export function oneLine(request: ApprovalRequestParams): string {
  const title = clip(request.title);
  const more = detail(request.subject, request.title);
  return more === "" ? title : `${title} (${more})`;
}

function detail(subject: Subject, title: string): string {
  switch (subject.type) {
    case "command":
      return [lines(subject.command ?? ""), subject.unsandboxed === true && !/outside the sandbox/i.test(title) ? "outside the sandbox" : ""].filter(Boolean).join(", ");
    case "fileEdit": {
      const [plus, minus] = size((subject.files ?? []).map((file) => file.diff).join("\n"));
      const guarded = (subject.files ?? []).some((file) => file.protected !== undefined && file.protected !== "");
      return [plus + minus > 0 ? `+${plus} −${minus}` : "", guarded ? "protected" : "", (subject.files ?? []).some((f) => f.outside) ? "outside of the workspace" : ""]
        .filter(Boolean)
        .join(", ");
    }
    case "fileRead":
      return (subject.paths ?? []).some((path) => path.outside) ? "outside of the workspace" : "";
    default:
      return "";
  }
}

function lines(command: string): string {
  const n = command.trim().split("\n").length;
  return n > 1 ? `${n} lines` : "";
}

/** Lines that a unified diff adds and takes away. */
export function size(diff: string): [plus: number, minus: number] {
  let plus = 0;
  let minus = 0;
  for (const line of diff.split("\n")) {
    if (line.startsWith("+") && !line.startsWith("+++ ")) plus++;
    else if (line.startsWith("-") && !line.startsWith("--- ")) minus++;
  }
  return [plus, minus];
}

/** A question's first words. */
export function question(ask: AskParams): string {
  return clip(ask.text);
}

/** Whether a message can tell it all: what it asks, and answers that fit on its buttons. */
export function fitsMessage(ask: AskParams): boolean {
  const options = ask.options ?? [];
  return ask.text.length <= longest && options.length > 0 && options.length <= 3 && options.every((o) => o.length <= 40);
}

/** The options that store a rule. */
export function always(request: ApprovalRequestParams): ApprovalOption[] {
  return request.options.filter((option) => option.kind === "allow_always");
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longest ? line : `${[...line].slice(0, longest - 1).join("")}…`;
}

/** Text for a message of VS Code's, which makes links of `[words](target)`, also of ones that run commands. */
export function unlinked(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}

/** Text for a quick pick, which makes icons of `$(name)`: a command such as `echo $(id)` must be read as it is. */
export function uniconed(text: string): string {
  return text.replace(/\$\(/g, "$\u200b(");
}
