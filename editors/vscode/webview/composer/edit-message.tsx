// A message of the user being changed in place. Sending it takes back the message and all that followed.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { MessageItem } from "../../src/model/task";
import { Adding } from "./adding";
import type { Draft } from "./drafts";
import { blocks, picturesOf, textOf } from "./pictures";
import { blocked, sayAgain, sending, sendProblem } from "./sending";
import { focusComposer } from "../store";
import { sentence } from "../parts/words";
import { AttachButton } from "./composer";
import { PromptBox } from "./prompt-box";

/** The message that is being changed, by its id. */
export const editing = signal<string | null>(null);
// Kept beside the component: a long list draws only what is seen.
const draft = signal<Draft>({ text: "", pictures: [] });

export function startEditing(item: MessageItem): void {
  draft.value = { text: textOf(item.content), pictures: picturesOf(item.content) };
  sendProblem.value = null;
  editing.value = item.messageId;
}

export function EditMessage({ item }: { item: MessageItem }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const change = (change: Partial<Draft>) => void (draft.value = { ...draft.value, ...change });
  const adding = useMemo(
    () =>
      new Adding(
        () => draft.value.pictures,
        (pictures) => change({ pictures }),
      ),
    [],
  );
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const end = () => {
    editing.value = null;
    focusComposer.value++;
  };
  const prompt = blocks(draft.value.text, draft.value.pictures);
  const send = async () => {
    if (prompt.length === 0 || sending.value || blocked.value) return;
    if (await sayAgain(item.messageId, prompt)) end();
  };
  return (
    <div class="edit-message" data-testid="edit-message">
      <PromptBox
        field={field}
        draft={draft.value}
        change={change}
        adding={adding}
        label="Your message, changed"
        placeholder="Say something else…"
        testid="edit-field"
        enter={() => void send()}
        escape={end}
      >
        <div class="edit-message-bar">
          <span class="edit-message-note">Takes back everything after this message; files stay as they are.</span>
          <AttachButton adding={adding} />
          <button class="button button-secondary" data-testid="edit-cancel" title="Cancel (Escape)" onClick={end}>
            Cancel
          </button>
          <button
            class="button"
            data-testid="edit-send"
            title={blocked.value ?? "Send (Enter)"}
            disabled={prompt.length === 0 || sending.value || blocked.value !== undefined}
            onClick={() => void send()}
          >
            Send
          </button>
        </div>
      </PromptBox>
      {sendProblem.value && (
        <p class="prompt-box-trouble" role="alert">
          {sentence(sendProblem.value.text)} {sendProblem.value.hint && sentence(sendProblem.value.hint)}
        </p>
      )}
    </div>
  );
}
