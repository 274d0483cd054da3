// The transcript of a task: its items, one below the other.

import type { Item } from "../../src/model/task";
import { task } from "../store";
import { Message } from "./message";
import { Notice } from "./notice";

export function Transcript() {
  const items = task.value?.items ?? [];
  return (
    <div class="transcript" role="feed" aria-label="Transcript" data-testid="transcript">
      {items.map((item) => (
        <Row key={item.id} item={item} />
      ))}
    </div>
  );
}

function Row({ item }: { item: Item }) {
  switch (item.kind) {
    case "message":
      return <Message item={item} />;
    case "notice":
      return <Notice item={item} />;
    case "call":
      return null;
  }
}
