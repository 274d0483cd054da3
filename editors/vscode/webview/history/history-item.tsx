// A task of the history: its title and how it stands, with what can be done to it in its own place.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TaskInfo } from "../../src/protocol/generated";
import { open, remove, rename, scoped, star } from "./list";
import { figures, folderName, standing, timeOf } from "./words";
import { afterDrawing } from "../parts/after";
import { Icon } from "../parts/icons";
import { asRequestError, newTask, page, post, request, taskId } from "../store";

export type Doing = "rename" | "delete" | "export";

interface HistoryItemProps {
  task: TaskInfo;
  current: boolean;
  now: Date;
  focus(): void;
}

export function HistoryItem({ task, current, now, focus }: HistoryItemProps) {
  const doing = useSignal<Doing | null>(null);
  const trouble = useSignal("");
  const row = useRef<HTMLDivElement>(null);
  const attempt = (work: () => Promise<void>) => {
    trouble.value = "";
    work().catch((error: unknown) => {
      const { message, hint } = asRequestError(error);
      trouble.value = [message, hint].filter(Boolean).join(": ");
    });
  };
  const back = () => {
    doing.value = null;
    afterDrawing(() => row.current?.querySelector<HTMLElement>(".history-item-open")?.focus());
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && doing.value) {
      event.stopPropagation();
      back();
    } else if (doing.value || (event.target as HTMLElement).tagName === "INPUT") return;
    else if (event.key === "Delete" || (event.key === "Backspace" && event.metaKey)) doing.value = "delete";
    else if (event.key === "F2") doing.value = "rename";
    else return;
    event.preventDefault();
  };
  return (
    <div ref={row} class={`history-item${taskId.value === task.taskId ? " history-item-shown" : ""}`} data-testid="history-item" role="listitem" onKeyDown={key}>
      {doing.value === null && <Resting task={task} now={now} current={current} focus={focus} begin={(what) => (doing.value = what)} attempt={attempt} />}
      {doing.value === "rename" && (
        <Renaming
          title={task.title}
          done={(title) => {
            if (title && title !== task.title) attempt(() => rename(task, title));
            back();
          }}
        />
      )}
      {doing.value === "delete" && (
        <Asking text={`Delete “${task.title || "this task"}” for good?`} cancel={back}>
          <button
            class="button"
            data-testid="delete-confirm"
            data-first
            onClick={() =>
              attempt(async () => {
                await remove(task);
                if (taskId.value === task.taskId) leave();
                afterDrawing(() => document.querySelector<HTMLElement>(".history-item-open[tabindex='0']")?.focus());
              })
            }
          >
            Delete
          </button>
        </Asking>
      )}
      {doing.value === "export" && (
        <Asking text="Export as" cancel={back}>
          {(["markdown", "json"] as const).map((format, i) => (
            <button
              key={format}
              class="button button-secondary"
              data-testid={`export-${format}`}
              data-first={i === 0 || undefined}
              onClick={() => {
                post({ type: "export", taskId: task.taskId, format });
                back();
              }}
            >
              {format === "json" ? "JSON" : "Markdown"}
            </button>
          ))}
        </Asking>
      )}
      {trouble.value && (
        <p class="history-item-trouble" role="alert">
          {trouble.value}
        </p>
      )}
    </div>
  );
}

// The task that was shown is no more; the history stays in front.
function leave(): void {
  newTask();
  page.value = "history";
}

interface RestingProps extends HistoryItemProps {
  begin(what: Doing): void;
  attempt(work: () => Promise<void>): void;
}

function Resting({ task, now, current, focus, begin, attempt }: RestingProps) {
  const state = standing(task);
  const title = task.title || "A task without a title";
  const details = [timeOf(task.updated, now), !scoped.value && folderName(task.cwd), ...figures(task)].filter(Boolean).join(" · ");
  const resumable = state?.text === "Interrupted";
  return (
    <>
      <button
        class="history-item-open"
        tabIndex={current ? 0 : -1}
        title={title}
        onFocus={focus}
        onClick={() => void open(task)}
      >
        <span class="history-item-title">
          {task.favorite && <Icon name="star-full" class="history-item-starred" />}
          <span class="history-item-name">{title}</span>
        </span>
        <span class="history-item-details">
          {state && (
            <span class={`history-item-state history-item-${state.tone}`} title={state.more}>
              <Icon name={state.icon} spin={state.icon === "loading"} />
              {state.text}
            </span>
          )}
          <span class="history-item-when">{details}</span>
        </span>
        {task.damage && (
          <span class="history-item-damage">
            <Icon name="warning" />
            <span class="history-item-name">Damaged: {task.damage}</span>
          </span>
        )}
      </button>
      <span class="history-item-actions">
        {resumable && (
          <ItemButton
            name="debug-rerun"
            label="Resume"
            current={current}
            onClick={() =>
              attempt(async () => {
                await request("clined/task/resume", { taskId: task.taskId });
                await open(task);
              })
            }
          />
        )}
        <ItemButton
          name={task.favorite ? "star-full" : "star-empty"}
          label={task.favorite ? "Take the star away" : "Star"}
          current={current}
          onClick={() => attempt(() => star(task))}
        />
        <ItemButton name="edit" label="Rename (F2)" current={current} onClick={() => begin("rename")} />
        <ItemButton name="export" label="Export" current={current} onClick={() => begin("export")} />
        <ItemButton name="trash" label="Delete (Del)" current={current} onClick={() => begin("delete")} />
      </span>
    </>
  );
}

interface ItemButtonProps {
  name: Parameters<typeof Icon>[0]["name"];
  label: string;
  current: boolean;
  onClick(): void;
}

function ItemButton({ name, label, current, onClick }: ItemButtonProps) {
  return (
    <button class="icon-button" title={label} aria-label={label.replace(/ \(.*/, "")} tabIndex={current ? 0 : -1} onClick={onClick}>
      <Icon name={name} />
    </button>
  );
}

function Renaming({ title, done }: { title: string; done(title?: string): void }) {
  const ended = useRef(false);
  const end = (to?: string) => {
    if (ended.current) return;
    ended.current = true;
    done(to?.trim());
  };
  return (
    <input
      class="history-item-rename"
      data-testid="rename-field"
      aria-label="Title"
      defaultValue={title}
      maxLength={200}
      ref={(input) => {
        if (input && document.activeElement !== input) input.select();
      }}
      onBlur={(e) => end(e.currentTarget.value)}
      onKeyDown={(e) => {
        if (e.isComposing) return;
        if (e.key !== "Enter" && e.key !== "Escape") return;
        e.preventDefault(); // or the key would press what gets the focus
        e.stopPropagation();
        end(e.key === "Enter" ? e.currentTarget.value : undefined);
      }}
    />
  );
}

function Asking({ text, cancel, children }: { text: string; cancel(): void; children: preact.ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>("[data-first]")?.focus(), []);
  return (
    <div ref={box} class="history-item-asking" role="group" aria-label={text}>
      <span class="history-item-question">{text}</span>
      {children}
      <button class="button button-secondary" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}
