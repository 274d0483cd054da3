// Long messages of the model as several rows, so that no more of them is parsed and drawn than is seen. Pure but for what it
// remembers of messages that grow.

import type { MessageItem } from "../../src/model/task";
import { Sections, type Section } from "./sections";

/** Shorter messages are one row. */
const long = 16_000;
/** Texts whose sections are remembered while they grow. */
const kept = 50;

export interface PartRow {
  kind: "part";
  id: string;
  item: MessageItem;
  /** Which part of its content; `section` where that is not shown as a whole. */
  part: number;
  section?: { of: Sections; place: Section; number: number; last: boolean };
  /** The line of reasoning whose text, if it is shown, is in the rows behind this one. */
  line?: boolean;
  first: boolean;
  last: boolean;
}

const growing = new Map<string, Sections>();

function sectionsOf(id: string): Sections {
  const sections = growing.get(id) ?? new Sections();
  growing.delete(id);
  growing.set(id, sections);
  if (growing.size > kept) growing.delete(growing.keys().next().value ?? "");
  return sections;
}

interface Made {
  rows: readonly PartRow[];
  opened: string;
}

const made = new WeakMap<MessageItem, Made>();

export function isLong(item: MessageItem): boolean {
  return item.role === "assistant" && item.content.reduce((n, c) => n + (c.text?.length ?? 0), 0) > long;
}

/** The rows of a long message. `isOpen` tells of a part of reasoning, by its id, that the user opened. */
export function partsOf(item: MessageItem, isOpen: (id: string) => boolean): readonly PartRow[] {
  const opened = item.content.flatMap((c, i) => (c.type === "thought" && isOpen(`${item.id}:${i}`) ? [i] : [])).join();
  const known = made.get(item);
  if (known?.opened === opened) return known.rows;
  const rows: PartRow[] = [];
  const add = (row: Omit<PartRow, "kind" | "id" | "item" | "first" | "last">, name: string) => {
    // The first row is what the message was while it was short.
    const id = rows.length === 0 ? item.id : `${item.id}/${name}`;
    rows.push({ kind: "part", id, item, first: rows.length === 0, last: false, ...row });
  };
  item.content.forEach(({ type, text }, part) => {
    if (!text?.trim()) return;
    const short = text.length <= long;
    if (type === "thought") add({ part, line: !short }, `${part}`);
    if (short ? type !== "thought" : type !== "thought" || isOpen(`${item.id}:${part}`)) {
      const of = sectionsOf(`${item.id}:${part}`);
      const sections = of.of(text);
      sections.forEach((place, number) => add({ part, section: { of, place, number, last: number === sections.length - 1 } }, `${part}/${number}`));
    }
  });
  const last = rows.at(-1);
  if (last) last.last = true;
  made.set(item, { rows, opened });
  return rows;
}
