// Lines of what a program prints, however much that is: long ones are cut, and of a flood the rest is counted.

import type { Readable } from "node:stream";

/** In characters. */
const longest = 8_000;
/** How many lines are taken in one second. */
const most = 2_000;

/** Hands on the lines of a stream, without line ends and never empty. */
export function eachLine(stream: Readable, take: (line: string) => void, clock: () => number = () => performance.now()): void {
  let begun = "";
  let since = clock();
  let taken = 0;
  let left = 0;
  const hand = (line: string): void => {
    if (line.trim() === "") return;
    if (clock() - since >= 1000) {
      since = clock();
      taken = 0;
      if (left > 0) take(`… ${left} lines were left out`);
      left = 0;
    }
    if (++taken > most) left++;
    else take(line.length > longest ? `${line.slice(0, longest)}…` : line);
  };
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const line = begun + text.slice(from, end);
      begun = "";
      from = end + 1;
      hand(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
    // Of a line without end its beginning is enough.
    if (begun.length <= longest) begun += text.slice(from);
  });
  stream.once("end", () => {
    hand(begun);
    if (left > 0) take(`… ${left} lines were left out`);
  });
}
