// A message of the user or the assistant.

import type { MessageItem } from "../../src/model/task";

export function Message({ item }: { item: MessageItem }) {
  return (
    <article class={`message message-${item.role}`} data-testid={`message-${item.role}`}>
      {item.content.map((part, i) => (
        <p key={i}>{part.text}</p>
      ))}
    </article>
  );
}
