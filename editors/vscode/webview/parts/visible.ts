// Text that may lie about itself: control characters and those that turn the direction of what is beside them are shown as signs.
// Whatever a user decides by (commands, paths, titles, rules) goes through here.

const lying = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Blanks other than the plain one: to a shell they are letters, and some break lines. */
const blanks = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

const names = "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(" ");

// By name, for few fonts have the pictures of control characters.
function sign(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const name = code === 0x7f ? "DEL" : names[code];
  if (name !== undefined) return `⟨${name}⟩`;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The text with signs for what cannot be seen; line feeds, tabs and plain blanks stay. For what a machine reads. */
export function visible(text: string): string {
  return prose(text).replace(blanks, sign);
}

/** The same of what people write to each other: there other blanks than the plain one have their place. */
export function prose(text: string): string {
  return text.replace(lying, sign);
}

/** What turns the direction of what is beside it or hides what is said. Joiners and marks belong to languages and emoji, and so do tags behind a flag. */
const turning = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u180e\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/gu;

/** The same of what the model writes, in any language: only what would make it read as something else is shown as a sign. */
export function written(text: string): string {
  return text.replace(turning, sign);
}

/** The same as one line: what breaks lines and repeated blanks are one blank. */
export function oneLine(text: string): string {
  return prose(text.replace(/\s+/g, " ").trim());
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
