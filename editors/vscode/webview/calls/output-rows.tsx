// Rows of one height. A few stand in the document as they are; of many only those in sight do, so that ten thousand lines cost
// no more than thirty.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

/** Up to here all rows are drawn, and long ones may wrap. */
export const mostDrawn = 400;
/** Rows drawn beyond what is in sight, on either side. */
const margin = 20;

interface Props {
  count: number;
  row(index: number): ComponentChildren;
  label: string;
  class?: string;
  /** Keeps the end in sight while rows come, until the user scrolls away from it. */
  follow?: boolean;
}

export function Rows({ count, row, label, class: extra = "", follow }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [view, setView] = useState({ top: 0, height: 400, rowHeight: 18 });
  const windowed = count > mostDrawn;

  const measure = (): void => {
    const el = box.current;
    if (!el) return;
    atEnd.current = el.scrollHeight - el.scrollTop - el.clientHeight < 4;
    if (!windowed) return;
    const rowHeight = probe.current?.offsetHeight || view.rowHeight;
    const next = { top: el.scrollTop, height: el.clientHeight, rowHeight };
    if (next.top !== view.top || next.height !== view.height || next.rowHeight !== view.rowHeight) setView(next);
  };
  useLayoutEffect(() => {
    const el = box.current;
    if (el && follow && atEnd.current) el.scrollTop = el.scrollHeight;
    measure();
  });

  const first = windowed ? Math.max(0, Math.floor(view.top / view.rowHeight) - margin) : 0;
  const last = windowed ? Math.min(count, Math.ceil((view.top + view.height) / view.rowHeight) + margin) : count;
  const rows: ComponentChildren[] = [];
  for (let i = first; i < last; i++) rows.push(row(i));
  return (
    <div ref={box} class={`rows ${windowed ? "rows-windowed" : ""} ${extra}`} tabIndex={0} role="group" aria-label={label} onScroll={measure}>
      {windowed && (
        <div ref={probe} class="rows-probe" aria-hidden="true">
          0
        </div>
      )}
      {windowed && <Gap height={first * view.rowHeight} />}
      {rows}
      {windowed && <Gap height={(count - last) * view.rowHeight} />}
    </div>
  );
}

// Styles in markup are forbidden by the page's policy; those set from code are not.
function Gap({ height }: { height: number }) {
  return (
    <div
      ref={(el) => {
        if (el) el.style.height = `${height}px`;
      }}
    />
  );
}
