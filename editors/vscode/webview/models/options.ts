// The options of the task that is shown, or of new tasks where none is: mode, model, and what needs no question.

import { batch, computed, effect, signal } from "@preact/signals";
import type { EventOption } from "../../src/protocol/generated";
import { remember, remembered } from "../host";
import { asRequestError, attachedNow, daemon, ready, request, task, taskId } from "../store";
import type { RequestError } from "../store";

const got = signal<readonly EventOption[]>([]);

/** Why the last change did not hold. */
export const optionProblem = signal<RequestError | null>(null);

export const options = computed(() => got.value);

export function option(id: string): EventOption | undefined {
  return got.value.find((o) => o.id === id);
}

export const mode = computed(() => option("mode")?.value ?? task.value?.info.mode ?? "act");
export const model = computed(() => option("model")?.value ?? task.value?.info.model ?? "");

let asked = 0;

/** Asks anew; what a task that is shown tells by events needs no asking. */
export async function loadOptions(): Promise<void> {
  const turn = ++asked;
  const id = taskId.value;
  try {
    const result = await request("clined/config/get", id ? { taskId: id } : {});
    if (turn === asked) got.value = result.options;
    if (turn === asked && !id) await keepMode(result.options);
  } catch {
    // The daemon says what is wrong elsewhere; without options their controls are not shown.
    if (turn === asked) got.value = [];
  }
}

// The mode of new tasks is kept over restarts, which the daemon does not do for a session's choice.
async function keepMode(now: readonly EventOption[]): Promise<void> {
  const wanted = remembered<string>("mode");
  if (wanted && now.some((o) => o.id === "mode" && o.value !== wanted && o.choices?.includes(wanted))) await setOption("mode", wanted);
}

/** Changes an option at once; a refusal puts it back and is told by optionProblem. */
export async function setOption(id: string, value: string): Promise<void> {
  const before = got.value;
  const of = taskId.value;
  const turn = ++asked;
  batch(() => {
    got.value = before.map((o) => (o.id === id ? { ...o, value } : o));
    optionProblem.value = null;
  });
  if (id === "mode" && !of) remember("mode", value);
  try {
    const result = await request("clined/config/set", of ? { taskId: of, id, value } : { id, value });
    if (turn === asked) got.value = result.options;
  } catch (error) {
    batch(() => {
      if (turn === asked) got.value = before;
      optionProblem.value = asRequestError(error);
    });
  }
}

const attached = computed(() => (attachedNow.value ? (task.value?.info.taskId ?? null) : null));
const told = computed(() => task.value?.options);

effect(() => {
  const kind = daemon.value.kind;
  if (!ready.value || kind === "failed") return;
  // A task's options are there once it is attached.
  if (taskId.value === attached.value) void loadOptions();
});

// Events win over what was asked for before them.
effect(() => {
  if (!told.value?.length) return;
  asked++;
  got.value = told.value;
});
