// The page of the tasks that exist: a search field over their list, and what stands in the place of a list without any.

import { useEffect, useLayoutEffect } from "preact/hooks";
import { begin, everywhere, listProblem, loading, query, reload, scoped, search, showEverywhere, showStarred, starred, tasks } from "./list";
import { Icon } from "../parts/icons";
import { folders, newTask, showChat } from "../store";
import { sentence } from "../parts/words";
import { Rows } from "./history-rows";

export function History() {
  useLayoutEffect(begin, []);
  useEffect(() => void reload(), [folders.value]);
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

const searchField = () => document.querySelector<HTMLInputElement>("[data-testid=history-search]");

function Filters() {
  return (
    <div class="history-filters">
      <Search />
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

function Search() {
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && query.value !== "") {
      event.stopPropagation();
      search("");
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      document.querySelector<HTMLElement>(".history-item-open[tabindex='0']")?.focus();
    }
  };
  // What was searched for is taken up by whoever types on.
  useLayoutEffect(() => searchField()?.select(), []);
  return (
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
        onInput={(e) => search(e.currentTarget.value)}
        onKeyDown={key}
      />
      {loading.value && <Icon name="loading" spin />}
    </label>
  );
}

function List() {
  if (listProblem.value) {
    return (
      <Empty title={sentence(listProblem.value.text)} hint={listProblem.value.hint && sentence(listProblem.value.hint)} alert>
        <button class="button" onClick={() => void reload()}>
          Try again
        </button>
      </Empty>
    );
  }
  if (tasks.value.length > 0) return <Rows toSearch={() => searchField()?.focus()} />;
  return loading.value ? <div class="history-list" aria-busy="true" /> : <Nothing />;
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
