// The places that VS Code keeps a key for, each with a way to forget it. No key is ever here.

import { useSignal } from "@preact/signals";
import { status } from "../models/connected";
import { setup } from "../host";
import { Icon } from "../parts/icons";
import { asRequestError } from "../store";
import { Outcome } from "./setup-outcome";
import type { Told } from "./setup-outcome";

export function SetupKeys() {
  const told = useSignal<Told | null>(null);
  const keys = status.value?.keys ?? [];
  if (keys.length === 0 && !told.value) return null;
  const signOut = async (place: { provider: string; baseUrl: string }) => {
    told.value = null;
    try {
      status.value = await setup({ kind: "signOut", ...place });
    } catch (error) {
      const { message, hint } = asRequestError(error);
      told.value = { tone: "bad", text: message, hint };
    }
  };
  return (
    <section class="setup-part" aria-labelledby="setup-keys">
      <header class="setup-part-header">
        <Icon name="key" />
        <h2 id="setup-keys">Keys that VS Code keeps</h2>
      </header>
      <ul class="setup-keys">
        {keys.map((k) => (
          <li key={`${k.provider} ${k.baseUrl}`} class="setup-key-row" data-testid="kept-key">
            <span class="setup-key-place">{k.baseUrl}</span>
            <button class="button button-secondary" onClick={() => void signOut(k)}>
              Sign out
            </button>
          </li>
        ))}
      </ul>
      <Outcome told={told.value} />
    </section>
  );
}
