// The demo: a scripted model, for a first look without any key.

import { useSignal } from "@preact/signals";
import { connected, status } from "../models/connected";
import { setup } from "../host";
import { Icon } from "../parts/icons";
import { asRequestError, composed, newTask } from "../store";
import { Outcome } from "./setup-outcome";
import type { Told } from "./setup-outcome";

export function SetupDemo() {
  const told = useSignal<Told | null>(null);
  const busy = useSignal(false);
  const running = status.value?.demo === true;
  const turn = async () => {
    busy.value = true;
    told.value = null;
    try {
      const now = await setup({ kind: "demo", stop: running });
      await connected(now);
      if (!running) {
        newTask();
        composed.value = { type: "compose", text: now.examples?.[0] ?? "", suggestion: true };
      }
    } catch (error) {
      const { message, hint } = asRequestError(error);
      told.value = { tone: "bad", text: message, hint };
    }
    busy.value = false;
  };
  return (
    <section class="setup-part" aria-labelledby="setup-demo">
      <header class="setup-part-header">
        <Icon name="play" />
        <h2 id="setup-demo">Just looking?</h2>
      </header>
      <p class="quiet">
        A scripted model inside clined shows how it works: ask it for the weather, a new file, or a command. It needs no network and no key, and changes no
        file that exists.
      </p>
      <div>
        <button class="button button-secondary" data-testid="try-demo" disabled={busy.value} onClick={() => void turn()}>
          {running ? "End the demo" : "Try the demo"}
        </button>
      </div>
      <Outcome told={told.value} />
    </section>
  );
}
