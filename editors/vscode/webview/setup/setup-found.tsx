// The model servers that run on this machine, each with its models: connected by one press.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FoundServer } from "../../src/protocol/generated";
import { setup } from "../host";
import { Icon } from "../parts/icons";
import { asRequestError } from "../store";
import { Outcome, saveChoice } from "./setup-outcome";
import type { Told } from "./setup-outcome";

export function SetupFound() {
  const servers = useSignal<readonly FoundServer[] | null>(null);
  const trouble = useSignal<Told | null>(null);
  const look = async () => {
    servers.value = null;
    trouble.value = null;
    try {
      servers.value = (await setup({ kind: "discover" })).servers;
    } catch (error) {
      const { message, hint } = asRequestError(error);
      servers.value = [];
      trouble.value = { tone: "bad", text: message, hint };
    }
  };
  useEffect(() => void look(), []);
  return (
    <section class="setup-part" aria-labelledby="setup-found">
      <header class="setup-part-header">
        <Icon name="server" />
        <h2 id="setup-found">On this machine</h2>
        <button class="icon-button" data-testid="look-again" title="Look again" aria-label="Look again" disabled={servers.value === null} onClick={() => void look()}>
          <Icon name="refresh" />
        </button>
      </header>
      {servers.value === null && (
        <p class="quiet setup-looking" role="status">
          <Icon name="loading" spin /> Looking for model servers…
        </p>
      )}
      {servers.value?.length === 0 && !trouble.value && (
        <p class="quiet">No model server answers. Start Ollama, LM Studio, llama.cpp, vLLM or one like them, and look again.</p>
      )}
      {servers.value?.map((s) => <Server key={s.baseUrl} server={s} />)}
      <Outcome told={trouble.value} />
    </section>
  );
}

function Server({ server }: { server: FoundServer }) {
  const chosen = useSignal(server.models[0] ?? "");
  const told = useSignal<Told | null>(null);
  const busy = useSignal(false);
  const connect = async (unchecked = false) => {
    busy.value = true;
    told.value = await saveChoice({ provider: server.provider, baseUrl: server.baseUrl, model: chosen.value }, unchecked);
    busy.value = false;
  };
  return (
    <div class="setup-server" data-testid="found-server">
      <div class="setup-server-name">
        {server.name} <span class="quiet">{server.baseUrl}</span>
      </div>
      {server.models.length === 0 ? (
        <p class="quiet">It offers no model yet: have it load one, and look again.</p>
      ) : (
        <form
          class="setup-server-choice"
          onSubmit={(e) => {
            e.preventDefault();
            void connect();
          }}
        >
          <select
            class="setup-select"
            aria-label={`Model of ${server.name}`}
            data-testid="found-model"
            value={chosen.value}
            onChange={(e) => (chosen.value = e.currentTarget.value)}
          >
            {server.models.map((m) => (
              <option key={m} value={m}>
                {m}
              </option>
            ))}
          </select>
          <button class="button" data-testid="found-use" disabled={busy.value}>
            {busy.value ? "Connecting…" : "Use it"}
          </button>
        </form>
      )}
      <Outcome told={told.value} force={() => void connect(true)} />
    </div>
  );
}
