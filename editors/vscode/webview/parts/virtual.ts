// A list of which only what is seen is in the document. Items may have any height and may grow; the end is kept in sight
// while the user looks at it, and what the user looks at stays where it is when items come in above.

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

export interface ListOptions {
  count: number;
  keyOf(index: number): string;
  estimate(index: number): number;
  scroller(): HTMLElement | null;
  /** An item that stays in the document though it is out of sight: the one with the focus; -1 when it is gone. */
  held: number | undefined;
}

export type List = Virtualizer<HTMLElement, HTMLElement>;

/** How near to the end, in pixels, counts as looking at the end. */
export const nearEnd = 40;

/** How far beyond what is seen is drawn: so many items, or as many as have so many pixels where they are tall. */
const beyond = { items: 6, pixels: 1200 };

/** Where the drawn items end that begin at `from` and go towards `to`. */
function drawnTo(from: number, to: number, estimate: (index: number) => number): number {
  const step = Math.sign(to - from);
  let at = from;
  for (let n = 0, pixels = 0; at !== to && n < beyond.items && pixels < beyond.pixels; n++) pixels += estimate((at += step));
  return at;
}

export function useList({ count, keyOf, estimate, scroller, held }: ListOptions): List {
  const [, draw] = useReducer((n: number, _: void) => n + 1, 0);
  const options = {
    count,
    getItemKey: keyOf,
    estimateSize: estimate,
    getScrollElement: scroller,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: beyond.items,
    anchorTo: "end" as const,
    followOnAppend: true,
    scrollEndThreshold: nearEnd,
    rangeExtractor: ({ startIndex, endIndex, count }: { startIndex: number; endIndex: number; count: number }) => {
      const first = drawnTo(startIndex, 0, estimate);
      const last = drawnTo(Math.min(endIndex, count - 1), count - 1, estimate);
      const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      if (held === undefined || held < 0 || held >= count || (held >= first && held <= last)) return all;
      return held < first ? [held, ...all] : [...all, held];
    },
    onChange: () => draw(undefined),
  };
  const [list] = useState(() => new Virtualizer<HTMLElement, HTMLElement>({ ...options, initialOffset: Number.MAX_SAFE_INTEGER }));
  list.setOptions({ ...list.options, ...options });
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  return list;
}
