// The tasks that exist, as the history page shows them: asked for page by page, newest first, in groups by day.

import { batch, computed, signal } from "@preact/signals";
import type { TaskInfo } from "../../src/protocol/generated";
import { remember, remembered } from "../host";
import { asRequestError, folders, openTask, request, taskId } from "../store";

const pageSize = 50;

export const query = signal("");
export const starred = signal(false);
/** False shows the tasks of this workspace only. */
export const everywhere = signal(remembered<boolean>("everywhere") ?? false);
export const tasks = signal<readonly TaskInfo[]>([]);
export const loading = signal(false);
export const listProblem = signal<{ text: string; hint?: string } | null>(null);

const cursor = signal<string | undefined>(undefined);
export const more = computed(() => cursor.value !== undefined);
/** There is a workspace to limit the list to. */
export const scoped = computed(() => folders.value.length > 0 && !everywhere.value);

let turn = 0;
let left: string | undefined;

/** The page is opened: who comes back from a task that they opened there finds what they searched for, everybody else all tasks. */
export function begin(): void {
  if (left !== undefined && left === taskId.value) return;
  query.value = "";
  starred.value = false;
}

/** Shows a task of the list, on the chat page. */
export function open(task: TaskInfo): Promise<void> {
  left = task.taskId;
  return openTask(task.taskId);
}

/** Asks for the list from its beginning; what is shown stays until the answer is there. */
export function reload(): Promise<void> {
  return ask(undefined);
}

export function loadMore(): Promise<void> {
  return cursor.value === undefined || loading.value ? Promise.resolve() : ask(cursor.value);
}

async function ask(from: string | undefined): Promise<void> {
  const mine = ++turn;
  loading.value = true;
  const words = query.value.trim();
  try {
    const result = await request("clined/task/list", {
      limit: pageSize,
      ...(from !== undefined && { cursor: from }),
      ...(words !== "" && { query: words }),
      ...(scoped.value && { cwds: folders.value.map((f) => f.path) }),
      ...(starred.value && { favorite: true }),
    });
    if (mine !== turn) return;
    batch(() => {
      const before = from === undefined ? [] : tasks.value;
      // A task that changed meanwhile may come once more.
      const known = new Set(before.map((t) => t.taskId));
      tasks.value = [...before, ...result.tasks.filter((t) => !known.has(t.taskId))];
      cursor.value = result.nextCursor || undefined;
      listProblem.value = null;
    });
  } catch (error) {
    const { message, hint } = asRequestError(error);
    if (mine === turn) listProblem.value = { text: message, hint };
  } finally {
    if (mine === turn) loading.value = false;
  }
}

let pause: ReturnType<typeof setTimeout> | undefined;

/** Searches once typing pauses. */
export function search(words: string): void {
  query.value = words;
  clearTimeout(pause);
  pause = setTimeout(() => void reload(), 150);
}

export function showEverywhere(all: boolean): void {
  everywhere.value = all;
  remember("everywhere", all);
  void reload();
}

export function showStarred(only: boolean): void {
  starred.value = only;
  void reload();
}

/** Changes a task in the list once the daemon has done so. Rejects with what it says. */
export async function star(task: TaskInfo): Promise<void> {
  const favorite = !task.favorite;
  await request("clined/task/favorite", { taskId: task.taskId, favorite });
  replace(task.taskId, (t) => ({ ...t, favorite }));
}

export async function rename(task: TaskInfo, title: string): Promise<void> {
  await request("clined/task/rename", { taskId: task.taskId, title });
  replace(task.taskId, (t) => ({ ...t, title }));
}

export async function remove(task: TaskInfo): Promise<void> {
  await request("clined/task/delete", { taskId: task.taskId });
  tasks.value = tasks.value.filter((t) => t.taskId !== task.taskId);
}

function replace(id: string, change: (t: TaskInfo) => TaskInfo): void {
  tasks.value = tasks.value.map((t) => (t.taskId === id ? change(t) : t));
}
