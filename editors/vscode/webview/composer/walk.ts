// The way by the arrow keys through what was said before, and back. What is typed on the way stays in its line, and so does the
// draft.

import { useRef } from "preact/hooks";

interface Walk {
  at: number;
  /** The lines as they are by now, the draft last. */
  lines: readonly string[];
  /** What the field shows if it is still on the way. */
  text: string;
}

/** `step` goes one line back (-1) or on (1): its text, or undefined where there is none. `typed` hears what the user writes. */
export function useWalk(said: readonly string[], text: string) {
  const walk = useRef<Walk | null>(null);
  // What the field shows: keys may come faster than it is drawn.
  const shown = useRef(text);
  shown.current = text;
  const step = (by: -1 | 1): string | undefined => {
    const from = shown.current;
    const now = walk.current?.text === from ? walk.current : { at: said.length, lines: [...said, from] };
    const at = now.at + by;
    const next = now.lines[at];
    if (next === undefined) return undefined;
    walk.current = { at, lines: now.lines.map((line, i) => (i === now.at ? from : line)), text: next };
    shown.current = next;
    return next;
  };
  const typed = (now: string): void => {
    if (walk.current?.text === shown.current) walk.current.text = now;
    shown.current = now;
  };
  return { step, typed };
}
