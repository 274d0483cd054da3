// What was said while the agent works: to the turn that runs, which hears it at its next step, or for the end of that turn.

import type { MessageItem } from "../../src/model/task";
import { queued, sendNow, steering, unqueue } from "./sending";
import { textOf } from "./pictures";
import { Icon } from "../parts/icons";
import { elsewhere, working } from "../store";

export function Queue() {
  if (queued.value.length + steering.value.length === 0) return null;
  return (
    <section class="queue" aria-label="Messages that wait" data-testid="queue">
      {steering.value.length > 0 && (
        <>
          <h3 class="queue-title">Said at the next step</h3>
          <ul class="queue-items">
            {steering.value.map((item) => (
              <li key={item.id} class="queue-item" data-testid="steering-item">
                <Words item={item} />
              </li>
            ))}
          </ul>
        </>
      )}
      {queued.value.length > 0 && (
        <>
          <h3 class="queue-title">{working.value ? "Queued for when it is done" : "Waits to be said: send anything or resume"}</h3>
          <ul class="queue-items">
            {queued.value.map((item) => (
              <li key={item.id} class="queue-item" data-testid="queue-item">
                <Words item={item} />
                {working.value && !elsewhere.value && item.turnId && <Ways item={item} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Words({ item }: { item: MessageItem }) {
  const text = textOf(item.content);
  const pictures = item.content.filter((c) => c.type === "image").length;
  const words = [text.trim(), pictures > 0 && (pictures === 1 ? "1 picture" : `${pictures} pictures`)].filter(Boolean).join(" · ");
  return (
    <span class="queue-text" title={text}>
      {words}
    </span>
  );
}

function Ways({ item }: { item: MessageItem }) {
  return (
    <>
      <button class="icon-button" data-testid="queue-now" title="Say it now, to the running turn" aria-label="Say it now" onClick={() => void sendNow(item)}>
        <Icon name="arrow-up" />
      </button>
      <button class="icon-button" data-testid="queue-remove" title="Take it back" aria-label="Take it back" onClick={() => void unqueue(item)}>
        <Icon name="close" />
      </button>
    </>
  );
}
