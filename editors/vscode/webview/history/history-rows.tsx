// The rows of the history: days and tasks, of which only those in sight are drawn. The arrow keys go through the tasks.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { HistoryItem } from "./history-item";
import { listProblem, loading, loadMore, more, tasks } from "./list";
import { useSight } from "./sight";
import { rowsOf, type Row } from "./words";
import { afterDrawing } from "../parts/after";

// Heights of rows, in the font's size.
const dayHeight = 2.4;
const itemHeight = 4.2;
/** Rows before the last that is drawn from where on more tasks are asked for. */
const ahead = 8;
const heightOf = (row: Row) => (row.kind === "day" ? dayHeight : itemHeight + (row.task.damage ? 1.5 : 0));

/** `toSearch` moves the focus above the first task. */
export function Rows({ toSearch }: { toSearch(): void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const at = useSignal(0);
  const now = new Date();
  const rows = useComputed(() => rowsOf(tasks.value, now)).value;
  const sight = useSight(scroller, rows.map(heightOf));

  const nearEnd = sight.last + ahead >= rows.length && more.value;
  useEffect(() => {
    if (nearEnd && !loading.value && !listProblem.value) void loadMore();
  }, [nearEnd, rows.length]);

  const current = Math.min(at.value, tasks.value.length - 1);
  const go = (index: number) => {
    const to = Math.max(0, Math.min(index, tasks.value.length - 1));
    at.value = to;
    sight.reveal(to === 0 ? 0 : rows.findIndex((r) => r.kind === "task" && r.index === to));
    afterDrawing(() => scroller.current?.querySelector<HTMLElement>(".history-item-open[tabindex='0']")?.focus());
  };
  const key = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).classList.contains("history-item-open")) return;
    const to = target(event.key, current, sight.screenful(itemHeight), tasks.value.length);
    if (to === undefined) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && current === 0) toSearch();
    else go(to);
  };
  return (
    <div ref={scroller} class="history-list" role="list" onScroll={sight.look} onKeyDown={key}>
      <div class="history-rows" ref={(el) => el?.style.setProperty("height", `${sight.total}px`)}>
        {rows.slice(sight.first, sight.last).map((row, i) => (
          <div key={row.kind === "day" ? `day ${row.text}` : row.task.taskId} class="history-row" ref={sight.place(sight.first + i)}>
            {row.kind === "day" ? (
              <h2 class="history-day">{row.text}</h2>
            ) : (
              <HistoryItem task={row.task} now={now} current={row.index === current} focus={() => (at.value = row.index)} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The task that a key leads to; undefined for one that leads nowhere. */
function target(key: string, from: number, screenful: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return from + 1;
    case "ArrowUp":
      return from - 1;
    case "PageDown":
      return from + screenful;
    case "PageUp":
      return from - screenful;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
