// A clock that a test moves.

import type { Clock } from "../../../src/diff/pump";

export class FakeClock implements Clock {
  private now = 0;
  private timers: { at: number; f: () => void }[] = [];

  after(ms: number, f: () => void): () => void {
    const timer = { at: this.now + ms, f };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((t) => t !== timer));
  }

  get armed(): number {
    return this.timers.length;
  }

  tick(ms: number): void {
    this.now += ms;
    for (const timer of this.timers.filter((t) => t.at <= this.now)) {
      this.timers = this.timers.filter((t) => t !== timer);
      timer.f();
    }
  }
}
