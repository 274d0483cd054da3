// Results of tools as rows with line numbers, for links to them: files that were read, matches of a search, outlines. Pure;
// what is no such result is left to be shown as text.

export interface ResultRow {
  /** From 1. */
  line?: number;
  text: string;
  /** A match of a search, as opposed to the lines around it. */
  hit?: boolean;
  /** The text names a file of the section's folder. */
  file?: boolean;
}

export interface ResultSection {
  /** As the tool names it. */
  path: string;
  rows: ResultRow[];
}

export interface Result {
  head: string;
  sections: ResultSection[];
  rows: number;
}

const match = /^(\d+)([:-])(.*)$/s;
const numbered = /^(\d+) \| ?(.*)$/s;

/** Found N matches…, then for each file its name and rows. */
export function parseSearch(output: string): Result | undefined {
  const lines = output.split("\n");
  const head = lines[0] ?? "";
  if (!/^Found \d/.test(head) && !/^No matches/.test(head)) return undefined;
  const sections: ResultSection[] = [];
  let rows = 0;
  let fresh = true;
  for (const line of lines.slice(1)) {
    const at = match.exec(line);
    const section = sections.at(-1);
    if (line === "") fresh = true;
    else if (fresh && !at) {
      sections.push({ path: line, rows: [] });
      fresh = false;
    } else if (at && section) {
      section.rows.push({ line: Number(at[1]), text: at[3] ?? "", hit: at[2] === ":" });
      rows++;
      fresh = false;
    } else if (section) section.rows.push({ text: line });
    else return undefined;
  }
  return { head, sections, rows };
}

/** Sections of `N | text` under a line that names the file; `paths` are the names that may begin one. */
export function parseNumbered(output: string): Result | undefined {
  const lines = output.split("\n");
  const sections: ResultSection[] = [];
  let head = "";
  let rows = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const at = numbered.exec(line);
    if (at) {
      let section = sections.at(-1);
      if (!section) sections.push((section = { path: "", rows: [] }));
      section.rows.push({ line: Number(at[1]), text: at[2] ?? "" });
      rows++;
    } else if (line !== "" && numbered.test(lines[i + 1] ?? "")) {
      sections.push({ path: line.replace(/, (?:lines \d+-\d+ of \d+|\d+ lines?).*$/, ""), rows: [] });
    } else if (line !== "" && sections.length === 0) head += (head ? "\n" : "") + line;
    else if (line !== "") sections.at(-1)?.rows.push({ text: line });
  }
  return rows > 0 ? { head, sections, rows } : undefined;
}

/** A folder's entries: those that end in a slash are folders, and what has a remark in brackets is no file to open. */
export function parseList(output: string): Result | undefined {
  const [head = "", ...lines] = output.split("\n");
  if (!/ \((?:the first )?\d+ entr(?:y|ies)[^)]*\)$/.test(head)) return undefined;
  const rows = lines.filter((l) => l !== "").map((text): ResultRow => (/[/)\]…]$/.test(text) ? { text } : { text, file: true }));
  return { head, sections: [{ path: "", rows }], rows: rows.length };
}

/** The sentence of a command's result, and what it printed. */
export function parseCommand(output: string): { said: string; printed: string } {
  const at = output.startsWith("The command") || output.startsWith("The user") || output.startsWith("In the sandbox") ? output.indexOf("\nOutput:\n") : -1;
  if (at >= 0) return { said: output.slice(0, at), printed: output.slice(at + 9) };
  if (/^(The (command|user) |In the sandbox it failed)/.test(output) && !output.includes("\n")) return { said: output, printed: "" };
  return { said: "", printed: output };
}

/** A joined absolute path of what a tool named relative to where it looked. */
export function resolve(path: string, base: string | undefined, cwd: string): string {
  if (/^([/\\~]|[A-Za-z]:[\\/])/.test(path)) return path;
  const dir = base ?? cwd;
  const sign = dir.includes("\\") && !dir.includes("/") ? "\\" : "/";
  return dir.replace(/[\\/]+$/, "") + sign + path;
}

/** JSON laid out to be read; text that is none stays. */
export function prettyJson(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || trimmed.length > 2_000_000) return text;
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    return text;
  }
}
