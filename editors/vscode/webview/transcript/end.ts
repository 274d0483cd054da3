// The end of the transcript: it stays in sight while things happen there, unless the user has scrolled away. Older items are
// asked for when the user comes near them.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { spoken } from "../composer/sending";
import { nearEnd, type List } from "../parts/virtual";
import { loadOlder, task } from "../store";

/** How near to the oldest item, in pixels, older ones are asked for. */
const nearOldest = 800;

export interface End {
  /** The user has scrolled away from it. */
  away: boolean;
  /** Something new stands there since. */
  below: boolean;
  /** To be called whenever it was scrolled. */
  look(): void;
}

export function useEnd(scroller: RefObject<HTMLElement | null>, list: List, items: readonly unknown[]): End {
  const away = useSignal(false);
  const below = useSignal(false);
  const begun = useRef(false);
  useLayoutEffect(() => {
    if (begun.current || items.length === 0) return;
    begun.current = true;
    list.scrollToEnd();
    // Where all is in sight nothing scrolls, and the list would never hear that it is at its end.
    list.scrollOffset = scroller.current?.scrollTop ?? 0;
  });

  const last = items.at(-1);
  const lastSeen = useRef(last);
  useEffect(() => {
    if (last !== lastSeen.current && away.value) below.value = true;
    lastSeen.current = last;
  }, [last]);

  // Only the user leaves the end, by going up. What comes below, or a view that is made smaller, may be far ahead of the scroller on
  // a busy machine, and is followed all the same.
  const seen = useRef({ top: 0, fromEnd: 0, height: 0 });
  const look = () => {
    const box = scroller.current;
    if (!box) return;
    const before = seen.current;
    const now = { top: box.scrollTop, fromEnd: box.scrollHeight - box.scrollTop - box.clientHeight, height: box.scrollHeight };
    const wentUp = now.top < before.top - 1 && now.fromEnd > before.fromEnd + Math.max(0, now.height - before.height) + 1;
    seen.current = now;
    if (now.fromEnd <= nearEnd) away.value = below.value = false;
    else if (wentUp) away.value = true;
    else if (!away.value) follow(box);
    if (task.value?.more && box.scrollTop < nearOldest) void loadOlder();
  };
  const follow = (box: HTMLElement) => {
    box.scrollTop = box.scrollHeight;
    seen.current = { top: box.scrollTop, fromEnd: box.scrollHeight - box.scrollTop - box.clientHeight, height: box.scrollHeight };
  };
  // Whatever was drawn: rows that come in are measured behind that, and may be taller. A page of the past may hold less than the view.
  useLayoutEffect(look);
  useEffect(() => {
    if (!scroller.current) return;
    const watch = new ResizeObserver(look);
    watch.observe(scroller.current);
    return () => watch.disconnect();
  }, []);

  // Who says something wants to see what becomes of it.
  useEffect(() => {
    if (spoken.value > 0) list.scrollToEnd();
  }, [spoken.value]);
  return { away: away.value, below: below.value, look };
}
