// Long Markdown in sections, each of them Markdown of its own, so that of a message of a megabyte only what is seen is parsed and
// drawn. They end between blocks where there is such a place; a block that is longer than a section goes on in the next one. Pure.

/** A section ends at the first good place behind so many characters, */
const enough = 4_000;
/** or wherever it is behind so many. */
const most = 12_000;
/** Definitions of links that other sections may use. */
const mostDefinitions = 4_000;

export interface Section {
  from: number;
  to: number;
  /** What has to stand in front of the text: the opening of a block of code, or the head of a table, that goes on here. */
  head: string;
  /** What has to stand behind it: the end of a block of code that goes on in the next section. */
  tail: string;
  /** What was begun in the section before. */
  goesOn?: "code" | "rest";
  /** Where the text of that block of code begins, if it begins here. */
  code?: number;
  /** Lines, for its height. */
  lines: number;
}

interface Fence {
  mark: string;
  /** What opens it, with its language. */
  line: string;
  /** Where its text begins. */
  begins: number;
}

const fence = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;
const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
const tableRule = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const definition = /^ {0,3}\[[^\]]+\]:[ \t]*\S/;

/** The sections of a text that grows. Asking again with a longer text looks only at what was added; only the last one changes. */
export class Sections {
  private text = "";
  private ended: Section[] = [];
  private definitions = "";
  /** Where the section begins that has not ended, and the line that was not looked at. */
  private from = 0;
  private at = 0;
  private lines = 0;
  private open: Pick<Section, "head" | "goesOn"> = { head: "" };
  private fence: Fence | null = null;
  private table = "";
  private before = "";

  of(text: string): readonly Section[] {
    if (!text.startsWith(this.text)) this.reset();
    this.text = text;
    for (let end = text.indexOf("\n", this.at); ; end = text.indexOf("\n", this.at)) {
      this.cutLine(end < 0 ? text.length : end);
      if (end < 0) break;
      this.take(text.slice(this.at, Math.min(end, this.at + 1000)), end);
      this.at = end + 1;
      this.lines++;
    }
    return this.from < text.length || this.ended.length === 0 ? [...this.ended, this.section(text.length, "")] : this.ended;
  }

  /** The Markdown of a section; `done`: nothing will be added to the text. */
  source({ from, to, head, tail }: Section, done: boolean): string {
    const text = head + this.text.slice(from, to) + tail;
    const ends = to < this.text.length || this.fence === null;
    return done && ends && this.definitions !== "" ? `${text}\n\n${this.definitions}` : text;
  }

  /** The whole text of a block of code that begins in a section and ends in a later one. */
  code(begins: number): string {
    const { mark = "" } = this.fenceBefore(begins);
    const end = new RegExp(`^[ \\t]*\\${mark[0] ?? "`"}{${mark.length},}[ \\t]*$`, "m").exec(this.text.slice(begins));
    return this.text.slice(begins, end ? begins + end.index : undefined).replace(/\n$/, "");
  }

  private fenceBefore(begins: number): { mark?: string } {
    const line = this.text.slice(this.text.lastIndexOf("\n", begins - 2) + 1, begins - 1);
    return { mark: fence.exec(line)?.[1] };
  }

  private reset(): void {
    Object.assign(this, { ended: [], definitions: "", from: 0, at: 0, lines: 0, open: { head: "" }, fence: null, table: "", before: "" });
  }

  /** Looks at a line: the section may end in front of it. */
  private take(line: string, end: number): void {
    const size = this.at - this.from;
    const [, mark, rest = ""] = fence.exec(line) ?? [];
    if (this.fence) {
      if (size >= most) this.end(this.at);
      const { mark: opened } = this.fence;
      if (mark && mark[0] === opened[0] && mark.length >= opened.length && rest.trim() === "") this.fence = null;
      this.before = line;
      return;
    }
    const blank = line.trim() === "";
    const between = this.before.trim() === "" && !blank && !/^[ \t]/.test(line) && !item.test(line);
    if ((size >= enough && between) || size >= most) this.end(this.at, between);
    if (mark && !(mark.startsWith("`") && rest.includes("`"))) this.fence = { mark, line: (mark + rest).slice(0, 200), begins: end + 1 };
    if (blank) this.table = "";
    else if (line.includes("|") && this.before.includes("|") && tableRule.test(line)) this.table = `${this.before}\n${line}\n`;
    if (definition.test(line) && this.definitions.length < mostDefinitions) this.definitions += `${line}\n`;
    this.before = line;
  }

  /** A line may be longer than a section. */
  private cutLine(end: number): void {
    while (end - this.from > 2 * most) {
      const upTo = Math.max(this.at, this.from) + most;
      const space = this.text.lastIndexOf(" ", upTo);
      let cut = space > upTo - 1000 ? space + 1 : upTo;
      if (/[\udc00-\udfff]/.test(this.text.charAt(cut))) cut--;
      this.end(cut);
    }
  }

  /** Ends the section; what follows goes on with its last block, unless this is `between` two. */
  private end(at: number, between = false): void {
    const { fence, table } = this;
    if (at <= this.from) return;
    this.ended.push(this.section(at, fence ? `${this.text[at - 1] === "\n" ? "" : "\n"}${fence.mark}\n` : ""));
    this.from = at;
    this.lines = 0;
    if (between) this.open = { head: "" };
    else this.open = fence ? { head: `${fence.line}\n`, goesOn: "code" } : { head: table, goesOn: "rest" };
  }

  private section(to: number, tail: string): Section {
    const begins = tail !== "" && this.fence !== null && this.fence.begins >= this.from ? { code: this.fence.begins } : {};
    return { from: this.from, to, tail, ...this.open, lines: this.lines, ...begins };
  }
}
