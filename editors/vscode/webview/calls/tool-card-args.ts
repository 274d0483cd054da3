// The arguments of a call while the model writes them: JSON that may stop anywhere, also within a word or an escape.

/** Arguments as far as they are written. */
export interface PartialArgs {
  values: Record<string, unknown>;
  /** The text value that is still being written. */
  growing?: string;
  /** Whether the JSON came to its end. */
  whole: boolean;
}

/** Beyond this the text is not read for values any more: paths come first, long texts last. */
const most = 64 * 1024;

class Cut extends Error {}

class Reader {
  at = 0;
  growing: string | undefined;
  private depth = 0;

  constructor(private readonly text: string) {}

  blank(): string {
    while (this.at < this.text.length && " \t\r\n".includes(this.text.charAt(this.at))) this.at++;
    if (this.at >= this.text.length) throw new Cut();
    return this.text.charAt(this.at);
  }

  /** Reads a value and hands it to `keep` as soon as it has a beginning, again when it is whole. */
  value(keep: (value: unknown) => void, key?: string): void {
    const first = this.blank();
    if (first === "{") return this.object(keep);
    if (first === "[") return this.array(keep);
    if (first === '"') return keep(this.string((part) => (keep(part), (this.growing = key))));
    const word = /^[^\s,\]}]+/.exec(this.text.slice(this.at, this.at + 40))?.[0] ?? "";
    this.at += word.length;
    if (word === "" || this.at >= this.text.length) throw new Cut();
    keep(JSON.parse(word));
  }

  object(keep: (value: unknown) => void): void {
    const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    this.enter("{");
    keep(values);
    for (let next = this.blank(); next !== "}"; next = this.blank()) {
      if (next === ",") this.at++;
      this.blank();
      const key = this.string(() => undefined);
      if (this.blank() !== ":") throw new Cut();
      this.at++;
      this.value((value) => (values[key] = value), this.depth === 1 ? key : undefined);
    }
    this.leave();
  }

  array(keep: (value: unknown) => void): void {
    const values: unknown[] = [];
    this.enter("[");
    keep(values);
    for (let next = this.blank(), n = 0; next !== "]"; next = this.blank(), n++) {
      if (next === ",") this.at++;
      this.value((value) => (values[n] = value));
    }
    this.leave();
  }

  private enter(sign: string): void {
    if (this.text.charAt(this.at) !== sign || ++this.depth > 50) throw new Cut();
    this.at++;
  }

  private leave(): void {
    this.at++;
    this.depth--;
  }

  string(partial: (part: string) => void): string {
    if (this.text.charAt(this.at) !== '"') throw new Cut();
    const start = ++this.at;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text.charAt(this.at);
      if (char === "\\") this.at++;
      else if (char === '"') return unescape(this.text.slice(start, this.at++));
    }
    const raw = this.text.slice(start);
    partial(unescape(raw.replace(/(\\(u[\da-fA-F]{0,3})?|\\u[dD][89abAB][\da-fA-F]{2})$/, (tail, _u, at: number) => {
      let before = 0;
      while (raw.charAt(at - 1 - before) === "\\") before++;
      return before % 2 === 1 ? tail : "";
    })));
    throw new Cut();
  }
}

function unescape(raw: string): string {
  try {
    return JSON.parse(`"${raw.replace(/[\u0000-\u001f]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"))}"`) as string;
  } catch {
    throw new Cut();
  }
}

/** Reads as much as there is. What is no object has no values. */
export function partialArgs(text: string | undefined): PartialArgs {
  let values: Record<string, unknown> = {};
  if (!text) return { values, whole: false };
  const reader = new Reader(text.length > most ? text.slice(0, most) : text);
  try {
    reader.object((value) => (values = value as Record<string, unknown>));
    return { values, whole: true };
  } catch {
    return { values, growing: reader.growing, whole: false };
  }
}

/** The finished arguments; those that are no JSON object have no values. */
export function wholeArgs(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return partialArgs(text).values;
  }
}

/** How many lines of a long text stand in the JSON so far, by its escapes: cheap for texts of any length. */
export function writtenLines(text: string | undefined): number {
  if (!text) return 0;
  let lines = 0;
  for (let at = text.indexOf("\\"); at >= 0 && at < text.length; at = text.indexOf("\\", at + 2)) {
    if (text.charAt(at + 1) === "n") lines++;
  }
  return lines;
}
