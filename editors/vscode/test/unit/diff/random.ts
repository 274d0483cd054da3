// Texts for property tests: the same ones in each run.

/** Numbers from 0 to below n, from a seed (mulberry32). */
export function random(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const words = ["", "a", "b", "ab", "\tx := 1", "}", "é", "😀", "😁", "😀b"];

/** A text of few lines out of few words, so that lines repeat. */
export function someText(pick: (n: number) => number): string {
  return Array.from({ length: pick(12) + 1 }, () => words[pick(words.length)]!).join("\n");
}

/** A text like it, with some lines changed, gone or new. */
export function changed(pick: (n: number) => number, text: string): string {
  const lines = text.split("\n");
  for (let n = pick(4); n > 0; n--) {
    const at = pick(lines.length + 1);
    lines.splice(at, pick(3), ...Array.from({ length: pick(3) }, () => words[pick(words.length)]!));
  }
  return lines.join("\n");
}
