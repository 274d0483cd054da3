// What a command printed, as a terminal would leave it on the screen: carriage returns and backspaces write over a line, colours
// are kept, all other escape sequences go.

export interface Span {
  text: string;
  /** 0-15 of the terminal's colours. */
  fg?: number;
  bg?: number;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
}

export type OutputLine = Span[];
type Style = Omit<Span, "text">;

/** A line that is longer is cut here; what a program prints without line ends would freeze the view. */
export const longestLine = 4000;

// CSI, OSC and the other strings, charset selection, and the remaining two-character escapes.
const escape = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]+[0-~]|[0-~])?/y;
const plain = /[^\u0000-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/y;

/** Where the last lines of a text begin: it is cut before it is read, so that the cost follows what is shown. */
export function tailStart(text: string, lines: number): number {
  let at = text.length - (text.endsWith("\n") ? 1 : 0);
  for (let n = 0; n < lines; n++) {
    at = text.lastIndexOf("\n", at - 1);
    if (at <= 0) return 0;
  }
  return at + 1;
}

export function countLines(text: string, end: number): number {
  let lines = 0;
  for (let i = text.indexOf("\n"); i >= 0 && i < end; i = text.indexOf("\n", i + 1)) lines++;
  return lines;
}

export function outputLines(text: string): OutputLine[] {
  const lines: OutputLine[] = [];
  const line = new Line();
  let style: Style = {};
  for (let at = 0; at < text.length; ) {
    plain.lastIndex = at;
    const run = plain.exec(text)?.[0];
    if (run !== undefined) {
      line.write(run, style);
      at += run.length;
      continue;
    }
    const char = text.charAt(at);
    if (char === "\u001b") {
      escape.lastIndex = at;
      const found = escape.exec(text);
      if (found?.[2] === "m") style = graphics(style, found[1] ?? "");
      else if (found?.[2] === "K") line.erase(found[1] ?? "");
      else if (found?.[2] === "G") line.column = Math.max(0, Number(found[1] || 1) - 1);
      at += Math.max(1, found?.[0].length ?? 1);
      continue;
    }
    at++;
    if (char === "\n") lines.push(line.take());
    else if (char === "\r") {
      if (text.charAt(at) !== "\n") line.column = 0;
    } else if (char === "\b") line.column = Math.max(0, line.column - 1);
    else if (char === "\t") line.write("\t", style);
    else if (char > "\u009f") line.write(`⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`, style);
  }
  if (!line.empty) lines.push(line.take());
  return lines;
}

/** One line of the screen. Most lines only ever grow at their end, which costs no splitting. */
class Line {
  private spans: Span[] = [];
  private length = 0;
  column = 0;

  get empty(): boolean {
    return this.length === 0;
  }

  write(text: string, style: Style): void {
    const room = longestLine - this.column;
    if (text.length > room) text = room > 0 ? text.slice(0, room - 1) + "…" : "";
    if (text === "") return;
    if (this.column < this.length) this.over(text, style);
    else {
      if (this.column > this.length) this.push(" ".repeat(this.column - this.length), {});
      this.push(text, style);
    }
    this.column += text.length;
    this.length = Math.max(this.length, this.column);
  }

  private push(text: string, style: Style): void {
    const last = this.spans.at(-1);
    if (last && same(last, style)) last.text += text;
    else this.spans.push({ text, ...style });
  }

  private over(text: string, style: Style): void {
    const before = this.cut(0, this.column);
    const after = this.cut(this.column + text.length, this.length);
    this.spans = before;
    this.push(text, style);
    for (const { text: rest, ...as } of after) this.push(rest, as);
  }

  private cut(start: number, end: number): Span[] {
    const out: Span[] = [];
    let at = 0;
    for (const span of this.spans) {
      const text = span.text.slice(Math.max(0, start - at), Math.max(0, end - at));
      if (text) out.push({ ...span, text });
      at += span.text.length;
    }
    return out;
  }

  /** CSI K: 0 to the end, 1 from the start, 2 all. */
  erase(how: string): void {
    if (how === "2") this.spans = [];
    else if (how === "1") this.spans = [{ text: " ".repeat(Math.min(this.column, this.length)) }, ...this.cut(this.column, this.length)];
    else this.spans = this.cut(0, this.column);
    this.length = this.spans.reduce((n, s) => n + s.text.length, 0);
  }

  take(): OutputLine {
    const spans = this.spans;
    this.spans = [];
    this.length = this.column = 0;
    return spans;
  }
}

function same(a: Style, b: Style): boolean {
  return (
    a.fg === b.fg && a.bg === b.bg && a.bold === b.bold && a.dim === b.dim && a.italic === b.italic && a.underline === b.underline && a.inverse === b.inverse
  );
}

/** SGR, ECMA-48 8.3.117, with the colours of xterm brought to the nearest of the theme's sixteen. */
function graphics(style: Style, params: string): Style {
  const codes = params.split(/[;:]/).map(Number);
  const next: Style = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) for (const key of Object.keys(next)) delete next[key as keyof Style];
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) delete next.bold, delete next.dim;
    else if (code === 23) delete next.italic;
    else if (code === 24) delete next.underline;
    else if (code === 27) delete next.inverse;
    else if (code >= 30 && code <= 37) next.fg = code - 30;
    else if (code === 39) delete next.fg;
    else if (code >= 40 && code <= 47) next.bg = code - 40;
    else if (code === 49) delete next.bg;
    else if (code >= 90 && code <= 97) next.fg = code - 82;
    else if (code >= 100 && code <= 107) next.bg = code - 92;
    else if (code === 38 || code === 48) {
      const rgb = codes[i + 1] === 2;
      const colour = rgb ? nearest(codes[i + 2] ?? 0, codes[i + 3] ?? 0, codes[i + 4] ?? 0) : indexed(codes[i + 2] ?? 0);
      if (code === 38) next.fg = colour;
      else next.bg = colour;
      i += rgb ? 4 : 2;
    }
  }
  return next;
}

function indexed(n: number): number {
  if (n < 16) return Math.max(0, n) || 0;
  if (n >= 232) return n < 238 ? 0 : n < 246 ? 8 : n < 252 ? 7 : 15;
  const step = (k: number): number => (k === 0 ? 0 : 55 + 40 * k);
  const at = n - 16;
  return nearest(step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6));
}

function nearest(r: number, g: number, b: number): number {
  const top = Math.max(r, g, b);
  if (top - Math.min(r, g, b) < 40) return top < 64 ? 0 : top < 150 ? 8 : top < 220 ? 7 : 15;
  const on = (c: number): number => (c > top * 0.6 ? 1 : 0);
  return (on(r) | (on(g) << 1) | (on(b) << 2)) + (top > 200 ? 8 : 0);
}
