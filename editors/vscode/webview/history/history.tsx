// The page of the tasks that exist: a search field over a list that draws only what is seen of it.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { everywhere, listProblem, loading, loadMore, more, query, reload, scoped, search, showEverywhere, showStarred, starred, tasks } from "./list";
import { rowsOf } from "./words";
import { afterDrawing } from "../parts/after";
import { Icon } from "../parts/icons";
import { folders, newTask, showChat } from "../store";
import { sentence } from "../parts/words";
import { HistoryItem } from "./history-item";

// Heights of rows, in the font's size.
const dayHeight = 2.4;
const itemHeight = 4.2;
/** Rows that are drawn beyond what is seen. */
const beyond = 8;

export function History() {
  useEffect(() => void reload(), []);
  return (
    <section
      class="history"
      data-testid="history"
      aria-label="Task history"
      onKeyDown={(e) => {
        if (e.key === "Escape") showChat();
      }}
    >
      <header class="page-header">
        <button class="icon-button" data-testid="back" title="Back (Escape)" aria-label="Back" onClick={showChat}>
          <Icon name="arrow-left" />
        </button>
        <h1 class="page-title">Task history</h1>
      </header>
      <Filters />
      <List />
    </section>
  );
}

function Filters() {
  return (
    <div class="history-filters">
      <label class="field history-search">
        <Icon name="search" />
        <input
          type="text"
          role="searchbox"
          data-testid="history-search"
          aria-label="Search titles and words that were said"
          placeholder="Search what was said…"
          value={query.value}
          spellcheck={false}
          ref={(input) => {
            if (input && !input.dataset.begun) {
              input.dataset.begun = "true";
              input.focus();
            }
          }}
          onInput={(e) => search(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === "Escape" && query.value !== "") {
              e.stopPropagation();
              search("");
            } else if (e.key === "ArrowDown") {
              e.preventDefault();
              document.querySelector<HTMLElement>(".history-item-open[tabindex='0']")?.focus();
            }
          }}
        />
        {loading.value && <Icon name="loading" spin />}
      </label>
      <div class="history-choices">
        {folders.value.length > 0 && (
          <div class="mode-switch" role="group" aria-label="Where from">
            <button class="mode-switch-part" aria-pressed={!everywhere.value} data-testid="history-here" onClick={() => showEverywhere(false)}>
              This workspace
            </button>
            <button class="mode-switch-part" aria-pressed={everywhere.value} data-testid="history-all" onClick={() => showEverywhere(true)}>
              All
            </button>
          </div>
        )}
        <button
          class="icon-button history-starred"
          data-testid="history-starred"
          title={starred.value ? "Show all" : "Show those with a star"}
          aria-label="Only those with a star"
          aria-pressed={starred.value}
          onClick={() => showStarred(!starred.value)}
        >
          <Icon name={starred.value ? "star-full" : "star-empty"} />
        </button>
      </div>
    </div>
  );
}

