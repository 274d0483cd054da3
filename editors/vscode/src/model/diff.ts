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
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const reader = new Reader();
  for (let i = 0; i < lines.length; ) i += reader.take(lines[i] ?? "", lines[i + 1] ?? "");
  for (const file of reader.files) dropReturns(file.hunks.flatMap((hunk) => hunk.lines));
  for (const file of reader.files) for (const hunk of file.hunks) markChanges(hunk.lines);
  return reader.files;
}

const uninteresting = /^(diff |index |new file mode|deleted file mode|similarity index|old mode|new mode)/;

/** Reads a diff line by line. */
class Reader {
  readonly files: DiffFile[] = [];
  private file: DiffFile | undefined;
  private hunk: DiffHunk | undefined;
  /** Where a rename that is being told of comes from. */
  private from: string | undefined;
  /** The next line of each side, and how many of it the hunk still has. */
  private old = { at: 0, left: 0 };
  private new = { at: 0, left: 0 };

  /** Takes a line, with a look at the next one; how many it took. */
  take(line: string, next: string): number {
    if (this.inHunk(line)) return 1;
    const at = header.exec(line);
    if (at) {
      this.beginHunk(at);
    } else if (line.startsWith("rename from ")) {
      this.from = line.slice(12);
      this.file = undefined;
    } else if (line.startsWith("rename to ") && this.from !== undefined) {
      const moved = this.begin(line.slice(10));
      moved.op = "rename";
      moved.from = this.from;
      this.from = undefined;
    } else if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      this.beginFile(name(line), name(next));
      return 2;
    } else if (line.startsWith("\\") && this.hunk) {
      this.hunk.lines.push({ kind: "note", text: line.slice(2) });
    } else if (!uninteresting.test(line)) {
      this.note(line);
    }
    return 1;
  }

  /** Takes a line that the hunk still has. What fits none ends the hunk. */
  private inHunk(line: string): boolean {
    const { file, hunk, old: was, new: now } = this;
    if (!file || !hunk || (was.left <= 0 && now.left <= 0)) return false;
    const sign = line.charAt(0);
    const text = line.slice(1);
    if (sign === "+" && now.left > 0) {
      now.left--;
      file.added++;
      hunk.lines.push({ kind: "added", new: now.at++, text });
    } else if (sign === "-" && was.left > 0) {
      was.left--;
      file.removed++;
      hunk.lines.push({ kind: "removed", old: was.at++, text });
    } else if (sign === " " || line === "") {
      was.left--;
      now.left--;
      hunk.lines.push({ kind: "same", old: was.at++, new: now.at++, text });
    } else if (sign === "\\") {
      hunk.lines.push({ kind: "note", text: line.slice(2) });
    } else {
      was.left = now.left = 0;
      return false;
    }
    return true;
  }

  private begin(path: string): DiffFile {
    this.file = { path, op: "modify", added: 0, removed: 0, hunks: [] };
    this.files.push(this.file);
    this.hunk = undefined;
    return this.file;
  }

  /** The names of a file that moved come twice. */
  private beginFile(old: string, path: string): void {
    const told = this.file?.op === "rename" && this.file.from === old && this.file.hunks.length === 0;
    if (!told) this.begin(path === "/dev/null" ? old : path);
  }

  private beginHunk(at: RegExpExecArray): void {
    const file = this.file ?? this.begin("");
    this.old = { at: Number(at[1]), left: Number(at[2] ?? 1) };
    this.new = { at: Number(at[3]), left: Number(at[4] ?? 1) };
    if (file.op === "modify" && file.hunks.length === 0) {
      if (this.old.left === 0 && this.old.at === 0) file.op = "create";
      else if (this.new.left === 0 && this.new.at === 0) file.op = "delete";
    }
    this.hunk = { oldStart: this.old.at, newStart: this.new.at, section: at[5] ?? "", lines: [] };
    file.hunks.push(this.hunk);
  }

  private note(text: string): void {
    const file = this.file ?? this.begin("");
    if (!this.hunk) file.hunks.push((this.hunk = { oldStart: 0, newStart: 0, section: "", lines: [] }));
    this.hunk.lines.push({ kind: "note", text });
  }
}

/** Where all lines end with CR LF, that is no news. Where some do, it may be what changed. */
function dropReturns(lines: DiffLine[]): void {
  const told = lines.filter((line) => line.kind !== "note");
  if (!told.every((line) => line.text.endsWith("\r"))) return;
  for (const line of told) line.text = line.text.slice(0, -1);
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
