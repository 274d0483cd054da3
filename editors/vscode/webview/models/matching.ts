// Lists of models: which match some words, and their names where there is little room.

import type { ModelInfo } from "../../src/protocol/generated";

/** The models with every word in their id or name, those that begin with the first word before the others. */
export function matching(models: readonly ModelInfo[], typed: string): readonly ModelInfo[] {
  const words = typed.toLowerCase().split(/\s+/).filter((w) => w !== "");
  const first = words[0];
  if (first === undefined) return models;
  const hit = models.filter((m) => {
    const text = `${m.id} ${m.name ?? ""}`.toLowerCase();
    return words.every((w) => text.includes(w));
  });
  const rank = (m: ModelInfo) => (m.id.toLowerCase().startsWith(first) || m.id.toLowerCase().includes(`/${first}`) ? 0 : 1);
  return hit.sort((a, b) => rank(a) - rank(b));
}

/** A model's name where there is little room: without the vendor's path before it. */
export function shortModel(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1) || id;
}
