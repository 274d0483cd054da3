// The line on top of a task: its title, which can be changed in place, and how full its context is. The ways to other pages
// are in VS Code's own title bar right above.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { asRequestError, request, task, taskId } from "../store";
import { oneLine } from "../parts/visible";
import { sentence } from "../parts/words";
import { ContextMeter } from "./context-meter";

export function Header() {
  return (
    <header class="header">
      <Title key={taskId.value} />
      <ContextMeter />
    </header>
  );
}

function Title() {
  const editing = useSignal(false);
  const failed = useSignal("");
  const info = task.value?.info;
  const title = info?.title || "New task";
  const button = useRef<HTMLButtonElement>(null);
  const refocus = useRef(false);
  useLayoutEffect(() => {
    if (!refocus.current || editing.value) return;
    refocus.current = false;
    button.current?.focus();
  });
  if (!editing.value || !info) {
    return (
      <div class="header-title">
        <h1 class="header-heading">
          <button
            ref={button}
            class="header-rename"
            title={`${title}\nPress to rename`}
            aria-label={`${title}: rename`}
            disabled={!info}
            onClick={() => (editing.value = true)}
          >
            {oneLine(title)}
          </button>
        </h1>
        {failed.value && (
          <p class="header-failed" role="alert">
            {failed.value}
          </p>
        )}
      </div>
    );
  }
  const end = async (to?: string) => {
    if (!editing.value) return;
    editing.value = false;
    failed.value = "";
    const next = to?.trim();
    if (!next || next === info.title) return;
    try {
      await request("clined/task/rename", { taskId: info.taskId, title: next });
    } catch (error) {
      failed.value = sentence(asRequestError(error).message);
    }
  };
  return (
    <input
      class="header-title header-input"
      aria-label="Title of the task"
      value={info.title}
      maxLength={200}
      ref={(input) => {
        if (!input || document.activeElement === input) return;
        input.focus();
        input.select();
      }}
      onBlur={(e) => void end(e.currentTarget.value)}
      onKeyDown={(e) => {
        if (e.key !== "Enter" && e.key !== "Escape") return;
        e.preventDefault(); // the button that has the focus then is not pressed by it
        refocus.current = true;
        void end(e.key === "Enter" ? e.currentTarget.value : undefined);
      }}
    />
  );
}
