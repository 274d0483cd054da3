// A small window over the composer, opened by a button: it takes the focus, gives it back, and goes by Escape, by a press
// beside it, or when the focus leaves it.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface PopoverProps {
  /** What the button shows, its label for screen readers, and more of it as a tooltip. */
  button: ComponentChildren;
  label: string;
  tooltip: string;
  /** The button's class and test id. */
  class: string;
  testid: string;
  disabled?: boolean;
  children: (close: () => void) => ComponentChildren;
}

export function Popover({ button, label, tooltip, class: extra, testid, disabled, children }: PopoverProps) {
  const open = useSignal(false);
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const close = (refocus = true) => {
    open.value = false;
    if (refocus) trigger.current?.focus();
  };
  return (
    <div
      class="popover-scope"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open.value) return;
        event.stopPropagation();
        event.preventDefault();
        close();
      }}
    >
      <button
        ref={trigger}
        type="button"
        class={`popover-button ${extra}`}
        data-testid={testid}
        title={tooltip}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        aria-controls={open.value ? id : undefined}
        disabled={disabled}
        onClick={() => (open.value ? close() : (open.value = true))}
      >
        {button}
      </button>
      {open.value && (
        <Panel id={id} label={label} trigger={trigger} close={close}>
          {children(close)}
        </Panel>
      )}
    </div>
  );
}

interface PanelProps {
  id: string;
  label: string;
  trigger: { current: HTMLElement | null };
  close(refocus?: boolean): void;
  children: ComponentChildren;
}

function Panel({ id, label, trigger, close, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const first = panel.current?.querySelector<HTMLElement>("[data-first], input, button, [tabindex='0']");
    first?.focus();
    const away = (event: Event) => {
      const at = event.target as Node;
      if (!panel.current?.contains(at) && !trigger.current?.contains(at)) close(false);
    };
    document.addEventListener("pointerdown", away, true);
    document.addEventListener("focusin", away, true);
    return () => {
      document.removeEventListener("pointerdown", away, true);
      document.removeEventListener("focusin", away, true);
    };
  }, []);
  return (
    <div ref={panel} id={id} class="popover" role="dialog" aria-label={label}>
      {children}
    </div>
  );
}
