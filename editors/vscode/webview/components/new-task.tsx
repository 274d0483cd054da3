// The chat page before there is a task: what one can do here, and a few first words to take.

import { composed, focusComposer } from "../store";

const suggestions = [
  "Explain how this project is built and where its main parts are",
  "Find the cause of the failing test and fix it",
  "Review my uncommitted changes",
];

function take(text: string) {
  composed.value = { type: "compose", text };
  focusComposer.value++;
}

export function NewTask() {
  return (
    <section class="new" aria-label="New task">
      <h2 class="new-title">What shall we work on?</h2>
      <p class="quiet">It reads and edits files, runs commands and uses your MCP servers, and asks before it changes anything.</p>
      <ul class="new-suggestions">
        {suggestions.map((text) => (
          <li key={text}>
            <button class="new-suggestion" onClick={() => take(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
