// A question of the agent, above the composer: proposed answers, one's own words, or no answer.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AskParams, AskResult } from "../../src/protocol/generated";
import { Icon } from "../icons";
import { focusComposer, openAsks, platform, post } from "../store";
import { takeFocus } from "./approval";
import { visible } from "./output-visible";

const drafts = signal<ReadonlyMap<string, { words: string; sent?: boolean }>>(new Map());
const settleMs = 350;

export function Asks() {
  const params = openAsks.value[0];
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
  const since = useRef(performance.now());
  const { words = "", sent = false } = drafts.value.get(params.askId) ?? {};
  const change = (next: { words: string; sent?: boolean }): void => {
    drafts.value = new Map(drafts.value).set(params.askId, next);
  };
  useEffect(() => {
    takeFocus(card.current, focused);
  }, []);
  const answer = (result: AskResult): void => {
    if (sent || performance.now() - since.current < settleMs) return;
    focused.current = card.current?.contains(document.activeElement) ?? false;
    change({ words, sent: true });
    post({ type: "answer", askId: params.askId, result });
  };
  const options = params.options ?? [];
  const pick = (option: string): void => answer({ action: "accept", option, ...(words.trim() ? { text: words.trim() } : {}) });
  const say = (): void => {
    if (words.trim()) answer({ action: "accept", text: words.trim() });
  };
  const keys = (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLTextAreaElement;
    const option = /^[1-9]$/.test(event.key) && !typing && !event.ctrlKey && !event.metaKey && !event.altKey ? options[Number(event.key) - 1] : undefined;
    if (option !== undefined) pick(option);
    else if (event.key === "Enter" && typing && !event.shiftKey && !event.isComposing) say();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section ref={card} class="approval ask" data-testid="ask" tabIndex={-1} role="group" aria-label="Question of the agent" onKeyDown={keys}>
      <header class="approval-head">
        <Icon name="comment-discussion" class="approval-icon" />
        <h2 class="approval-title">Question</h2>
        {more > 0 && <span class="quiet">{more} more</span>}
      </header>
      <div class="approval-body ask-text" aria-live="assertive">
        {visible(params.text)}
      </div>
      {options.length > 0 && (
        <ol class="ask-options">
          {options.map((option, i) => (
            <li key={i}>
              <button class="ask-option" disabled={sent} data-testid="ask-option" onClick={() => pick(option)}>
                {i < 9 && <kbd>{i + 1}</kbd>}
                <span>{visible(option)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      <div class="ask-own">
        <textarea
          class="approval-words"
          data-testid="ask-words"
          rows={1}
          value={words}
          disabled={sent}
          placeholder={options.length > 0 ? "Or in your own words" : "Your answer"}
          aria-label="Your answer in your own words"
          onInput={(event) => change({ words: event.currentTarget.value })}
        />
        <button class="button" data-testid="ask-send" disabled={sent || !words.trim()} onClick={say} title={platform.value === "mac" ? "Answer (⏎)" : "Answer (Enter)"}>
          Answer
        </button>
        <button class="button button-secondary" data-testid="ask-decline" disabled={sent} onClick={() => answer({ action: "decline" })}>
          Decline
        </button>
      </div>
    </section>
  );
}
