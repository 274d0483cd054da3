// The model that answers, and the way to another one: of this task, or of new ones where none is open.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ModelInfo } from "../../src/protocol/generated";
import { shortModel } from "../models/matching";
import { model, option, setOption } from "../models/options";
import { missing, status } from "../models/connected";
import { Icon } from "../parts/icons";
import { asRequestError, request, showSetup, taskId } from "../store";
import { sentence } from "../parts/words";
import { ModelList } from "../models/model-list";
import { Popover } from "../parts/popover";

export function ModelChip() {
  if (missing.value || !option("model")) {
    if (!missing.value) return null;
    return (
      <button type="button" class="model-chip model-chip-missing" data-testid="model-chip" onClick={showSetup} title="No model is connected yet">
        <Icon name="plug" />
        <span class="model-chip-name">Connect a model</span>
      </button>
    );
  }
  const name = model.value === "" ? "No model" : status.value?.demo ? "Demo" : shortModel(model.value);
  const whose = taskId.value ? "this task" : "new tasks";
  return (
    <Popover
      class="model-chip"
      testid="model-chip"
      label={`Model of ${whose}: ${name}`}
      tooltip={`Model of ${whose}: ${model.value || "none"}`}
      button={
        <>
          <span class="model-chip-name">{name}</span>
          <Icon name="chevron-down" class="model-chip-arrow" />
        </>
      }
    >
      {(close) => <Chooser whose={whose} close={close} />}
    </Popover>
  );
}

function Chooser({ whose, close }: { whose: string; close(): void }) {
  const models = useSignal<readonly ModelInfo[] | null>(null);
  const trouble = useSignal<{ text: string; hint?: string } | null>(null);
  useEffect(() => {
    let here = true;
    request("clined/model/list", {})
      .then((r) => {
        if (!here) return;
        models.value = r.models;
        if (r.problem) trouble.value = { text: r.problem, hint: r.hint };
      })
      .catch((error: unknown) => {
        const { message, hint } = asRequestError(error);
        if (!here) return;
        models.value = [];
        trouble.value = { text: message, hint };
      });
    return () => void (here = false);
  }, []);
  return (
    <div class="chooser" data-testid="model-chooser">
      <h3 class="chooser-title">Model of {whose}</h3>
      <ModelList
        models={models.value ?? []}
        loading={models.value === null}
        chosen={model.value}
        choose={(id) => {
          void setOption("model", id);
          close();
        }}
      />
      {trouble.value && (
        <p class="chooser-trouble" role="alert">
          <Icon name="warning" />
          <span>
            {sentence(trouble.value.text)}
            {trouble.value.hint && <span class="quiet"> {sentence(trouble.value.hint)}</span>}
          </span>
        </p>
      )}
      <button
        class="chooser-setup"
        data-testid="open-setup"
        onClick={() => {
          close();
          showSetup();
        }}
      >
        <Icon name="gear" /> Model and provider…
      </button>
    </div>
  );
}
