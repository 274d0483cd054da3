// The checklist of the task: a line that opens to a list which the user may change.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icons";
import { asRequestError, request, task } from "../store";
import { changed, inserted, moved, progress, removed, toMarkdown, type Entries } from "./checklist-edit";
import { oneLine, visible } from "../parts/visible";

const open = signal(false);

export function Checklist() {
  const plan = task.value?.plan;
  const taskId = task.value?.info.taskId;
  if (!taskId || !plan || plan.entries.length === 0) return null;
  const { done, of, current } = progress(plan.entries);
  return (
    <section class="checklist" data-testid="checklist" aria-label="Checklist">
      <button class="checklist-line" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
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
  /** What the user is making of it; null while it is the daemon's. */
  const [draft, setDraft] = useState<Entries | null>(null);
  const [problem, setProblem] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const focus = useRef<number | null>(null);
  const typing = useRef(false);
  const shown = draft ?? entries;
  // Before what is typed next arrives.
  useLayoutEffect(() => {
    if (focus.current === null) return;
    list.current?.querySelectorAll<HTMLInputElement>(".checklist-text")[focus.current]?.focus();
    focus.current = null;
  });
  // What the daemon tells replaces what was sent to it, but never what is being typed.
  useEffect(() => {
    if (!typing.current) setDraft(null);
  }, [entries]);
  const send = (next: Entries): void => {
    // A step without words is the user's alone as yet.
    typing.current = next.some((e) => !e.text.trim());
    setDraft(next);
    if (toMarkdown(next) === toMarkdown(entries)) return;
    request("clined/task/setChecklist", { taskId, markdown: toMarkdown(next) }).then(
      () => setProblem(""),
      (error: unknown) => {
        setProblem(asRequestError(error).message);
        typing.current = false;
        setDraft(null);
      },
    );
  };
  const keys = (event: KeyboardEvent, at: number): void => {
    const empty = (shown[at]?.text ?? "") === "";
    if (event.key === "Enter" && !event.isComposing) {
      focus.current = at + 1;
      if (shown.every((e) => e.text.trim())) send(inserted(shown, at + 1));
    } else if (event.key === "Backspace" && empty) {
      focus.current = Math.max(0, at - 1);
      send(removed(shown, at));
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const by = event.key === "ArrowUp" ? -1 : 1;
      if (!shown[at + by]) return;
      focus.current = at + by;
      send(moved(shown, at, by));
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      focus.current = at + (event.key === "ArrowUp" ? -1 : 1);
      setDraft(shown.slice());
    } else if (event.key === "Escape") {
      typing.current = false;
      setDraft(null);
      (event.target as HTMLElement).blur();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <ul class="checklist-list" ref={list}>
        {shown.map((entry, i) => (
          <li key={i} class={`checklist-item ${entry.done ? "checklist-done" : ""}`}>
            <input
              type="checkbox"
              checked={entry.done}
              aria-label={`Done: ${visible(entry.text)}`}
              onChange={() => send(changed(shown, i, { done: !entry.done }))}
            />
            <input
              class="checklist-text"
              type="text"
              value={entry.text}
              aria-label={`Step ${i + 1}; Alt and arrow keys move it`}
              onInput={(event) => {
                typing.current = true;
                setDraft(changed(shown, i, { text: event.currentTarget.value }));
              }}
              onBlur={() => draft && send(shown)}
              onKeyDown={(event) => keys(event, i)}
            />
            <span class="checklist-tools">
              <button class="icon-button" disabled={i === 0} aria-label={`Move step ${i + 1} up`} onClick={() => send(moved(shown, i, -1))}>
                <Icon name="arrow-up" />
              </button>
              <button class="icon-button" disabled={i === shown.length - 1} aria-label={`Move step ${i + 1} down`} onClick={() => send(moved(shown, i, 1))}>
                <Icon name="arrow-down" />
              </button>
              <button class="icon-button" aria-label={`Remove step ${i + 1}`} onClick={() => send(removed(shown, i))}>
                <Icon name="close" />
              </button>
            </span>
          </li>
        ))}
      </ul>
      <button
        class="text-button checklist-add"
        onClick={() => {
          focus.current = shown.length;
          typing.current = true;
          setDraft(inserted(shown, shown.length));
        }}
      >
        <Icon name="add" /> Add a step
      </button>
      {problem && <p class="terminal-problem" role="alert">{problem}</p>}
    </>
  );
}
