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
