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
  });

  const last = items.at(-1);
  const lastSeen = useRef(last);
  useEffect(() => {
    if (last !== lastSeen.current && away.value) below.value = true;
    lastSeen.current = last;
  }, [last]);

  // Only the user leaves the end: when what stands below grows, or the view is made smaller, the end stays in sight.
  const height = useRef(0);
  const look = () => {
    const box = scroller.current;
    if (!box) return;
    const resized = height.current !== 0 && box.clientHeight !== height.current;
    height.current = box.clientHeight;
    if (resized && !away.value) list.scrollToEnd();
    away.value = box.scrollHeight - box.scrollTop - box.clientHeight > nearEnd;
    if (!away.value) below.value = false;
    if (task.value?.more && box.scrollTop < nearOldest) void loadOlder();
  };
  // A page of the past may hold less than the view.
  useEffect(look, [items]);
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
