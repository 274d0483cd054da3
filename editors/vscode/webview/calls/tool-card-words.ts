// What a tool call is in words: its icon, what it does to what, and a quiet figure. Made of the call's kind, title, arguments
// and output; what is not understood falls back to the title and then to the name. Pure.

import type { CallItem } from "../../src/model/task";
import type { IconName } from "../parts/icons";
import { countDiff, parseDiff, type DiffFile } from "../../src/model/diff";
import { clip, oneLine, plural } from "../parts/visible";
import { partialArgs, wholeArgs, writtenLines } from "./tool-card-args";

export interface CallWords {
  icon: IconName;
  /** The verb, or the server of an MCP tool. */
  verb: string;
  target: string;
  /** How the target is set. */
  as: "path" | "code" | "text";
  /** The one file that the call is about, and its line from 0. */
  file?: { path: string; line?: number };
  figure?: string;
  change?: { added: number; removed: number };
}

/** Longer targets are cut: a card is one line. */
const longest = 300;

const edits: Record<string, { icon: IconName; verb: string }> = {
  Edit: { icon: "edit", verb: "Edit" },
  Create: { icon: "diff-added", verb: "Create" },
  Delete: { icon: "diff-removed", verb: "Delete" },
  Move: { icon: "diff-renamed", verb: "Move" },
};

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

/** The arguments, whole or as far as they are written. */
export function callArgs(call: CallItem): { values: Record<string, unknown>; growing?: string } {
  if (!call.args) return { values: {} };
  return isWriting(call) ? partialArgs(call.args) : { values: wholeArgs(call.args) };
}

/** Whether the model may still be writing the arguments: no title, and not at its end. */
export function isWriting(call: CallItem): boolean {
  return call.status === "pending" || (call.status === "in_progress" && !call.title);
}

export function describe(call: CallItem): CallWords {
  const { values, growing } = callArgs(call);
  const words = ofTool(call, values) ?? ofTitle(call, values);
  words.target = clip(oneLine(words.target), longest);
  words.verb = clip(oneLine(words.verb), 80);
  if (growing !== undefined && call.callKind === "edit") {
    const lines = writtenLines(call.args);
    if (lines > 0) words.figure = plural(lines, "line");
  }
  return words;
}

