// A message of the user being changed in place. Sending it takes back the message and all that followed. What is being changed
// is kept as other drafts are.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { MessageItem } from "../../src/model/task";
import { remember, remembered } from "../host";
import { Adding, unread } from "./adding";
import { draftOf, setDraft, type Draft } from "./drafts";
import { blocks, picturesOf, textOf } from "./pictures";
import { blocked, sayAgain, sending, sendProblem } from "./sending";
import { focusComposer } from "../store";
import { sentence } from "../parts/words";
import { AttachButton } from "./composer";
import { PromptBox } from "./prompt-box";

/** The message that is being changed, by its id. */
export const editing = signal<string | null>(remembered<string>("editing") ?? null);

const keyOf = (messageId: string) => `message ${messageId}`;

export function startEditing(item: MessageItem): void {
  endEditing();
  setDraft({ text: textOf(item.content), pictures: picturesOf(item.content) }, keyOf(item.messageId));
  sendProblem.value = null;
  edit(item.messageId);
}

function endEditing(): void {
  if (editing.value !== null) setDraft({ text: "", pictures: [] }, keyOf(editing.value));
  edit(null);
}

function edit(messageId: string | null): void {
  editing.value = messageId;
  remember("editing", messageId);
}

export function EditMessage({ item }: { item: MessageItem }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const key = keyOf(item.messageId);
  const draft = draftOf(key);
  const change = (change: Partial<Draft>) => setDraft(change, key);
  const adding = useMemo(
    () =>
      new Adding(
        () => draftOf(key).pictures,
        (pictures) => change({ pictures }),
      ),
    [],
  );
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const end = () => {
    endEditing();
    focusComposer.value++;
  };
  const prompt = blocks(draft.text, draft.pictures);
  const why = blocked.value ?? (adding.reading.value > 0 ? unread : undefined);
  const send = async () => {
    if (prompt.length === 0 || sending.value || why !== undefined) return;
    if (await sayAgain(item.messageId, prompt)) end();
  };
  return (
    <div class="edit-message" data-testid="edit-message">
      <PromptBox
        field={field}
        draft={draft}
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
            title={why ?? "Send (Enter)"}
            disabled={prompt.length === 0 || sending.value || why !== undefined}
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
