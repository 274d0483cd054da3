// A message: a quiet bubble of the user's, or what the assistant says, with its reasoning folded.

import type { MessageItem } from "../../src/model/task";
import type { EventContent } from "../../src/protocol/generated";
import { Icon } from "../parts/icons";
import { Copy } from "../parts/copy";
import { startEditing, EditMessage, editing } from "../composer/edit-message";
import { CodeBlock } from "./code-block";
import { pieces } from "./fences";
import { Markdown } from "./markdown";
import { Thought } from "./thought";

export function Message({ item }: { item: MessageItem }) {
  return item.role === "user" ? <Said item={item} /> : <Answer item={item} />;
}

function Said({ item }: { item: MessageItem }) {
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
        {pieces(text).map((piece, i) =>
          piece.lang === undefined ? (
            <p key={i} class="said-text">
              {piece.text}
            </p>
          ) : (
            <CodeBlock key={i} lang={piece.lang} text={piece.text} growing={false} />
          ),
        )}
      </div>
      <div class="said-actions">
        <button class="icon-button" title="Change this message" aria-label="Change this message" data-testid="edit-message-begin" onClick={() => startEditing(item)}>
          <Icon name="edit" />
        </button>
      </div>
    </div>
  );
}

function Picture({ part, number }: { part: EventContent; number: number }) {
  return <img class="said-picture" src={`data:${part.mimeType};base64,${part.data}`} alt={`Picture ${number}`} />;
}

function Answer({ item }: { item: MessageItem }) {
  const done = item.status !== "in_progress" && item.status !== "pending";
  const last = item.content.length - 1;
  return (
    <div class={`answer ${item.final ? "answer-final" : ""}`} data-testid="message-assistant" data-status={item.status}>
      {item.content.map((part, i) => {
        const id = `${item.id}:${i}`;
        if (!part.text?.trim()) return null;
        if (part.type === "thought") return <Thought key={id} id={id} text={part.text} done={done || i < last} />;
        return <Markdown key={id} id={id} text={part.text} done={done} />;
      })}
      {item.status === "cancelled" && <p class="answer-stopped quiet">stopped here</p>}
      {item.command && <Offered command={item.command} />}
    </div>
  );
}

/** A command that the model proposes to the user: it is theirs to run. */
function Offered({ command }: { command: string }) {
  return (
    <div class="offered">
      <Icon name="terminal" class="offered-icon" />
      <code class="offered-command">{command}</code>
      <Copy text={command} what="the command" />
    </div>
  );
}
