// Whether a model is connected, and the page that connects one shown by itself while none is.

import { computed, effect, signal } from "@preact/signals";
import type { SetupView } from "../../src/chat/messages";
import { setup } from "../host";
import { asRequestError, daemon, demoPrompts, modelMissing, page, ready, showChat, showSetup, taskId, unsure } from "../store";
import { loadOptions, model, option, setOption } from "./options";

export const status = signal<SetupView | null>(null);
/** Why the state is not known. */
export const statusProblem = signal<{ text: string; hint?: string } | null>(null);

/** A model is known to be missing: not known is not missing. */
export const missing = computed(() => status.value !== null && !status.value.configured && !status.value.demo);

let shown = false;

export async function loadStatus(): Promise<void> {
  try {
    status.value = await setup({ kind: "status" });
    statusProblem.value = null;
    if (missing.value && !shown && page.value === "chat" && taskId.value === null) {
      shown = true;
      showSetup();
    }
    if (unsure.value && !missing.value && page.value === "setup") showChat();
    unsure.value = false;
  } catch (error) {
    const { message, hint } = asRequestError(error);
    statusProblem.value = { text: message, hint };
  }
}

/** Takes in what setup says now; new tasks begin with the model that it names. */
export async function connected(now: SetupView): Promise<void> {
  status.value = now;
  if (taskId.value === null && now.model && option("model") && model.value !== now.model) await setOption("model", now.model);
  else await loadOptions();
}

effect(() => {
  modelMissing.value = missing.value;
  demoPrompts.value = status.value?.examples ?? [];
});

effect(() => {
  const kind = daemon.value.kind;
  if (ready.value && kind !== "failed" && kind !== "starting") void loadStatus();
});

// Settings may have been changed meanwhile, in another editor.
window.addEventListener("focus", () => {
  if (!ready.value || daemon.value.kind !== "running") return;
  if (taskId.value === null) void loadOptions();
  if (missing.value || page.value === "setup") void loadStatus();
});
