// The page that connects a model: servers found on this machine, any OpenAI-compatible API, or the demo; and the keys that are
// kept. It shows itself while no model is connected.

import { useEffect, useRef } from "preact/hooks";
import { loadStatus, missing, status, statusProblem } from "../models/connected";
import { Icon } from "../parts/icons";
import { daemon, modelNeeded, showChat, unsure } from "../store";
import { sentence } from "../parts/words";
import { Problem } from "../parts/problem";
import { SetupApi } from "./setup-api";
import { SetupDemo } from "./setup-demo";
import { SetupFound } from "./setup-found";
import { SetupKeys } from "./setup-keys";

export function Setup() {
  // The page was there before anything was known: it looks from the start as it most likely will.
  const guessed = useRef(unsure.value).current;
  useEffect(() => {
    void loadStatus();
    return () => void (modelNeeded.value = false);
  }, []);
  return (
    <section
      class="setup"
      data-testid="welcome"
      aria-label="Model and provider"
      onInput={() => (unsure.value = false)}
      onKeyDown={(e) => {
        if (e.key === "Escape" && !missing.value) showChat();
      }}
    >
      <header class="page-header">
        <button class="icon-button" data-testid="back" title="Back" aria-label="Back" onClick={showChat}>
          <Icon name="arrow-left" />
        </button>
        <h1 class="page-title">Model and provider</h1>
      </header>
      <div class="setup-scroll">
        <div class="setup-page">
          {daemon.value.kind === "failed" && <Problem problem={daemon.value} />}
          <Standing guessed={guessed} />
          <SetupFound />
          <SetupApi />
          <SetupDemo />
          <SetupKeys />
        </div>
      </div>
    </section>
  );
}

function Standing({ guessed }: { guessed: boolean }) {
  const now = status.value;
  if (statusProblem.value && daemon.value.kind !== "failed") {
    return (
      <p class="setup-told setup-bad" role="alert">
        <Icon name="error" />
        <span>
          {sentence(statusProblem.value.text)} {statusProblem.value.hint && sentence(statusProblem.value.hint)}
        </span>
      </p>
    );
  }
  if (!now && !guessed) return null;
  if (!now || missing.value) {
    return (
      <div class="setup-welcome">
        <h2 class="setup-title">Connect a model</h2>
        <p class="quiet">
          clined works with the model you choose: one that runs on this machine, or any OpenAI-compatible API. It reads your code, edits it with your
          approval, and runs the commands you allow.
        </p>
        {modelNeeded.value && (
          <p class="setup-told setup-info" role="alert" data-testid="setup-needed">
            <Icon name="info" />
            <span>A task needs a model: connect one below, or try the demo.</span>
          </p>
        )}
        {now?.model !== undefined && now.problem && (
          <p class="setup-told">
            <Icon name="info" />
            <span>{sentence(now.problem)}</span>
          </p>
        )}
      </div>
    );
  }
  return (
    <p class="setup-told setup-good" data-testid="setup-connected">
      <Icon name="pass" />
      <span>
        {now.demo ? (
          "The demo answers now. Connect a model to work for real."
        ) : (
          <>
            Connected: <strong>{now.model}</strong> {now.baseUrl && <span class="quiet">at {now.baseUrl}</span>}
          </>
        )}
      </span>
    </p>
  );
}