function List() {
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const em = useSignal(13);
  const at = useSignal(0);
  const now = new Date();
  const rows = useComputed(() => rowsOf(tasks.value, now));

  useLayoutEffect(() => {
    const el = scroller.current;
    if (!el) return;
    em.value = parseFloat(getComputedStyle(el).fontSize) || 13;
    const seen = new ResizeObserver(() => (height.value = el.clientHeight));
    seen.observe(el);
    return () => seen.disconnect();
  }, []);

  const sizes = rows.value.map((r) => (r.kind === "day" ? dayHeight : itemHeight + (r.task.damage ? 1.5 : 0)) * em.value);
  const tops: number[] = [];
  let total = 0;
  for (const size of sizes) {
    tops.push(total);
    total += size;
  }
  const first = Math.max(0, lastBefore(tops, top.value) - beyond);
  const last = Math.min(rows.value.length, lastBefore(tops, top.value + height.value) + beyond + 1);
  const nearEnd = last >= rows.value.length - beyond && more.value;
  useEffect(() => {
    if (nearEnd && !loading.value && !listProblem.value) void loadMore();
  }, [nearEnd, rows.value.length]);

  const current = Math.min(at.value, tasks.value.length - 1);
  const go = (index: number) => {
    const to = Math.max(0, Math.min(index, tasks.value.length - 1));
    const row = rows.value.findIndex((r) => r.kind === "task" && r.index === to);
    const el = scroller.current;
    if (row < 0 || !el) return;
    at.value = to;
    const [y, h] = [tops[row] ?? 0, sizes[row] ?? 0];
    if (y < el.scrollTop) el.scrollTop = to === 0 ? 0 : y;
    else if (y + h > el.scrollTop + el.clientHeight) el.scrollTop = y + h - el.clientHeight;
    top.value = el.scrollTop;
    afterDrawing(() => el.querySelector<HTMLElement>(".history-item-open[tabindex='0']")?.focus());
  };
  const key = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).classList.contains("history-item-open")) return;
    const visible = Math.max(1, Math.floor(height.value / (itemHeight * em.value)) - 1);
    const to: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + visible,
      PageUp: current - visible,
      Home: 0,
      End: tasks.value.length - 1,
    };
    const index = to[event.key];
    if (index === undefined) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && current === 0) document.querySelector<HTMLElement>("[data-testid=history-search]")?.focus();
    else go(index);
  };

  if (listProblem.value) {
    return (
      <Empty title={sentence(listProblem.value.text)} hint={listProblem.value.hint && sentence(listProblem.value.hint)} alert>
        <button class="button" onClick={() => void reload()}>
          Try again
        </button>
      </Empty>
    );
  }
  if (tasks.value.length === 0) return loading.value ? <div class="history-list" aria-busy="true" /> : <Nothing />;
  return (
    <div ref={scroller} class="history-list" role="list" onScroll={(e) => (top.value = e.currentTarget.scrollTop)} onKeyDown={key}>
      <div class="history-rows" ref={(el) => el?.style.setProperty("height", `${total}px`)}>
        {rows.value.slice(first, last).map((row, i) => {
          const y = tops[first + i] ?? 0;
          const place = (el: HTMLElement | null) => {
            if (!el) return;
            el.style.transform = `translateY(${y}px)`;
            el.style.height = `${sizes[first + i]}px`;
          };
          return (
            <div key={row.kind === "day" ? `day ${row.text}` : row.task.taskId} class="history-row" ref={place}>
              {row.kind === "day" ? (
                <h2 class="history-day">{row.text}</h2>
              ) : (
                <HistoryItem task={row.task} now={now} current={row.index === current} focus={() => (at.value = row.index)} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
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

function Nothing() {
  const words = query.value.trim();
  const wider = scoped.value && (
    <button class="button button-secondary" onClick={() => showEverywhere(true)}>
      Look in all workspaces
    </button>
  );
  if (words !== "") return <Empty title={`Nothing matches “${words}”`} hint="Titles and everything that was said are searched.">{wider}</Empty>;
  if (starred.value) return <Empty title="Nothing has a star yet" hint="The star of a task keeps it at hand.">{wider}</Empty>;
  return (
    <Empty title={scoped.value ? "No tasks in this workspace yet" : "No tasks yet"} hint="What you ask is kept here, with all that was done. Tasks can be gone on with at any time.">
      <button class="button" onClick={newTask}>
        New task
      </button>
      {wider}
    </Empty>
  );
}

function Empty({ title, hint, alert, children }: { title: string; hint?: string; alert?: boolean; children: preact.ComponentChildren }) {
  return (
    <div class="history-empty" role={alert ? "alert" : "status"}>
      <Icon name={alert ? "error" : "history"} class="history-empty-icon" />
      <p class="history-empty-title">{title}</p>
      {hint && <p class="quiet">{hint}</p>}
      <div class="history-empty-actions">{children}</div>
    </div>
  );
}
