// What a terminal printed, as text.

// Escape sequences: operating system commands, which shell integration is full of, and other strings; control sequences;
// and the short ones.
// eslint-disable-next-line no-control-regex
const escapes = /\x1b(?:[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\[[0-?]*[ -/]*(?:[@-~]|$)|[ -/]*[0-~])/g;
// eslint-disable-next-line no-control-regex
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Takes escape sequences away, and what a carriage return had overwritten. */
export function plain(printed: string): string {
  return printed
    .replace(escapes, "")
    .split("\n")
    .map((line) => {
      const shown = line.replace(/\r+$/, "");
      return shown.slice(shown.lastIndexOf("\r") + 1).replace(controls, "");
    })
    .join("\n");
}

/** The last lines of a text, at most `limit` characters of them; of a single longer line its end. */
export function tail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.length - limit;
  const line = text.indexOf("\n", cut - 1);
  const from = line < 0 || line === text.length - 1 ? cut : line + 1;
  // Not between the halves of a character.
  const low = text.charCodeAt(from);
  return text.slice(low >= 0xdc00 && low <= 0xdfff ? from + 1 : from);
}
