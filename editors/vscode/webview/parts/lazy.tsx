// A component that is a file of its own, loaded when it is shown for the first time.

import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";

export function lazy(load: () => Promise<FunctionComponent>): FunctionComponent {
  const loaded = signal<{ Part: FunctionComponent } | null>(null);
  let asked = false;
  return function Lazy() {
    if (!asked) {
      asked = true;
      void load().then((Part) => (loaded.value = { Part }));
    }
    const now = loaded.value;
    return now && <now.Part />;
  };
}
