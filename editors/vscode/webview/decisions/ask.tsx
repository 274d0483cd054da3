// A question of the agent, above the composer: proposed answers, or none. One's own words are written in the composer.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AskParams, AskResult } from "../../src/protocol/generated";
import { Icon } from "../parts/icons";
import { answerAsk, focusComposer, openApprovals, openAsks } from "../store";
import { said, takeFocus, useSettled } from "./approval";
import { Markdown } from "../transcript/markdown";
import { prose } from "../parts/visible";

/** The question that an answer is on its way to, and what went wrong with the last one. */
const sent = signal<string | null>(null);
const problem = signal<{ askId: string; text: string } | null>(null);

async function send(askId: string, result: AskResult): Promise<void> {
  sent.value = askId;
  problem.value = null;
  try {
    await answerAsk(askId, result);
  } catch (error) {
    problem.value = { askId, text: said(error) };
  } finally {
    sent.value = null;
  }
}

export function Asks() {
  // One thing at a time.
  const params = openApprovals.value.length > 0 ? undefined : openAsks.value[0];
  const hadFocus = useRef(false);
  useEffect(() => {
    if (params || !hadFocus.current) return;
    hadFocus.current = false;
    focusComposer.value++;
  }, [params]);
  if (!params) return null;
  return <AskCard key={params.askId} params={params} more={openAsks.value.length - 1} focused={hadFocus} />;
}

function AskCard({ params, more, focused }: { params: AskParams; more: number; focused: { current: boolean } }) {
  const card = useRef<HTMLElement>(null);
  const settled = useSettled();
  const options = params.options ?? [];
  const busy = sent.value === params.askId || !settled;
  useEffect(() => takeFocus(card.current, focused), []);
  const answer = (result: AskResult): void => {
    if (busy) return;
    focused.current = card.current?.contains(document.activeElement) ?? false;
    void send(params.askId, result);
  };
  const keys = (event: KeyboardEvent): void => {
    const chosen = /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey ? options[Number(event.key) - 1] : undefined;
    if (chosen === undefined || event.repeat) return;
    answer({ action: "accept", option: chosen });
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section ref={card} class="approval ask" data-testid="ask" tabIndex={-1} role="group" aria-label="Question of the agent" onKeyDown={keys}>
      <header class="approval-head">
        <Icon name="comment-discussion" class="approval-icon" />
        <h2 class="approval-title">Question</h2>
        {more > 0 && <span class="quiet">{more} more</span>}
        <button class="text-button link" data-testid="ask-decline" disabled={busy} onClick={() => answer({ action: "decline" })}>
          Decline to answer
        </button>
      </header>
      <div class="approval-body ask-text">
        <Markdown id={`ask:${params.askId}`} text={prose(params.text)} done />
      </div>
      {options.length > 0 && (
        <ol class="ask-options" aria-label="Proposed answers">
          {options.map((option, i) => (
            <li key={i}>
              <button class="ask-option" disabled={busy} data-testid="ask-option" onClick={() => answer({ action: "accept", option })}>
                {i < 9 && <kbd aria-hidden="true">{i + 1}</kbd>}
                <span>{prose(option)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {problem.value?.askId === params.askId && (
        <p class="approval-note" role="alert">
          {problem.value.text}
        </p>
      )}
      <p class="approval-note">{options.length > 0 ? "Or answer below in your own words." : "Answer below."}</p>
    </section>
  );
}
