// The transcript of a task: a feed of its items, of which only what is seen is drawn. Its end stays in sight while things
// happen there, unless the user has scrolled away; older items are asked for when the user comes near them.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { CallItem } from "../../src/model/task";
import { rows } from "./arrange";
import { Icon } from "../parts/icons";
import { memo } from "../parts/memo";
import { loadOlder, task, taskId } from "../store";
import { nearEnd, useList } from "../parts/virtual";
import { Message, Part } from "./message";
import { Notice } from "./notice";
import { isLong, partsOf, type PartRow } from "./parts";
import { isOpen } from "./thought";
import { ToolCard } from "../calls/tool-card";
import { ToolGroup } from "../calls/tool-group";
import { describe } from "../calls/tool-card-words";
import { fold, groupWords, type Row as Folded } from "../calls/tool-group-fold";
import { spoken } from "../composer/sending";

type RowItem = Folded | PartRow;

export function Transcript() {
  // A list of its own for each task: it begins at the end.
  return <Feed key={taskId.value ?? ""} />;
}

function Feed() {
  const scroller = useRef<HTMLDivElement>(null);
  const items = useComputed(() => (task.value ? parted(fold(rows(task.value), task.value.state.state !== "idle")) : [])).value;
  const held = useSignal<string | null>(null);
  const away = useSignal(false);
  const below = useSignal(false);
  const list = useList({
    count: items.length,
    keyOf: (i) => items[i]?.id ?? String(i),
    estimate: (i) => estimate(items[i]),
    scroller: () => scroller.current,
    held: held.value === null ? undefined : items.findIndex((i) => i.id === held.value),
  });

  const begun = useRef(false);
  useLayoutEffect(() => {
    if (begun.current || items.length === 0) return;
    begun.current = true;
    list.scrollToEnd();
  });

  useLayoutEffect(() => {
    const box = scroller.current;
    box?.style.setProperty("--bar", `${box.offsetWidth - box.clientWidth}px`);
  }, []);

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
    if (task.value?.more && box.scrollTop < 800) void loadOlder();
  };
  // A page of the past may hold less than the view.
  useEffect(look, [items]);
  useEffect(() => {
    if (!scroller.current) return;
    const watch = new ResizeObserver(look);
    watch.observe(scroller.current);
    return () => watch.disconnect();
  }, []);

  const toEnd = () => list.scrollToEnd();
  // Who says something wants to see what becomes of it.
  useEffect(() => {
    if (spoken.value > 0) toEnd();
  }, [spoken.value]);
  const goTo = (index: number) => {
    const item = items[index];
    if (!item) return;
    held.value = item.id;
    list.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.target instanceof HTMLElement && event.target.matches("[data-index]") ? Number(event.target.dataset.index) : undefined;
    if (event.key === "End" && row !== undefined) goTo(items.length - 1);
    else if (event.key === "Home" && row !== undefined) goTo(0);
    else if (event.key === "ArrowDown" && row !== undefined) goTo(row + 1);
    else if (event.key === "ArrowUp" && row !== undefined) goTo(row - 1);
    else return;
    event.preventDefault();
  };

  return (
    <div class="transcript">
      <div
        ref={scroller}
        class="transcript-scroller"
        role="feed"
        aria-label="Transcript"
        aria-busy={task.value === null}
        data-testid="transcript"
        tabindex={items.length > 0 ? -1 : undefined}
        onScroll={look}
        onKeyDown={onKeyDown}
      >
        <div class="transcript-all" style={{ height: `${list.getTotalSize()}px` }}>
          {list.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index];
            return (
              item && (
                <article
                  key={key}
                  class="transcript-row"
                  data-index={index}
                  data-id={item.id}
                  data-part={item.kind === "part" ? joined(item) : undefined}
                  ref={list.measureElement}
                  style={{ transform: `translateY(${start}px)` }}
                  tabindex={index === items.length - 1 || item.id === held.value ? 0 : -1}
                  aria-posinset={index + 1}
                  aria-setsize={task.value?.more ? -1 : items.length}
                  aria-label={labelOf(item)}
                  onFocusIn={() => (held.value = item.id)}
                >
                  <Row item={item} />
                </article>
              )
            );
          })}
        </div>
      </div>
      {away.value && (
        <button class={below.value ? "transcript-below transcript-new" : "transcript-below"} data-testid="to-end" title="Go to the end" aria-label={below.value ? "New below: go to the end" : "Go to the end"} onClick={toEnd}>
          <Icon name="arrow-down" />
          {below.value && <span>New below</span>}
        </button>
      )}
    </div>
  );
}

function parted(rows: Folded[]): RowItem[] {
  if (!rows.some((row) => row.kind === "message" && isLong(row))) return rows;
  return rows.flatMap<RowItem>((row) => (row.kind === "message" && isLong(row) ? partsOf(row, isOpen) : row));
}

/** How a part of a message is joined to what is above it, for the style. */
function joined({ first, section }: PartRow): string {
  return first ? "first" : (section?.place.goesOn ?? "on");
}

const Row = memo(function Row({ item }: { item: RowItem }) {
  switch (item.kind) {
    case "message":
      return <Message item={item} />;
    case "part":
      return <Part row={item} />;
    case "notice":
      return <Notice item={item} />;
    case "call":
      return <ToolCard item={item} />;
    case "group":
      return <ToolGroup group={item} />;
  }
});

function labelOf(item: RowItem): string {
  switch (item.kind) {
    case "message":
      return item.role === "user" ? "You" : item.final ? "Answer" : "clined";
    case "part":
      return `${item.item.final ? "Answer" : "clined"}${item.first ? "" : ", continued"}`;
    case "notice":
      return "Notice";
    case "call":
      return describeCall(item);
    case "group":
      return groupWords(item.calls);
  }
}

function describeCall(call: CallItem): string {
  const { verb, target } = describe(call);
  return `${verb} ${target}`.trim();
}

// Near enough that the bar of the scroller does not jump: by length, at some fifty characters a line.
function estimate(item: RowItem | undefined): number {
  switch (item?.kind) {
    case "message": {
      const text = item.content.reduce((n, c) => n + (c.type === "text" ? (c.text?.length ?? 0) : 0), 0);
      return 30 + Math.ceil(text / 50) * 20;
    }
    case "part":
      return item.section ? 10 + Math.max(item.section.place.lines, (item.section.place.to - item.section.place.from) / 50) * 20 : 30;
    case "notice":
      return 48;
    default:
      return 30;
  }
}
