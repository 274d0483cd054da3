// The checklist of the task: a line that opens to a list which the user may change.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icons";
import { task } from "../store";
import { changed, inserted, moved, progress, removed, type Entries, type Row, type Rows } from "./checklist-edit";
import { oneLine, prose } from "../parts/visible";
import { useDraft } from "./checklist-draft";

const open = signal(false);

export function Checklist() {
  const plan = task.value?.plan;
  const taskId = task.value?.info.taskId;
  if (!taskId || !plan || plan.entries.length === 0) return null;
  const { done, of, current } = progress(plan.entries);
  return (
    <section class="footer-box" data-testid="checklist" aria-label="Checklist">
      <button class="footer-line" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name={open.value ? "chevron-down" : "chevron-right"} />
        <progress class="unseen" max={of} value={done} />
        <Meter done={done} of={of} />
        <span class="checklist-count">
          {done} of {of}
        </span>
        <span class="checklist-current">{done === of ? "All done" : oneLine(current)}</span>
      </button>
      {open.value && <Editor key={taskId} taskId={taskId} entries={plan.entries} />}
      {open.value && plan.byUser && <p class="checklist-told quiet">The model will be told of your changes with its next request.</p>}
    </section>
  );
}

function Meter({ done, of }: { done: number; of: number }) {
  return (
    <span class="checklist-meter" aria-hidden="true">
      <span
        class="checklist-meter-done"
        ref={(el) => {
          if (el) el.style.width = `${of === 0 ? 0 : Math.round((done / of) * 100)}%`;
        }}
      />
    </span>
  );
}

function Editor({ taskId, entries }: { taskId: string; entries: Entries }) {
  const draft = useDraft(taskId, entries);
  const { shown, problem, write, send } = draft;
  const list = useRef<HTMLUListElement>(null);
  const focus = useRef<number | null>(null);
  // Before what is typed next arrives.
  useLayoutEffect(() => {
    if (focus.current === null) return;
    fieldsOf(list.current)[focus.current]?.focus();
    focus.current = null;
  });
  const keys = (event: KeyboardEvent, at: number): void => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
    if (event.key === "Enter" && !event.isComposing) {
      if (shown.every((e) => e.text.trim())) {
        focus.current = at + 1;
        send(inserted(shown, at + 1));
      } else fieldsOf(list.current)[at + 1]?.focus();
    } else if (event.key === "Backspace" && shown[at]?.text === "") {
      focus.current = Math.max(0, at - 1);
      send(removed(shown, at));
    } else if (event.altKey && step) {
      if (!shown[at + step]) return;
      focus.current = at + step;
      send(moved(shown, at, step));
    } else if (step) {
      fieldsOf(list.current)[at + step]?.focus();
    } else if (event.key === "Escape") {
      draft.drop();
      (event.target as HTMLElement).blur();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <ul class="checklist-list" ref={list}>
        {shown.map((row, i) => (
          <Step key={row.key} row={row} at={i} all={shown} write={write} send={send} sendDraft={draft.sendDraft} keys={keys} />
        ))}
      </ul>
      <button
        class="text-button checklist-add"
        onClick={() => {
          focus.current = shown.length;
          write(inserted(shown, shown.length));
        }}
      >
        <Icon name="add" /> Add a step
      </button>
      {problem && (
        <p class="terminal-problem" role="alert">
          {problem}{" "}
          <button class="text-button link" onClick={() => send(shown)}>
            Try again
          </button>
        </p>
      )}
    </>
  );
}

function fieldsOf(list: HTMLElement | null): HTMLInputElement[] {
  return [...(list?.querySelectorAll<HTMLInputElement>(".checklist-text") ?? [])];
}

interface StepProps {
  row: Row;
  at: number;
  all: Rows;
  write(next: Rows): void;
  send(next: Rows): void;
  sendDraft(): void;
  keys(event: KeyboardEvent, at: number): void;
}

function Step({ row, at, all, write, send, sendDraft, keys }: StepProps) {
  return (
    <li class={`checklist-item ${row.done ? "checklist-done" : ""}`}>
      <input
        type="checkbox"
        checked={row.done}
        aria-label={`Done: ${prose(row.text)}`}
        onChange={() => send(changed(all, at, { done: !row.done }))}
      />
      <input
        class="checklist-text"
        type="text"
        value={row.text}
        aria-label={`Step ${at + 1}; Alt and arrow keys move it`}
        onInput={(event) => write(changed(all, at, { text: event.currentTarget.value }))}
        onBlur={sendDraft}
        onKeyDown={(event) => keys(event, at)}
      />
      <span class="checklist-tools">
        <button class="icon-button" disabled={at === 0} aria-label={`Move step ${at + 1} up`} onClick={() => send(moved(all, at, -1))}>
          <Icon name="arrow-up" />
        </button>
        <button class="icon-button" disabled={at === all.length - 1} aria-label={`Move step ${at + 1} down`} onClick={() => send(moved(all, at, 1))}>
          <Icon name="arrow-down" />
        </button>
        <button class="icon-button" aria-label={`Remove step ${at + 1}`} onClick={() => send(removed(all, at))}>
          <Icon name="close" />
        </button>
      </span>
    </li>
  );
}
