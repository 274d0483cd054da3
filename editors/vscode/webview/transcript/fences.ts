// Fenced code in what the user typed. All else of it stays as it was typed. Pure.

export interface Piece {
  /** Set for code: the language that the fence names, or nothing. */
  lang?: string;
  text: string;
}

const opening = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/;

/** The text in pieces. A fence that is not closed is no code. */
export function pieces(text: string): Piece[] {
  const lines = text.split(/\r?\n/);
  const out: Piece[] = [];
  let plain: string[] = [];
  const flush = () => {
    const words = plain.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
    if (words.trim() !== "") out.push({ text: words });
    plain = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const [, indent = "", marker = "", lang = ""] = opening.exec(line) ?? [];
    const end = marker === "" ? -1 : closing(lines, i + 1, marker);
    if (end < 0) {
      plain.push(line);
      continue;
    }
    flush();
    const strip = new RegExp(`^ {0,${indent.length}}`);
    out.push({ lang: lang.toLowerCase(), text: lines.slice(i + 1, end).map((l) => l.replace(strip, "")).join("\n") });
    i = end;
  }
  flush();
  return out;
}

function closing(lines: readonly string[], from: number, marker: string): number {
  for (let i = from; i < lines.length; i++) {
    const line = (lines[i] ?? "").trim();
    if (line.length >= marker.length && line === (marker[0] ?? "").repeat(line.length)) return i;
  }
  return -1;
}

/** The beginning of a text, of whole lines where they are not long. */
export function beginning(text: string, most: number): string {
  return text.slice(0, placeToCut(text, 0, most)).trimEnd();
}

/** A text in pieces that are laid out each by itself. They end between lines where these are not long. */
export function chunks(text: string, most: number): string[] {
  const out: string[] = [];
  let from = 0;
  for (; text.length - from > 2 * most; ) {
    const to = placeToCut(text, from, most);
    out.push(text.slice(from, to).replace(/\n$/, ""));
    from = to;
  }
  return [...out, text.slice(from)];
}

function placeToCut(text: string, from: number, most: number): number {
  const line = text.lastIndexOf("\n", from + most);
  if (line > from + most / 2) return line + 1;
  const space = text.lastIndexOf(" ", from + most);
  if (space > from + most / 2) return space + 1;
  return /[\udc00-\udfff]/.test(text.charAt(from + most)) ? from + most - 1 : from + most;
}
