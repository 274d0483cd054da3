// Which cards the user opened or closed. Kept apart from the cards: those that are scrolled away do not exist meanwhile.

import { signal } from "@preact/signals";

const chosen = signal<ReadonlyMap<string, boolean>>(new Map());

/** Whether a card is open; `otherwise` holds until the user chose. */
export function isOpen(id: string, otherwise: boolean): boolean {
  return chosen.value.get(id) ?? otherwise;
}

export function setOpen(id: string, open: boolean): void {
  chosen.value = new Map(chosen.value).set(id, open);
}
