// A path that opens in the editor.

import { post, task } from "../store";
import { visible } from "./visible";

interface Props {
  path: string;
  /** From 0. */
  line?: number;
  label?: string;
  class?: string;
}

/** The path as people say it: relative to the task's folders where it is in one. */
export function shortPath(path: string, roots: readonly string[]): string {
  for (const root of roots) {
    const base = root.replace(/[\\/]+$/, "");
    if (base && path.startsWith(base) && /^[\\/]/.test(path.slice(base.length))) return path.slice(base.length + 1);
  }
  return path;
}

export function FileLink({ path, line, label, class: extra = "" }: Props) {
  const info = task.value?.info;
  const shown = label ?? shortPath(path, info?.roots ?? []);
  return (
    <button
      class={`text-button file-link ${extra}`}
      title={visible(line === undefined ? path : `${path}:${line + 1}`)}
      onClick={(event) => {
        event.stopPropagation();
        post({ type: "openFile", path, ...(info ? { taskId: info.taskId } : {}), ...(line === undefined ? {} : { line }) });
      }}
    >
      {visible(shown)}
    </button>
  );
}