function ofTool(call: CallItem, args: Record<string, unknown>): CallWords | undefined {
  switch (call.name) {
    case "read_file":
      return reading(call, args);
    case "list_files":
      return {
        icon: "folder", verb: "List", target: folder(call, args), as: "path",
        figure: counted(call, /^[^\n]*\((?:the first )?(\d+) entr(?:y|ies)/, "entry", "entries"),
      };
    case "search_files":
      return searching(call, args);
    case "list_code_definition_names":
      return {
        icon: "list-tree", verb: "Outline", target: folder(call, args), as: "path",
        figure: counted(call, /^(\d+) definitions?/, "definition"),
      };
    case "write_to_file":
    case "replace_in_file":
    case "apply_patch":
      return editing(call, args);
    case "execute_command":
      return {
        icon: "terminal", verb: call.title?.startsWith("Run outside the sandbox") ? "Run outside the sandbox" : "Run",
        target: text(args.command), as: "code", figure: exit(call),
      };
    case "ask_followup_question":
      return { icon: "question", verb: "Ask", target: text(args.question).replace(/\*\*|`/g, ""), as: "text" };
    case "access_mcp_resource":
      return { icon: "mcp", verb: text(args.server_name) || "Read", target: text(args.uri), as: "code" };
    case "use_mcp_tool":
      return { icon: "mcp", verb: text(args.server_name) || "MCP", target: text(args.tool_name), as: "text" };
  }
  if (call.server || call.callKind === "mcp") {
    return { icon: "mcp", verb: call.server ?? "MCP", target: call.tool ?? call.name, as: "text" };
  }
  return undefined;
}

/** The folder itself is named by its name. */
function folder(call: CallItem, args: Record<string, unknown>): string {
  const path = text(args.path);
  return path === "." || path === "./" ? (call.locations?.[0]?.split(/[\\/]/).findLast(Boolean) ?? path) : path;
}

const kinds: Record<string, IconName> = {
  read: "eye",
  edit: "edit",
  command: "terminal",
  mcp: "mcp",
  ask: "question",
  control: "sparkle",
};

// A tool of a newer daemon, or one that does not exist.
function ofTitle(call: CallItem, args: Record<string, unknown>): CallWords {
  const icon = kinds[call.callKind] ?? "tools";
  if (call.title) {
    const [, verb = call.title, target = ""] = /^(\S+)\s+(.*)$/s.exec(call.title) ?? [];
    return { icon, verb, target, as: "text" };
  }
  const first = Object.values(args).find((v) => typeof v === "string" && v !== "");
  return { icon, verb: call.name || "Tool", target: text(first), as: "text" };
}

function reading(call: CallItem, args: Record<string, unknown>): CallWords {
  const list = Array.isArray(args.files) ? args.files : [];
  const one = list.length === 1 && !args.path ? entry(list[0]) : args;
  const base = { icon: "file" as const, verb: "Read", as: "path" as const };
  if (list.length + (args.path ? 1 : 0) > 1) {
    return { ...base, icon: "files", target: plural(list.length + (args.path ? 1 : 0), "file"), as: "text" };
  }
  const path = text(one.path ?? one.absolutePath);
  const range = /^[^\n]*, lines (\d+)-(\d+)(?: of \d+)?$/m.exec(firstLine(call.output));
  const start = range ? Number(range[1]) : Number(one.start_line) || undefined;
  const words: CallWords = { ...base, target: path, figure: counted(call, /^[^\n]*, (\d+) lines?$/m, "line") };
  if (range) words.figure = `${Number(range[1]).toLocaleString("en-US")}–${Number(range[2]).toLocaleString("en-US")}`;
  else if (/^[^\n]*: image \(/.test(firstLine(call.output))) words.icon = "file-media";
  const location = call.locations?.[0] ?? path;
  if (location) words.file = start ? { path: location, line: start - 1 } : { path: location };
  return words;
}

function entry(value: unknown): Record<string, unknown> {
  if (typeof value === "string") return { path: value };
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
}

function searching(call: CallItem, args: Record<string, unknown>): CallWords {
  const words: CallWords = { icon: "search", verb: "Search", target: text(args.regex), as: "code" };
  words.figure = /^No matches/.test(call.output ?? "") ? "no matches" : counted(call, /^Found (\d+) match/, "match", "matches");
  return words;
}

/** Where a search looks, for what stands behind its expression. */
export function searchedIn(call: CallItem): string {
  if (call.name !== "search_files") return "";
  const { values } = callArgs(call);
  const where = [text(values.path), text(values.file_pattern)].filter((p) => p && p !== ".");
  return where.length > 0 ? clip(oneLine(where.join(" · ")), longest) : "";
}

function editing(call: CallItem, args: Record<string, unknown>): CallWords {
  const first = /^(\S+) /.exec(call.title ?? "")?.[1] ?? "";
  const how = edits[first] ?? (call.name === "write_to_file" ? { icon: "edit" as const, verb: "Write" } : edits.Edit);
  const words: CallWords = { icon: how?.icon ?? "edit", verb: how?.verb ?? "Edit", target: text(args.path), as: "path" };
  if (call.name === "apply_patch" || !words.target) {
    const paths = patchPaths(text(args.input));
    words.target = paths.length === 1 ? (paths[0] ?? "") : paths.length > 1 ? plural(paths.length, "file") : words.target;
    if (paths.length > 1) Object.assign(words, { as: "text", verb: "Edit", icon: "files" });
  }
  const location = call.locations?.length === 1 || args.path ? (call.locations?.[0] ?? text(args.path)) : "";
  if (location) words.file = { path: location };
  if (call.diff) {
    const files = diffOf(call);
    words.change = countDiff(files);
    const line = files[0]?.hunks[0]?.lines.find((l) => l.kind !== "same");
    if (words.file && line) words.file.line = Math.max(0, (line.new ?? line.old ?? 1) - 1);
  }
  return words;
}

const diffs = new WeakMap<CallItem, DiffFile[]>();

/** The call's diff, read once. */
function diffOf(call: CallItem): DiffFile[] {
  const files = diffs.get(call) ?? parseDiff(call.diff ?? "");
  diffs.set(call, files);
  return files;
}

/** The files of a patch in the format of apply_patch, as far as it is written. */
export function patchPaths(patch: string): string[] {
  const paths = [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.*)$/gm)].map((m) => (m[1] ?? "").trim());
  return [...new Set(paths)];
}

function firstLine(output: string | undefined): string {
  if (!output) return "";
  const end = output.indexOf("\n");
  return end < 0 ? output : output.slice(0, end);
}

function counted(call: CallItem, pattern: RegExp, word: string, words?: string): string | undefined {
  const n = call.status === "completed" ? pattern.exec(firstLine(call.output))?.[1] : undefined;
  return n === undefined ? undefined : plural(Number(n), word, words);
}

// How a command ended, as the first line of its result says.
function exit(call: CallItem): string | undefined {
  if (call.status === "pending" || call.status === "in_progress") return undefined;
  const { terminal } = call;
  if (terminal?.state === "background") return "in background";
  const said = firstLine(call.output);
  if (/the user let the command go on|still running in the background/i.test(said) && terminal?.state !== "exited") return "sent to background";
  const code = terminal?.exitCode ?? (/exit code (-?\d+)/.exec(said)?.[1] && Number(/exit code (-?\d+)/.exec(said)?.[1]));
  if (/stopped by its timeout/.test(said)) return "timed out";
  if (terminal?.signal && call.status !== "cancelled") return terminal.signal;
  if (code !== undefined && code !== 0) return `exit ${code}`;
  const took = /\(exit code 0, ([^)]+)\)/.exec(said)?.[1];
  return took && took !== "0s" && !/^\d{1,3}ms$/.test(took) ? took : undefined;
}

/** Calls that say nothing beside what follows them as a message: they have no card unless they fail. */
export function isQuiet(call: CallItem): boolean {
  return call.callKind === "control" && call.status !== "failed" && call.status !== "denied" && call.name !== "load_mcp_documentation";
}

/** What went wrong, in one line. */
export function reason(call: CallItem): string {
  if (call.status === "failed") {
    const said = firstLine(call.output).replace(/^Error: /, "");
    if (call.callKind === "command" && /^The command failed with exit code/.test(said)) return "";
    if (/^The tool reports an error:?$/.test(said)) return clip(oneLine((call.output ?? "").slice(said.length, said.length + 300)), 200);
    return clip(oneLine(said), 200);
  }
  if (call.status === "denied") {
    const feedback = /<feedback>\n([\s\S]*?)\n<\/feedback>/.exec(call.output ?? "")?.[1];
    return feedback ? `“${clip(oneLine(feedback), 200)}”` : "";
  }
  return "";
}
