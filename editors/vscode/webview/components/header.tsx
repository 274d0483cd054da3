// The line on top: the task's title, which can be changed in place, and the ways to other pages.

import { useSignal } from "@preact/signals";
import { Icon } from "../icons";
import { newTask, request, showHistory, task, taskId } from "../store";
import { oneLine } from "./output-visible";
import { ContextMeter } from "./context-meter";

export function Header() {
  return (
    <header class="header">
      {taskId.value ? <Title /> : <h1 class="header-title header-empty">New task</h1>}
      <div class="header-actions">
        <ContextMeter />
        <button class="icon-button" data-testid="open-history" title="Task history" aria-label="Task history" onClick={showHistory}>
          <Icon name="history" />
        </button>
        <button class="icon-button" data-testid="new-task" title="New task" aria-label="New task" onClick={newTask}>
          <Icon name="add" />
        </button>
      </div>
    </header>
  );
}

function Title() {
  const editing = useSignal(false);
  const info = task.value?.info;
  const title = info?.title || "New task";
  if (!editing.value || !info) {
    return (
      <h1 class="header-title">
        <button class="header-rename" title={`${oneLine(title)} (select to rename)`} disabled={!info} onClick={() => (editing.value = true)}>
          {oneLine(title)}
        </button>
      </h1>
    );
  }
  const end = (to?: string) => {
    if (!editing.value) return;
    editing.value = false;
    const next = to?.trim();
    if (next && next !== info.title) void request("clined/task/rename", { taskId: info.taskId, title: next });
  };
  return (
    <input
      class="header-title header-input"
      aria-label="Title of the task"
      value={info.title}
      maxLength={200}
      ref={(input) => input?.select()}
      onBlur={(e) => end(e.currentTarget.value)}
      onKeyDown={(e) => {
        if (e.key === "Enter") end(e.currentTarget.value);
        if (e.key === "Escape") end();
      }}
    />
  );
}
