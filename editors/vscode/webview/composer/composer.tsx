// Where one writes to the agent: the prompt with its pictures, what waits in the queue, the task's mode, model and approvals,
// and the buttons to send and stop.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Adding, unread } from "./adding";
import { draft, draftKey, draftOf, said, setDraft } from "./drafts";
import { optionProblem } from "../models/options";
import { blocks } from "./pictures";
import { asked, blocked, say, send, sending, sendProblem, stop } from "./sending";
import { missing } from "../models/connected";
import { Icon } from "../parts/icons";
import { composed, elsewhere, focusComposer, platform, showSetup, task, taskId, working } from "../store";
import { sentence } from "../parts/words";
import { AutoApprove } from "./auto-approve";
import { ModeSwitch, toggleMode } from "./mode-switch";
import { ModelChip } from "./model-chip";
import { PromptBox } from "./prompt-box";
import { Queue } from "./queue";

export function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  const stopping = useSignal(false);
  // Pictures go where they were added, also when another task is shown by then.
  const adding = useMemo(() => {
    const key = draftKey.value;
    return new Adding(
      () => draftOf(key).pictures,
      (pictures) => setDraft({ pictures }, key),
    );
  }, [draftKey.value]);
  const command = platform.value === "mac" ? "⌘" : "Ctrl+";
  useIntake(field);
  useEffect(() => {
    const shortcut = (event: KeyboardEvent) => {
      if (event.key !== "." || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      toggleMode();
    };
    document.addEventListener("keydown", shortcut);
    return () => document.removeEventListener("keydown", shortcut);
  }, []);

  const written = draft.value.text.trim() !== "" || draft.value.pictures.length > 0;
  const escape = () => {
    if (!working.value || elsewhere.value) return;
    if (!written || stopping.value) {
      stopping.value = false;
      void stop();
    } else stopping.value = true; // what is written should not stop by a slip of the hand
  };

  return (
    <div class="composer">
      <Queue />
      <Trouble />
      <PromptBox
        field={field}
        draft={draft.value}
        change={(change) => {
          stopping.value = false;
          setDraft(change);
        }}
        adding={adding}
        label={asked.value ? "Your answer" : "Your message"}
        placeholder={placeholder()}
        testid="composer"
        said={said.value}
        enter={(now) => void send(now)}
        escape={escape}
      >
        <div class="composer-bar">
          <ModeSwitch shortcut={`${command}.`} />
          <ModelChip />
          <AutoApprove />
          <span class="composer-room" />
          <AttachButton adding={adding} />
          {working.value && !elsewhere.value && (
            <button class="icon-button composer-stop" data-testid="stop" title="Stop (Escape)" aria-label="Stop" onClick={() => void stop()}>
              <Icon name="debug-stop" />
            </button>
          )}
          {(!working.value || written || elsewhere.value) && <SendButton written={written} reading={adding.reading.value > 0} command={command} />}
        </div>
      </PromptBox>
      <p class="composer-hint" role="status">
        {stopping.value
          ? "Escape again stops the agent"
          : working.value && !elsewhere.value && written && !asked.value
            ? `Enter queues it · ${command}Enter says it now`
            : ""}
      </p>
    </div>
  );
}

function placeholder(): string {
  if (asked.value) return "Answer the question…";
  if (taskId.value === null) return "Describe a task…";
  if (elsewhere.value) return "Say more once the other window is done…";
  if (working.value) return "Say more while it works…";
  return task.value?.info.state === "interrupted" ? "Go on, or say something else…" : "Ask a follow-up…";
}

function SendButton({ written, reading, command }: { written: boolean; reading: boolean; command: string }) {
  const verb = asked.value ? "Answer" : working.value && !elsewhere.value ? "Queue" : "Send";
  const why = blocked.value ?? (reading ? unread : written ? undefined : "Nothing is written yet");
  const title = why ? `${verb}: ${why}` : verb === "Queue" ? `Queue (Enter); say it now (${command}Enter)` : `${verb} (Enter)`;
  return (
    <button
      class="icon-button composer-send"
      data-testid="send"
      title={title}
      aria-label={verb}
      aria-description={why}
      disabled={why !== undefined}
      onClick={() => void send()}
    >
      <Icon name={sending.value ? "loading" : "arrow-up"} spin={sending.value} />
    </button>
  );
}

export function AttachButton({ adding }: { adding: Adding }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        class="icon-button"
        data-testid="attach"
        title="Add pictures (or paste them, or drop them with files)"
        aria-label="Add pictures"
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        data-testid="attach-input"
        onChange={(e) => {
          const files = [...(e.currentTarget.files ?? [])];
          e.currentTarget.value = "";
          void adding.add(files);
        }}
      />
    </>
  );
}

function Trouble() {
  const told = sendProblem.value ?? (optionProblem.value ? { text: optionProblem.value.message, hint: optionProblem.value.hint } : null);
  if (told) {
    return (
      <div class="composer-trouble" role="alert" data-testid="composer-problem">
        <Icon name="error" />
        <span>
          {sentence(told.text)}
          {told.hint && <span class="quiet"> {sentence(told.hint)}</span>}
        </span>
        <button
          class="icon-button"
          title="Dismiss"
          aria-label="Dismiss"
          onClick={() => {
            sendProblem.value = null;
            optionProblem.value = null;
          }}
        >
          <Icon name="close" />
        </button>
      </div>
    );
  }
  if (!missing.value) return null;
  return (
    <div class="composer-trouble composer-missing" data-testid="composer-missing">
      <Icon name="plug" />
      <span>No model is connected yet.</span>
      <button class="button" onClick={showSetup}>
        Connect a model
      </button>
    </div>
  );
}

// Takes in what commands and suggestions put here, and the focus when it is wanted.
function useIntake(field: { current: HTMLTextAreaElement | null }): void {
  useSignalEffect(() => {
    if (focusComposer.value === 0) return;
    requestAnimationFrame(() => {
      const el = field.current;
      el?.focus();
      el?.setSelectionRange(el.value.length, el.value.length);
    });
  });
  // Another suggestion takes the place of one that was not touched.
  const suggestion = useRef("");
  useSignalEffect(() => {
    const message = composed.value;
    if (!message) return;
    queueMicrotask(() => {
      if (composed.value !== message) return;
      composed.value = null;
      const write = () => {
        const now = draft.value;
        const before = suggestion.current !== "" && now.text === suggestion.current ? "" : now.text.trimEnd();
        if (message.suggestion) suggestion.current = message.text;
        const text = [before, message.text].filter((t) => t !== "").join("\n\n");
        setDraft({ text });
        focusComposer.value++;
      };
      // What cannot be said now is not lost.
      if (message.send) void say(blocks(message.text, []), "prompt").then((said) => said || write());
      else write();
    });
  });
}
