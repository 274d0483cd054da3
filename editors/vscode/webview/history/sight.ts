// Which rows of known heights are in sight of what scrolls them.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Rows that are drawn beyond what is seen. */
const beyond = 8;

export interface Sight {
  /** The rows to draw: from the first to the one before last. */
  first: number;
  last: number;
  /** The height of all rows, in pixels. */
  total: number;
  /** To be called whenever it was scrolled. */
  look(): void;
  /** Puts the element of a row to its place. */
  place(row: number): (el: HTMLElement | null) => void;
  /** Scrolls as little as shows a row whole. */
  reveal(row: number): void;
  /** How many rows of a height are seen at a time, less one. */
  screenful(height: number): number;
}

/** `heights` are in the font's size. */
export function useSight(scroller: RefObject<HTMLElement | null>, heights: readonly number[]): Sight {
  const top = useSignal(0);
  const height = useSignal(0);
  const em = useSignal(13);
  useLayoutEffect(() => {
    const el = scroller.current;
    if (!el) return;
    em.value = parseFloat(getComputedStyle(el).fontSize) || 13;
    const measure = () => (height.value = el.clientHeight);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(el);
    return () => watch.disconnect();
  }, []);

  const tops: number[] = [];
  let total = 0;
  for (const each of heights) {
    tops.push(total);
    total += each * em.value;
  }
  const sizeOf = (row: number) => (heights[row] ?? 0) * em.value;
  const look = () => (top.value = scroller.current?.scrollTop ?? 0);
  return {
    first: Math.max(0, lastBefore(tops, top.value) - beyond),
    last: Math.min(heights.length, lastBefore(tops, top.value + height.value) + beyond + 1),
    total,
    look,
    place: (row) => (el) => {
      if (!el) return;
      el.style.transform = `translateY(${tops[row] ?? 0}px)`;
      el.style.height = `${sizeOf(row)}px`;
    },
    reveal: (row) => {
      const el = scroller.current;
      const [y, size] = [tops[row], sizeOf(row)];
      if (!el || y === undefined) return;
      if (y < el.scrollTop) el.scrollTop = y;
      else if (y + size > el.scrollTop + el.clientHeight) el.scrollTop = y + size - el.clientHeight;
      look();
    },
    screenful: (size) => Math.max(1, Math.floor(height.value / (size * em.value)) - 1),
  };
}

/** The index of the last row that begins at or before a place. */
function lastBefore(tops: readonly number[], y: number): number {
  let [low, high] = [0, tops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
