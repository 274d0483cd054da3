// What became of saving a choice, in its place; and the saving itself, which the ways to a model share.

import type { ModelChoice } from "../../src/chat/messages";
import { connected } from "../models/connected";
import { setup } from "../host";
import { Icon } from "../parts/icons";
import { asRequestError, focusComposer, showChat } from "../store";
import { sentence } from "../parts/words";

export interface Told {
  tone: "bad" | "info";
  text: string;
  hint?: string;
  /** Saving all the same would do. */
  forcible?: boolean;
}

/** Saves a choice. Goes to the chat when all is well, else says what to tell. */
export async function saveChoice(choice: ModelChoice, unchecked = false): Promise<Told | null> {
  try {
    const result = await setup({ kind: "save", choice, unchecked });
    if (result.status) await connected(result.status);
    if (!result.saved) return { tone: "bad", text: result.problem ?? "It was not saved.", hint: result.hint, forcible: result.forcible };
    if (result.problem) return { tone: "info", text: result.problem, hint: result.hint };
    if (result.sessionOnly) {
      return { tone: "info", text: "Connected. VS Code’s secret storage did not take the key: it is forgotten when this window closes." };
    }
    showChat();
    focusComposer.value++;
    return null;
  } catch (error) {
    const { message, hint } = asRequestError(error);
    return { tone: "bad", text: message, hint };
  }
}

const icons = { bad: "error", info: "info" } as const;

export function Outcome({ told, force }: { told: Told | null; force?(): void }) {
  if (!told) return null;
  return (
    <div class={`setup-told setup-${told.tone}`} role="alert" data-testid="setup-outcome">
      <Icon name={icons[told.tone]} />
      <div>
        <p>{sentence(told.text)}</p>
        {told.hint && <p class="quiet">{sentence(told.hint)}</p>}
        {told.forcible && force && (
          <button type="button" class="button button-secondary" data-testid="save-anyway" onClick={force}>
            Save anyway
          </button>
        )}
      </div>
    </div>
  );
}
