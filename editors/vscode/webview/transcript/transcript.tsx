// The transcript of a task: a feed of its items, of which only what is seen is drawn.

import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { CallItem } from "../../src/model/task";
import { rows } from "./arrange";
import { Icon } from "../parts/icons";
import { memo } from "../parts/memo";
import { task, taskId } from "../store";
import { useList } from "../parts/virtual";
import { useEnd } from "./end";
import { Message, Part } from "./message";
import { Notice } from "./notice";
import { isLong, partsOf, type PartRow } from "./parts";
import { isOpen } from "./thought";
import { ToolCard } from "../calls/tool-card";
import { ToolGroup } from "../calls/tool-group";
import { describe } from "../calls/tool-card-words";
import { fold, groupWords, type Row as Folded } from "../calls/tool-group-fold";

type RowItem = Folded | PartRow;

export function Transcript() {
  // A list of its own for each task: it begins at the end.
  return <Feed key={taskId.value ?? ""} />;
}

function Feed() {
  const scroller = useRef<HTMLDivElement>(null);
  const items = useComputed(() => (task.value ? parted(fold(rows(task.value), task.value.state.state !== "idle")) : [])).value;
  const held = useSignal<string | null>(null);
  const list = useList({
    count: items.length,
    keyOf: (i) => items[i]?.id ?? String(i),
    estimate: (i) => estimate(items[i]),
    scroller: () => scroller.current,
    held: held.value === null ? undefined : items.findIndex((i) => i.id === held.value),
  });
  const end = useEnd(scroller, list, items);

  useLayoutEffect(() => {
    const box = scroller.current;
    box?.style.setProperty("--bar", `${box.offsetWidth - box.clientWidth}px`);
  }, []);

  const goTo = (index: number) => {
    const item = items[index];
    if (!item) return;
    held.value = item.id;
    list.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true }));
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
        onScroll={end.look}
        onKeyDown={(event) => step(event, items.length, goTo)}
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
      {end.away && <ToEnd fresh={end.below} go={() => list.scrollToEnd()} />}
    </div>
  );
}

function ToEnd({ fresh, go }: { fresh: boolean; go(): void }) {
  return (
    <button class={fresh ? "transcript-below transcript-new" : "transcript-below"} data-testid="to-end" title="Go to the end" aria-label={fresh ? "New below: go to the end" : "Go to the end"} onClick={go}>
      <Icon name="arrow-down" />
      {fresh && <span>New below</span>}
    </button>
  );
}

/** The keys that go from row to row; those in a row are the row's. */
function step(event: KeyboardEvent, count: number, goTo: (row: number) => void): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-index]")) return;
  const row = Number(event.target.dataset.index);
  const to = { End: count - 1, Home: 0, ArrowDown: row + 1, ArrowUp: row - 1 }[event.key];
  if (to === undefined) return;
  goTo(to);
  event.preventDefault();
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
