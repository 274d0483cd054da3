// A component that is a file of its own, loaded when it is shown for the first time. Where that fails, it is tried again when the
// user says so.

import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { Icon } from "./icons";

type Loaded = "not yet" | "failed" | { Part: FunctionComponent };

export function lazy(load: () => Promise<FunctionComponent>): FunctionComponent {
  const loaded = signal<Loaded>("not yet");
  let asked = false;
  const ask = async () => {
    asked = true;
    try {
      loaded.value = { Part: await load() };
    } catch {
      loaded.value = "failed";
    }
  };
  return function Lazy() {
    if (!asked) void ask();
    const now = loaded.value;
    if (now === "not yet") return null;
    if (now === "failed") return <Failed again={() => void ask()} />;
    return <now.Part />;
  };
}

function Failed({ again }: { again(): void }) {
  return (
    <section class="problem" role="alert">
      <Icon name="error" class="problem-icon" />
      <div class="problem-text">
        <p>This page could not be loaded.</p>
        <div class="problem-help">
          <button class="button" onClick={again}>
            Try again
          </button>
        </div>
      </div>
    </section>
  );
}
