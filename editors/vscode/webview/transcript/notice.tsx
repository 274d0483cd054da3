// A sentence of clined itself about the task.

import type { NoticeItem } from "../../src/model/task";
import { Icon } from "../parts/icons";
import { sentence } from "../parts/words";

const icons = { info: "info", warning: "warning", error: "error" } as const;

export function Notice({ item }: { item: NoticeItem }) {
  const severity = item.severity in icons ? (item.severity as keyof typeof icons) : "info";
  return (
    <div class="notice" data-severity={severity} data-testid="notice">
      <Icon name={icons[severity]} class="notice-icon" />
      <p>
        <span class="notice-text">{sentence(item.text)}</span>
        {item.hint && <span class="notice-hint">{sentence(item.hint)}</span>}
      </p>
    </div>
  );
}
