// The choice of an API while it is made: what was typed, what the API offers, and what became of saving it. What is typed is kept
// while the view is hidden, but for the key: it is in no state, and goes to the host once, when it is tried or saved.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ModelInfo } from "../../src/protocol/generated";
import { accountName, parseBaseUrl } from "../../src/setup/choice";
import { status } from "../models/connected";
import { remember, remembered, setup } from "../host";
import { asRequestError } from "../store";
import { saveChoice } from "./setup-outcome";
import type { Told } from "./setup-outcome";

const provider = "openai";

/** What the API offers; null while it is asked. */
export interface Offered {
  models: readonly ModelInfo[] | null;
  problem?: string;
  hint?: string;
}

export type ApiChoice = ReturnType<typeof useApiChoice>;

export function useApiChoice() {
  const url = useSignal("");
  const secret = useSignal("");
  const model = useSignal("");
  const told = useSignal<Told | null>(null);
  const saving = useSignal(false);
  const offered = useSignal<Offered>({ models: [] });
  const touched = useRef(false);
  useEffect(() => {
    const typed = remembered<{ url: string; model: string }>("api");
    if (!typed) return;
    touched.current = true;
    url.value = typed.url;
    model.value = typed.model;
    void list();
  }, []);

  const kept = useComputed(() => {
    const place = parseBaseUrl(url.value);
    if ("problem" in place) return false;
    const name = accountName(provider, place.url);
    return status.value?.keys.some((k) => accountName(k.provider, k.baseUrl) === name) ?? false;
  });

  const turn = useRef(0);
  const list = async () => {
    const mine = ++turn.current;
    const place = parseBaseUrl(url.value);
    if ("problem" in place) {
      offered.value = url.value.trim() === "" ? { models: [] } : { models: [], ...place };
      return;
    }
    offered.value = { models: null };
    try {
      const result = await setup({ kind: "models", choice: { provider, baseUrl: place.url, ...(secret.value && { secret: secret.value }) } });
      if (mine === turn.current) offered.value = result;
    } catch (error) {
      const { message, hint } = asRequestError(error);
      if (mine === turn.current) offered.value = { models: [], problem: message, hint };
    }
  };
  // What is connected is what one begins with.
  useEffect(() => {
    const now = status.value;
    if (touched.current || !now?.model || now.demo || now.provider !== provider) return;
    const before = url.value;
    url.value = now.baseUrl ?? "";
    model.value = now.model;
    if (before !== url.value) void list();
  }, [status.value]);
  const changed = () => {
    touched.current = true;
    told.value = null;
    remember("api", { url: url.value, model: model.value });
  };
  const save = async (unchecked = false) => {
    saving.value = true;
    told.value = null;
    const choice = { provider, baseUrl: url.value, model: model.value, ...(secret.value && { secret: secret.value }) };
    told.value = await saveChoice(choice, unchecked);
    saving.value = false;
    if (told.value?.tone === "bad") return;
    secret.value = "";
    remember("api", undefined);
  };

  return { url, secret, model, told, saving, offered, kept, list, changed, save };
}
