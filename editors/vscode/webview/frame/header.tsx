// The line on top of a task: its title, which can be changed in place, and how full its context is. The ways to other pages
// are in VS Code's own title bar right above.

import { useSignal } from "@preact/signals";
import { asRequestError, request, task } from "../store";
import { oneLine } from "../parts/visible";
import { ContextMeter } from "./context-meter";

export function Header() {
  return (
    <header class="header">
      <Title />
      <ContextMeter />
    </header>
  );
}

function Title() {
  const editing = useSignal(false);
  const failed = useSignal("");
  const info = task.value?.info;
  const title = info?.title || "New task";
  if (!editing.value || !info) {
    return (
      <h1 class="header-title">
        <button
          class="header-rename"
          title={failed.value || `${title}\nPress to rename`}
          aria-label={`${title}: rename`}
          disabled={!info}
          onClick={() => (editing.value = true)}
        >
          {oneLine(title)}
        </button>
      </h1>
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
      failed.value = asRequestError(error).message;
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
        if (e.key === "Enter") void end(e.currentTarget.value);
        if (e.key === "Escape") void end();
      }}
    />
  );
}
