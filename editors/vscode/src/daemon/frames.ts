// Watches what a program writes to standard output for being of the protocol, before anything is kept of it: the client would
// wait for the end of any header, and of a message of any length.

/** In bytes; what is longer could not be read as a string. */
const longest = 256 << 20;
/** In bytes, of all headers of one message. */
const longestHead = 4096;

const first = "content-length: ";

export class Frames {
  private head = "";
  /** What is to come of the message that has begun, in bytes. */
  private left = 0;

  /** The beginning of what no message begins with, as one line; undefined while all is well. */
  follow(data: Buffer): string | undefined {
    for (let at = 0; at < data.length; ) {
      const taken = Math.min(this.left, data.length - at);
      this.left -= taken;
      at += taken;
      if (at === data.length) break;
      const before = this.head.length;
      this.head += data.toString("latin1", at, at + longestHead);
      const end = this.head.indexOf("\r\n\r\n");
      if (end < 0 ? !this.mayBecomeHead() : !this.isHead(this.head.slice(0, end))) return printable(this.head);
      if (end < 0) break;
      at += end + 4 - before;
      this.head = "";
    }
    return undefined;
  }

  private mayBecomeHead(): boolean {
    return this.head.length < longestHead && first.startsWith(this.head.slice(0, first.length).toLowerCase());
  }

  private isHead(head: string): boolean {
    const [, length] = /^content-length: (\d{1,9})(\r\n|$)/i.exec(head) ?? [];
    this.left = Number(length);
    return length !== undefined && this.left <= longest && head.length < longestHead;
  }
}

function printable(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.replace(/[^\x20-\x7e]+/g, " ").trim().slice(0, 80);
}
