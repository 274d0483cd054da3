// A sentence of clined itself about the task.

import type { NoticeItem } from "../../src/model/task";
import { Icon } from "../icons";

const icons = { info: "info", warning: "warning", error: "error" } as const;

export function Notice({ item }: { item: NoticeItem }) {
  const severity = item.severity in icons ? (item.severity as keyof typeof icons) : "info";
  return (
    <div class={`notice notice-${severity}`} role={severity === "error" ? "alert" : "note"} data-testid="notice">
      <Icon name={icons[severity]} />
      <div>
        <p>{item.text}</p>
        {item.hint && <p class="quiet">{item.hint}</p>}
      </div>
    </div>
  );
}
