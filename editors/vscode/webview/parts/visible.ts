// Text that may lie about itself: control characters and those that turn the direction of what is beside them are shown as signs.
// Whatever a user decides by (commands, paths, titles, rules) goes through here.

const lying = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function sign(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The text with signs for what cannot be seen; line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replace(lying, sign);
}

/** The same as one line: what breaks lines and repeated blanks are one blank. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}

/** A text cut to so many characters, with a sign that it is. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return text.slice(0, end) + "…";
}

export function plural(n: number, word: string, words = word + "s"): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? word : words}`;
}
