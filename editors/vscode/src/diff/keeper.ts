// Hears what the user makes of a proposal, tells it after a pause as short as a word, and has VS Code take it for saved at
// once, so that closing it never asks. That is not done by saving: formatters and the like would change the text and move the
// cursor while the user types.

import type { Clock } from "./pump";
import { realClock } from "./pump";

const tellMs = 120;
/** Between two times that the document is taken for saved. */
const restMs = 100;

export interface KeeperPort {
  /** The user's text. */
  edited(text: string): void;
  /** Takes the document for saved as it is now. */
  clean(): Promise<void>;
}

export class Keeper {
  /** What the daemon knows. */
  private known: string | undefined;
  private untold: string | undefined;
  private stopTelling: (() => void) | undefined;
  private resting: (() => void) | undefined;
  /** One after the other. */
  private cleaning: Promise<void> = Promise.resolve();

  constructor(
    private readonly port: KeeperPort,
    private readonly clock: Clock = realClock,
  ) {}

  /** The proposal is this from now on, and the user's to change. */
  begin(text: string): void {
    this.known = text;
    this.untold = undefined;
  }

  /** The document has this text now. */
  changed(text: string): void {
    if (text === (this.untold ?? this.known)) return;
    this.untold = text;
    this.stopTelling ??= this.clock.after(tellMs, () => this.flush());
    this.resting ??= this.clock.after(restMs, () => void this.keep());
  }

  flush(): void {
    this.stopTelling?.();
    this.stopTelling = undefined;
    const text = this.untold;
    this.untold = undefined;
    if (text === undefined || text === this.known) return;
    this.known = text;
    this.port.edited(text);
  }

  /** Resolves when the document, as it is now, is taken for saved. */
  async keep(): Promise<void> {
    this.resting?.();
    this.resting = undefined;
    // Where it fails, closing asks; nothing is lost.
    this.cleaning = this.cleaning.then(() => this.port.clean()).catch(() => {});
    await this.cleaning;
  }

  dispose(): void {
    this.stopTelling?.();
    this.resting?.();
  }
}
