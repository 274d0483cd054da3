// What a press on a link in rendered Markdown does: one handler for all, as that HTML has none of its own.

import { post, task } from "../store";

/** Acts on a click, or on the return key, within rendered Markdown. */
export function follow(event: MouseEvent | KeyboardEvent): void {
  if (event instanceof KeyboardEvent && event.key !== "Enter") return;
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-path],[data-url]") : null;
  if (!link) return;
  // VS Code's own listener would open a link a second time.
  event.preventDefault();
  event.stopPropagation();
  const { path, line, url } = link.dataset;
  if (url) post({ type: "openExternal", url });
  if (!path) return;
  const taskId = task.value?.info.taskId;
  post({ type: "openFile", path, ...(taskId ? { taskId } : {}), ...(line === undefined ? {} : { line: Number(line) }) });
}
