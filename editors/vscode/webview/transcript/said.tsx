// What the user said: a quiet bubble. Of a text that is very long its beginning is shown, and all of it when they ask for it.

import { signal } from "@preact/signals";
import type { MessageItem } from "../../src/model/task";
import type { EventContent } from "../../src/protocol/generated";
import { startEditing, EditMessage, editing } from "../composer/edit-message";
import { Icon } from "../parts/icons";
import { elsewhere } from "../store";
import { CodeBlock } from "./code-block";
import { beginning, chunks, pieces } from "./fences";

/** A text of up to twice as many characters is shown whole, of a longer one this much. */
const shown = 4_000;

// What was opened stays open when it scrolls out of sight and back.
const opened = signal<ReadonlySet<string>>(new Set());

export function Said({ item }: { item: MessageItem }) {
  if (editing.value === item.messageId) return <EditMessage item={item} />;
  const pictures = item.content.filter((part) => part.type === "image");
  const text = item.content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("\n\n").trim();
  return (
    <div class="said" data-testid="message-user">
      <div class="said-bubble">
        {pictures.length > 0 && (
          <div class="said-pictures">
            {pictures.map((part, i) => (
              <Picture key={i} part={part} number={i + 1} />
            ))}
          </div>
        )}
        {text.length > 2 * shown ? <Long id={item.id} text={text} /> : <Words text={text} />}
      </div>
      {!elsewhere.value && (
        <div class="said-actions">
          <button class="icon-button" title="Change this message" aria-label="Change this message" data-testid="edit-message-begin" onClick={() => startEditing(item)}>
            <Icon name="edit" />
          </button>
        </div>
      )}
    </div>
  );
}

function Words({ text }: { text: string }) {
  return (
    <>
      {pieces(text).map((piece, i) =>
        piece.lang === undefined ? (
          chunks(piece.text, shown).map((chunk, k) => (
            <p key={`${i}/${k}`} class="said-text">
              {chunk}
            </p>
          ))
        ) : (
          <CodeBlock key={i} lang={piece.lang} text={piece.text} growing={false} />
        ),
      )}
    </>
  );
}

function Long({ id, text }: { id: string; text: string }) {
  const open = opened.value.has(id);
  const toggle = () => {
    const next = new Set(opened.value);
    if (!next.delete(id)) next.add(id);
    opened.value = next;
  };
  return (
    <>
      {open ? (
        <div class="said-all" tabindex={0} role="region" aria-label="The whole message">
          <Words text={text} />
        </div>
      ) : (
        <Words text={`${beginning(text, shown)}…`} />
      )}
      <button class="text-button said-more" aria-expanded={open} onClick={toggle}>
        {open ? "Show less" : `Show all ${text.length.toLocaleString("en-US")} characters`}
      </button>
    </>
  );
}

function Picture({ part, number }: { part: EventContent; number: number }) {
  return <img class="said-picture" src={`data:${part.mimeType};base64,${part.data}`} alt={`Picture ${number}`} />;
}
