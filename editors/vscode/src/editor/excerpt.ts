// Words for the model about places in files: what the commands and code actions put into the chat. Pure, but for types.

/** A workspace folder as far as names go. */
export interface Folder {
  /** Of this machine, with its own separators. */
  path: string;
}

export interface Excerpt {
  /** As the model is to see it, from pathFor. */
  path: string;
  /** 0-based, inclusive. */
  startLine: number;
  endLine: number;
  languageId: string;
  /** Whole lines; empty for a place without text. */
  text: string;
}

export interface Problem {
  /** 0-based. */
  line: number;
  message: string;
  source?: string;
  code?: string | number;
}

/** Longer than that, a reference does: the model reads the file, with what is not saved. */
const longest = 20_000;

const fences: Record<string, string> = {
  javascriptreact: "jsx",
  typescriptreact: "tsx",
  shellscript: "sh",
  plaintext: "",
};

/**
 * How the daemon names a file, so that the model can use the name as it is: relative to the only folder; with the folder's name
 * in front when there are several, unless another has that name, too; and absolute outside of them.
 */
export function pathFor(path: string, folders: readonly Folder[], windows = process.platform === "win32"): string {
  const slashed = (p: string) => (windows ? p.replaceAll("\\", "/") : p).replace(/\/+$/, "");
  const same = (a: string, b: string) => (windows ? a.toLowerCase() === b.toLowerCase() : a === b);
  const name = (folder: Folder) => slashed(folder.path).split("/").at(-1)!;
  const file = slashed(path);
  const inside = folders
    .filter((folder) => same(file.slice(0, slashed(folder.path).length + 1), `${slashed(folder.path)}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (!inside) return path;
  const relative = file.slice(slashed(inside.path).length + 1);
  if (folders.length === 1) return /^[~@]|^[A-Za-z][\w+.-]*:/.test(relative) ? `./${relative}` : relative;
  const alike = folders.filter((folder) => same(name(folder), name(inside)));
  return alike.length === 1 ? `${name(inside)}/${relative}` : path;
}

/** `path:12` or `path:12-15`, lines as people count them. */
export function place({ path, startLine, endLine }: Pick<Excerpt, "path" | "startLine" | "endLine">): string {
  return endLine > startLine ? `${path}:${startLine + 1}-${endLine + 1}` : `${path}:${startLine + 1}`;
}

/** A place with its text. */
export function excerpt(of: Excerpt): string {
  const name = inline(place(of));
  return of.text === "" || of.text.length > longest ? name : `${name}\n${fenced(of.text, of.languageId)}`;
}

export function explain(of: Excerpt, problems: readonly Problem[]): string {
  if (problems.length > 0) {
    const ask = "What is behind it, and how would you solve it? Change nothing yet.";
    return `Explain ${these(problems, of)}\n\n${ask}\n\n${excerpt(of)}`;
  }
  return `Explain what this does, and why it is done that way. Change nothing.\n\n${excerpt(of)}`;
}

export function fix(of: Excerpt, problems: readonly Problem[]): string {
  if (problems.length > 0) return `Fix ${these(problems, of)}\n\n${excerpt(of)}`;
  return `Find out what is wrong here, and fix it.\n\n${excerpt(of)}`;
}

/** The last command of a terminal with what it printed, or text selected there. */
export function printed(output: string, command?: string): string {
  const most = output.length > longest ? `…\n${output.slice(-longest)}` : output;
  const what = command === undefined ? "From the terminal:" : `${inline(command)} printed:`;
  return output === "" ? `${inline(command ?? "")} was run in the terminal.` : `${what}\n${fenced(most, "")}`;
}

function these(problems: readonly Problem[], { path }: Excerpt): string {
  const [only] = problems;
  if (problems.length === 1 && only) {
    return `this problem in ${inline(place({ path, startLine: only.line, endLine: only.line }))}: ${told(only)}`;
  }
  const list = problems.map((p) => `- line ${p.line + 1}: ${told(p)}`).join("\n");
  return `these problems in ${inline(path)}:\n\n${list}`;
}

function told({ message, source, code }: Problem): string {
  const from = [source, code === undefined ? "" : String(code)].filter(Boolean).join(" ");
  return message.trim() + (from ? ` (${from})` : "");
}

function inline(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  const ticks = "`".repeat(longestRun(line) + 1);
  const pad = ticks.length > 1 ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

function fenced(text: string, languageId: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${fences[languageId] ?? languageId}\n${text.replace(/\n+$/, "")}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
}
