// A list of models to choose one of, filtered by typing. Lists may have thousands: only the first that fit are drawn, and the
// rest is a word more away.

import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { ModelInfo } from "../../src/protocol/generated";
import { Icon } from "../parts/icons";
import { matching } from "./matching";
import { short } from "../parts/words";

const drawn = 100;

interface ModelListProps {
  models: readonly ModelInfo[];
  chosen: string;
  choose(id: string): void;
  /** More may come. */
  loading?: boolean;
}

export function ModelList({ models, chosen, choose, loading }: ModelListProps) {
  const words = useSignal("");
  /** Which one Enter takes, once that was moved: until then it is the one that is chosen. */
  const at = useSignal<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const found = matching(models, words.value);
  const shown: (ModelInfo & { typed?: boolean })[] = found.slice(0, drawn);
  const typed = words.value.trim();
  if (typed !== "" && !models.some((m) => m.id === typed)) shown.push({ id: typed, typed: true });
  const current = Math.min(at.value ?? Math.max(0, shown.findIndex((m) => m.id === chosen)), shown.length - 1);

  const see = (i: number) => list.current?.children[i]?.scrollIntoView({ block: "nearest" });
  useEffect(() => see(current), [models]);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, shown.length - 1));
    at.value = next;
    requestAnimationFrame(() => see(next));
  };
  const key = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const moves: Record<string, number> = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + 8, PageUp: current - 8 };
    const to = moves[event.key];
    if (to !== undefined) go(to);
    else if (event.key === "Enter" && shown[current]) choose(shown[current].id);
    else return;
    event.preventDefault();
  };

  return (
    <div class="model-list">
      <div class="model-list-filter">
        <Icon name="search" />
        <input
          class="model-list-input"
          data-testid="model-filter"
          data-first
          role="combobox"
          aria-label="Filter models, or type the id of another"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={shown.length > 0 ? `${id}-${current}` : undefined}
          placeholder={models.length > 0 ? `Filter ${models.length.toLocaleString("en")} models` : "Type a model’s id"}
          spellcheck={false}
          value={words.value}
          onInput={(e) => {
            words.value = e.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={key}
        />
        {loading && <Icon name="loading" spin />}
      </div>
      <ul ref={list} id={id} class="model-list-items" role="listbox" aria-label="Models">
        {shown.map((m, i) => (
          <li
            key={m.id + (m.typed ? "?" : "")}
            id={`${id}-${i}`}
            class="model-list-item"
            data-testid="model-item"
            role="option"
            aria-selected={m.id === chosen}
            data-at={i === current || undefined}
            title={m.id}
            onPointerMove={() => (at.value = i)}
            onClick={() => choose(m.id)}
          >
            <Icon name={m.typed ? "edit" : "check"} class={m.id === chosen || m.typed ? "" : "model-list-unchecked"} />
            <span class="model-list-id">{m.typed ? `Use “${m.id}”` : m.id}</span>
            {m.name && m.name !== m.id && <span class="model-list-name">{m.name}</span>}
            {m.contextWindow ? <span class="model-list-size">{short(m.contextWindow)}</span> : null}
          </li>
        ))}
      </ul>
      {found.length > drawn && <p class="model-list-more">{(found.length - drawn).toLocaleString("en")} more: type to narrow them down</p>}
    </div>
  );
}
