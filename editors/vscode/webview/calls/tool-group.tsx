// Several calls that only looked at something, as one quiet line that opens to their cards.

import { Icon } from "../parts/icons";
import { ToolCard } from "./tool-card";
import { groupWords, type CallGroup } from "./tool-group-fold";
import { isOpen, setOpen } from "./tool-card-open";

export function ToolGroup({ group }: { group: CallGroup }) {
  const open = isOpen(group.id, false);
  const words = groupWords(group.calls);
  return (
    <section class="tool-card tool-group" data-testid="tool-group" data-open={open}>
      <div class="tool-card-line">
        <button class="tool-card-toggle" aria-expanded={open} aria-label={words} onClick={() => setOpen(group.id, !open)} />
        <Icon name="eye" class="tool-card-icon" />
        <Icon name={open ? "chevron-down" : "chevron-right"} class="tool-card-chevron" />
        <span class="tool-card-words">
          <span class="tool-card-target quiet">{words}</span>
        </span>
        <Icon name="check" class="tool-card-state tool-card-state-completed" />
      </div>
      {open && (
        <div class="tool-group-items">
          {group.calls.map((call) => (
            <ToolCard key={call.id} item={call} />
          ))}
        </div>
      )}
    </section>
  );
}
