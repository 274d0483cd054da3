// Unified diffs as lines with numbers. Pure; what does not fit is kept as text, never dropped.

export interface DiffLine {
  kind: "same" | "added" | "removed" | "note";
  /** From 1, of the side that has the line. */
  old?: number;
  new?: number;
  text: string;
  /** The part that differs from the line it replaces, as [start, end). */
  changed?: [number, number];
}

export interface DiffHunk {
  oldStart: number;
  newStart: number;
  /** What stands behind the second @@, such as the function. */
  section: string;
  lines: DiffLine[];
}

export interface DiffFile {
  path: string;
  /** Where it was, when it moved. */
  from?: string;
  op: "modify" | "create" | "delete" | "rename";
  added: number;
  removed: number;
  hunks: DiffHunk[];
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

function name(line: string): string {
  return line.slice(4).replace(/\t.*$/, "").replace(/^[ab]\//, "");
}

/** The files of a diff, in its order. A text without any header is one file of notes. */
export function parseDiff(diff: string): DiffFile[] {
  const files: DiffFile[] = [];
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let file: DiffFile | undefined;
  let hunk: DiffHunk | undefined;
  let oldLeft = 0;
  let newLeft = 0;
  let oldAt = 0;
  let newAt = 0;
  let from: string | undefined;
  const begin = (path: string): DiffFile => {
    const made: DiffFile = { path, op: "modify", added: 0, removed: 0, hunks: [] };
    files.push(made);
    hunk = undefined;
    return made;
  };
  const note = (text: string): void => {
    file ??= begin("");
    if (!hunk) file.hunks.push((hunk = { oldStart: 0, newStart: 0, section: "", lines: [] }));
    hunk.lines.push({ kind: "note", text });
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (hunk && file && (oldLeft > 0 || newLeft > 0)) {
      const sign = line.charAt(0);
      if (sign === "+" && newLeft > 0) {
        hunk.lines.push({ kind: "added", new: newAt++, text: line.slice(1) });
        newLeft--;
        file.added++;
        continue;
      }
      if (sign === "-" && oldLeft > 0) {
        hunk.lines.push({ kind: "removed", old: oldAt++, text: line.slice(1) });
        oldLeft--;
        file.removed++;
        continue;
      }
      if (sign === " " || line === "") {
        hunk.lines.push({ kind: "same", old: oldAt++, new: newAt++, text: line.slice(1) });
        oldLeft--;
        newLeft--;
        continue;
      }
      if (sign === "\\") {
        hunk.lines.push({ kind: "note", text: line.slice(2) });
        continue;
      }
      oldLeft = newLeft = 0;
    }
    const at = header.exec(line);
    if (at) {
      file ??= begin("");
      oldAt = Number(at[1]);
      newAt = Number(at[3]);
      oldLeft = Number(at[2] ?? 1);
      newLeft = Number(at[4] ?? 1);
      if (file.op === "modify" && file.hunks.length === 0) {
        if (oldLeft === 0 && oldAt === 0) file.op = "create";
        else if (newLeft === 0 && newAt === 0) file.op = "delete";
      }
      hunk = { oldStart: oldAt, newStart: newAt, section: at[5] ?? "", lines: [] };
      file.hunks.push(hunk);
    } else if (line.startsWith("rename from ")) {
      from = line.slice(12);
      file = undefined;
    } else if (line.startsWith("rename to ") && from !== undefined) {
      file = begin(line.slice(10));
      file.op = "rename";
      file.from = from;
      from = undefined;
    } else if (line.startsWith("--- ") && (lines[i + 1] ?? "").startsWith("+++ ")) {
      const [old, path] = [name(line), name(lines[i + 1] ?? "")];
      if (!(file?.op === "rename" && file.from === old && file.hunks.length === 0)) file = begin(path === "/dev/null" ? old : path);
      i++;
    } else if (line.startsWith("\\") && hunk) {
      hunk.lines.push({ kind: "note", text: line.slice(2) });
    } else if (!/^(diff |index |new file mode|deleted file mode|similarity index|old mode|new mode)/.test(line)) {
      note(line);
    }
  }
  for (const f of files) for (const h of f.hunks) markChanges(h.lines);
  return files;
}

/** Marks, in runs of as many added as removed lines, what differs in each pair. */
function markChanges(lines: DiffLine[]): void {
  for (let i = 0; i < lines.length; ) {
    let removed = i;
    while (lines[removed]?.kind === "removed") removed++;
    let added = removed;
    while (lines[added]?.kind === "added") added++;
    const n = removed - i;
    if (n > 0 && n === added - removed) for (let k = 0; k < n; k++) markPair(lines[i + k], lines[removed + k]);
    i = Math.max(added, i + 1);
  }
}

function markPair(a: DiffLine | undefined, b: DiffLine | undefined): void {
  if (!a || !b || a.text.length > 1000 || b.text.length > 1000) return;
  const shorter = Math.min(a.text.length, b.text.length);
  let start = 0;
  while (start < shorter && a.text[start] === b.text[start]) start++;
  let end = 0;
  while (end < shorter - start && a.text[a.text.length - 1 - end] === b.text[b.text.length - 1 - end]) end++;
  // Lines that have little in common are read better as a whole.
  if (start + end < shorter / 3) return;
  a.changed = [start, a.text.length - end];
  b.changed = [start, b.text.length - end];
}

/** Lines added and removed over all files. */
export function countDiff(files: readonly DiffFile[]): { added: number; removed: number } {
  return files.reduce((sum, f) => ({ added: sum.added + f.added, removed: sum.removed + f.removed }), { added: 0, removed: 0 });
}
