// Brings a document to the newest of many texts with one change in flight: what comes meanwhile is joined.

export interface Clock {
  /** Calls back after a while unless the returned function is called before. */
  after(ms: number, f: () => void): () => void;
}

export const realClock: Clock = {
  after(ms, f) {
    const timer = setTimeout(f, ms);
    return () => clearTimeout(timer);
  },
};

/** How long a change may take to show before it is sent again, and how often that is done. */
const patienceMs = 1500;
const mostTries = 3;

export class Pump {
  private wanted: (() => string) | undefined;
  private inFlight: string | undefined;
  private stopPatience: (() => void) | undefined;
  private waiting: (() => void)[] = [];
  private disposed = false;

  /** `send` has the document changed to a text; `seen` is to be called whenever the document changed. */
  constructor(
    private readonly send: (text: string) => void,
    private readonly clock: Clock = realClock,
  ) {}

  get idle(): boolean {
    return this.inFlight === undefined && this.wanted === undefined;
  }

  /** The text that is wanted from now on, made only when its turn comes. */
  push(text: () => string): void {
    this.wanted = text;
    if (this.inFlight === undefined) this.next();
  }

  /** The document shows this text. */
  seen(text: string): void {
    if (text !== this.inFlight) return;
    this.settle();
  }

  /** Resolves when the document shows what was wanted last, or did not in the time given to it. */
  async settled(): Promise<void> {
    if (this.idle || this.disposed) return;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  dispose(): void {
    this.disposed = true;
    this.wanted = undefined;
    this.settle();
  }

  private next(): void {
    if (this.disposed) return;
    const text = this.wanted?.();
    this.wanted = undefined;
    if (text === undefined) return;
    this.inFlight = text;
    this.sendNow(text, 1);
  }

  private sendNow(text: string, tries: number): void {
    const again = () => (tries < mostTries && this.wanted === undefined ? this.sendNow(text, tries + 1) : this.settle());
    this.stopPatience = this.clock.after(patienceMs, again);
    this.send(text);
  }

  private settle(): void {
    this.stopPatience?.();
    this.stopPatience = undefined;
    this.inFlight = undefined;
    if (this.wanted !== undefined) this.next();
    if (!this.idle) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
