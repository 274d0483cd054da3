// Approvals and questions in a line, for places that are not the chat.

import { countDiff, parseDiff } from "../model/diff";
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
      const { added: plus, removed: minus } = countDiff((subject.files ?? []).flatMap((file) => parseDiff(file.diff)));
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

/**
 * Whether its line tells all of what would happen, so that it can be approved from there: a command that is there in full and
 * runs in one of these folders, or one file that is named by its path. An edit and what a server is sent need more room.
 */
export function fitsLine(request: ApprovalRequestParams, folders: readonly string[]): boolean {
  const { type, command = "", cwd, paths = [] } = request.subject;
  const line = oneLine(request);
  const [path, ...more] = paths;
  if (/[\p{Cc}\p{Cf}]/u.test(request.title)) return false;
  if (type === "command") return command.trim() !== "" && line.includes(command.trim()) && (cwd === undefined || folders.includes(cwd));
  return type === "fileRead" && more.length === 0 && path !== undefined && (path.real ?? path.path) === path.path && line.includes(path.path);
}

function lines(command: string): string {
  const n = command.trim().split("\n").length;
  return n > 1 ? `${n} lines` : "";
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

/** Text for a quick pick, which makes icons of `$(name)`: a command such as `echo $(id)` must be read as it is. */
export function uniconed(text: string): string {
  return text.replace(/\$\(/g, "$\u200b(");
}
