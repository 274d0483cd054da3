// Pictures on their way into a draft: each is read and made smaller, and what cannot be taken is told.

import { signal } from "@preact/signals";
import type { Picture } from "./drafts";
import { maxPictures, readPicture } from "./pictures";

/** Why a prompt cannot be sent yet. */
export const unread = "Pictures are still being read";

/** One of each prompt that is being written. */
export class Adding {
  /** How many are being read. */
  readonly reading = signal(0);
  /** Words for the user; "" when nothing went wrong. */
  readonly trouble = signal("");

  constructor(
    private readonly get: () => readonly Picture[],
    private readonly set: (pictures: readonly Picture[]) => void,
  ) {}

  async add(files: readonly File[]): Promise<void> {
    this.trouble.value = "";
    this.reading.value += files.length;
    for (const [i, file] of files.entries()) {
      try {
        if (this.get().length >= maxPictures) throw new Error(`A prompt takes ${maxPictures} pictures.`);
        const picture = await readPicture(file, file.name || `picture ${i + 1}`);
        this.set([...this.get(), picture]);
      } catch (error) {
        this.trouble.value = error instanceof Error ? error.message : String(error);
      } finally {
        this.reading.value--;
      }
    }
  }
}
