// A message: what the user said, or what the assistant says, with its reasoning folded.

import type { MessageItem } from "../../src/model/task";
import { Icon } from "../parts/icons";
import { Copy } from "../parts/copy";
import { visible } from "../parts/visible";
import { Markdown } from "./markdown";
import type { PartRow } from "./parts";
import { Said } from "./said";
import { Thought } from "./thought";

export function Message({ item }: { item: MessageItem }) {
  return item.role === "user" ? <Said item={item} /> : <Answer item={item} />;
}

const isDone = ({ status }: MessageItem) => status !== "in_progress" && status !== "pending";

function Answer({ item }: { item: MessageItem }) {
  const done = isDone(item);
  const last = item.content.length - 1;
  return (
    <div class={`answer ${item.final ? "answer-final" : ""}`} data-testid="message-assistant" data-status={item.status}>
      {item.content.map((part, i) => {
        const id = `${item.id}:${i}`;
        if (!part.text?.trim()) return null;
        if (part.type === "thought") return <Thought key={id} id={id} text={part.text} done={done || i < last} />;
        return <Markdown key={id} id={id} text={part.text} done={done} />;
      })}
      <Ending item={item} />
    </div>
  );
}

function Ending({ item }: { item: MessageItem }) {
  return (
    <>
      {item.status === "cancelled" && <p class="answer-stopped quiet">stopped here</p>}
      {item.command && <Offered command={item.command} />}
    </>
  );
}

/** A row of a message that is too long for one. */
export function Part({ row: { item, part, section, line, last } }: { row: PartRow }) {
  const { type, text = "" } = item.content[part] ?? {};
  const id = `${item.id}:${part}`;
  const done = isDone(item);
  return (
    <div class={`answer ${item.final && last ? "answer-final" : ""}`} data-testid="message-assistant" data-status={item.status}>
      {!section && <Thought id={id} text={text} done={done || part < item.content.length - 1} apart={line} />}
      {section && (
        <div class={type === "thought" ? "thought-text" : undefined}>
          <Markdown id={`${id}/${section.number}`} text={section.of.source(section.place, done)} done={done || !section.last} whole={wholeOf(section)} />
        </div>
      )}
      {last && <Ending item={item} />}
    </div>
  );
}

/** The block of code that the section ends in, of which it has but the beginning. */
function wholeOf({ of, place }: NonNullable<PartRow["section"]>): (() => string) | undefined {
  const { code } = place;
  return code === undefined ? undefined : () => of.code(code);
}

/** A command that the model proposes to the user: it is theirs to run. */
function Offered({ command }: { command: string }) {
  return (
    <div class="offered">
      <Icon name="terminal" class="offered-icon" />
      <code class="offered-command">{visible(command)}</code>
      <Copy text={command} what="the command" />
    </div>
  );
}
