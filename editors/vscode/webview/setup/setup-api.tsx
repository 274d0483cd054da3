// Any OpenAI-compatible API: its address, a key, and a model of the list that the API gives.

import { useSignal } from "@preact/signals";
import { Icon } from "../parts/icons";
import { ModelList } from "../models/model-list";
import { useApiChoice } from "./api-choice";
import type { ApiChoice } from "./api-choice";
import { Outcome } from "./setup-outcome";

const examples = [
  { name: "OpenAI", url: "https://api.openai.com/v1" },
  { name: "OpenRouter", url: "https://openrouter.ai/api/v1" },
  { name: "Local server", url: "http://127.0.0.1:8080/v1" },
];

export function SetupApi() {
  const api = useApiChoice();
  const { problem, hint } = api.offered.value;
  return (
    <section class="setup-part" aria-labelledby="setup-api">
      <header class="setup-part-header">
        <Icon name="globe" />
        <h2 id="setup-api">OpenAI-compatible API</h2>
      </header>
      <Examples api={api} />
      <form
        class="setup-form"
        onSubmit={(e) => {
          e.preventDefault();
          void api.save();
        }}
      >
        <AddressField api={api} />
        <KeyField api={api} />
        <ModelField api={api} />
        {!api.told.value && problem && <Outcome told={{ tone: "bad", text: problem, hint }} />}
        <Outcome told={api.told.value} />
        <Saving api={api} />
      </form>
    </section>
  );
}

function Examples({ api }: { api: ApiChoice }) {
  const { url, changed, list } = api;
  return (
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
  );
}

function AddressField({ api }: { api: ApiChoice }) {
  const { url, changed, list } = api;
  return (
    <>
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
    </>
  );
}

function KeyField({ api }: { api: ApiChoice }) {
  const { secret, kept, changed, list } = api;
  const seen = useSignal(false);
  return (
    <>
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
    </>
  );
}

function ModelField({ api }: { api: ApiChoice }) {
  const { model, offered, changed } = api;
  const choosing = useSignal(false);
  const { models } = offered.value;
  return (
    <>
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
    </>
  );
}

function Saving({ api }: { api: ApiChoice }) {
  const { url, model, told, saving, save } = api;
  return (
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
  );
}
