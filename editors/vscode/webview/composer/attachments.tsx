// The pictures of a prompt that is being written, each with a way to take it out.

import type { Picture } from "./drafts";
import { source } from "./pictures";
import { Icon } from "../parts/icons";

export function Attachments({ pictures, remove }: { pictures: readonly Picture[]; remove(id: string): void }) {
  if (pictures.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Pictures">
      {pictures.map((p) => (
        <li key={p.id} class="attachment" data-testid="attachment">
          <img class="attachment-image" src={source(p)} alt={p.name} title={p.name} />
          <button class="attachment-remove" title={`Remove ${p.name}`} aria-label={`Remove ${p.name}`} onClick={() => remove(p.id)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
