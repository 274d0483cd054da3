// The menu of "always": each rule that would be stored, in full, with its scopes. Choosing one allows this call, too.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApprovalOption } from "../../src/protocol/generated";
import { Icon } from "../parts/icons";
import type { RuleGroup } from "./approval-outcome";
import { visible } from "../parts/visible";

interface Props {
  groups: readonly RuleGroup[];
  disabled: boolean;
  choose(option: ApprovalOption): void;
}

export function AlwaysMenu({ groups, disabled, choose }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const items = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  useLayoutEffect(() => {
    if (!open) return;
    items()[0]?.focus();
    const outside = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  if (groups.length === 0) return null;

  const close = (): void => {
    setOpen(false);
    box.current?.querySelector<HTMLElement>(".always-button")?.focus();
  };
  const keys = (event: KeyboardEvent): void => {
    if (!open) return;
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + (at < 1 ? all.length : 0), Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") close();
    else if (event.key === "Tab") return setOpen(false);
    else if (to !== undefined) all[to % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="always" ref={box} onKeyDown={keys}>
      <button
        class="button button-secondary always-button"
        data-testid="always"
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        Always… <Icon name="chevron-up" />
      </button>
      {open && (
        <div class="always-menu" role="menu" aria-label="Approve, and never ask again about">
          <p class="always-lead quiet">Approve, and never ask again about</p>
          {groups.map((group) => (
            <div key={group.pattern} class="always-group" role="group" aria-label={visible(group.pattern)}>
              <p class="always-rule">{ticked(visible(group.pattern))}</p>
              <div class="always-scopes">
                {group.choices.map(({ option, scope }) => (
                  <button
                    key={option.optionId}
                    role="menuitem"
                    tabIndex={-1}
                    class="always-scope"
                    data-option={option.optionId}
                    aria-label={`${visible(group.pattern)}, ${scope}`}
                    onClick={() => {
                      setOpen(false);
                      choose(option);
                    }}
                  >
                    {visible(scope)}
                  </button>
                ))}
              </div>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** What stands in backticks is set as code. */
export function ticked(text: string) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
