// Any OpenAI-compatible API: its address, a key, and a model of the list that the API gives. What is typed is kept while the view
// is hidden, but for the key: it is in no state, and goes to the host once, when it is tried or saved.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ModelInfo } from "../../src/protocol/generated";
import { accountName, parseBaseUrl } from "../../src/setup/choice";
import { status } from "../models/connected";
import { remember, remembered, setup } from "../host";
import { Icon } from "../parts/icons";
import { asRequestError } from "../store";
import { ModelList } from "../models/model-list";
import { Outcome, saveChoice } from "./setup-outcome";
import type { Told } from "./setup-outcome";

const examples = [
  { name: "OpenAI", url: "https://api.openai.com/v1" },
  { name: "OpenRouter", url: "https://openrouter.ai/api/v1" },
  { name: "Local server", url: "http://127.0.0.1:8080/v1" },
];

const provider = "openai";

export function SetupApi() {
  const url = useSignal("");
  const secret = useSignal("");
  const seen = useSignal(false);
  const model = useSignal("");
  const choosing = useSignal(false);
  const told = useSignal<Told | null>(null);
  const saving = useSignal(false);
  const offered = useSignal<{ models: readonly ModelInfo[] | null; problem?: string; hint?: string }>({ models: [] });
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

  const models = offered.value.models;
  return (
    <section class="setup-part" aria-labelledby="setup-api">
      <header class="setup-part-header">
        <Icon name="globe" />
        <h2 id="setup-api">OpenAI-compatible API</h2>
      </header>
      <div class="setup-examples" role="group" aria-label="Examples of addresses">
        {examples.map((e) => (
          <button
            key={e.name}
            type="button"
            class="setup-example"
            aria-pressed={url.value === e.url}
            title={e.url}
            onClick={() => {
              url.value = e.url;
              changed();
              void list();
            }}
          >
            {e.name}
          </button>
        ))}
      </div>
      <form
        class="setup-form"
        onSubmit={(e) => {
          e.preventDefault();
          void save();
        }}
      >
        <label class="setup-label" for="setup-url">
          Address
        </label>
        <input
          id="setup-url"
          class="setup-input"
          data-testid="setup-url"
          placeholder="https://api.example.com/v1"
          spellcheck={false}
          autocomplete="off"
          value={url.value}
          onInput={(e) => {
            url.value = e.currentTarget.value;
            changed();
          }}
          onChange={() => void list()}
        />
        <label class="setup-label" for="setup-key">
          Key
        </label>
        <div class="field setup-key">
          <input
            id="setup-key"
            data-testid="setup-key"
            type={(seen.value ? "text" : "password") as "password"}
            placeholder={kept.value ? "kept, leave empty" : "where the API wants one"}
            spellcheck={false}
            autocomplete="off"
            value={secret.value}
            onInput={(e) => {
              secret.value = e.currentTarget.value;
              changed();
              if ((e as InputEvent).inputType === "insertFromPaste") void list();
            }}
            onChange={() => void list()}
          />
          <button
            type="button"
            class="icon-button"
            title={seen.value ? "Hide the key" : "Show the key"}
            aria-label="Show the key"
            aria-pressed={seen.value}
            onClick={() => (seen.value = !seen.value)}
          >
            <Icon name="eye" />
          </button>
        </div>
        <label class="setup-label" for="setup-model">
          Model
        </label>
        <div class="field">
          <input
            id="setup-model"
            data-testid="setup-model"
            placeholder={models === null ? "Asking for the models…" : models.length > 0 ? `one of ${models.length.toLocaleString("en")}` : "the model’s id"}
            spellcheck={false}
            autocomplete="off"
            value={model.value}
            onInput={(e) => {
              model.value = e.currentTarget.value;
              changed();
            }}
          />
          {models === null && <Icon name="loading" spin />}
          {models !== null && models.length > 0 && (
            <button
              type="button"
              class="icon-button"
              data-testid="setup-choose"
              title="Choose of the list"
              aria-label="Choose of the list"
              aria-expanded={choosing.value}
              onClick={() => (choosing.value = !choosing.value)}
            >
              <Icon name={choosing.value ? "chevron-up" : "chevron-down"} />
            </button>
          )}
        </div>
        {choosing.value && models && models.length > 0 && (
          <div
            class="setup-models"
            onKeyDown={(e) => {
              if (e.key !== "Escape") return;
              e.stopPropagation();
              choosing.value = false;
            }}
          >
            <ModelList
              models={models}
              chosen={model.value}
              choose={(id) => {
                model.value = id;
                choosing.value = false;
                changed();
              }}
            />
          </div>
        )}
        {!told.value && offered.value.problem && <Outcome told={{ tone: "bad", text: offered.value.problem, hint: offered.value.hint }} />}
        <Outcome told={told.value} />
        <div class="setup-save">
          <button class="button" data-testid="setup-save" disabled={saving.value || url.value.trim() === "" || model.value.trim() === ""}>
            {saving.value ? "Checking…" : "Save"}
          </button>
          {told.value?.forcible && (
            <button type="button" class="button button-secondary" data-testid="save-anyway" onClick={() => void save(true)}>
              Save anyway
            </button>
          )}
          <span class="quiet setup-note">The key goes to VS Code’s secret storage, the rest to your settings.</span>
        </div>
      </form>
    </section>
  );
}
