// What was said while the agent works and waits for the end of its turn.

import { queued, sendNow, unqueue } from "./sending";
import { textOf } from "./pictures";
import { Icon } from "../parts/icons";
import { working } from "../store";

export function Queue() {
  if (queued.value.length === 0) return null;
  return (
    <section class="queue" aria-label="Queued messages" data-testid="queue">
      <h3 class="queue-title">{working.value ? "Queued for when it is done" : "Waits to be said: send anything or resume"}</h3>
      <ul class="queue-items">
        {queued.value.map((item) => {
          const text = textOf(item.content);
          const pictures = item.content.filter((c) => c.type === "image").length;
          const words = [text.trim(), pictures > 0 && (pictures === 1 ? "1 picture" : `${pictures} pictures`)].filter(Boolean).join(" · ");
          return (
            <li key={item.id} class="queue-item" data-testid="queue-item">
              <span class="queue-text" title={text}>
                {words}
              </span>
              {working.value && item.turnId && (
                <>
                  <button class="icon-button" data-testid="queue-now" title="Say it now, to the running turn" aria-label="Say it now" onClick={() => void sendNow(item)}>
                    <Icon name="arrow-up" />
                  </button>
                  <button class="icon-button" data-testid="queue-remove" title="Take it back" aria-label="Take it back" onClick={() => void unqueue(item)}>
                    <Icon name="close" />
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
