// A debounce: one timer, and only while something is due.

export class Delay {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private first = 0;
  private last = 0;

  /** `run` is called `quiet` ms after the last touch, and no later than `most` ms after the first. */
  constructor(
    private readonly run: () => void,
    private readonly quiet = 150,
    private readonly most = 1000,
  ) {}

  touch(): void {
    this.last = Date.now();
    if (this.timer) return; // it looks at `last` when it ends
    this.first = this.last;
    this.arm(this.quiet);
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private arm(ms: number): void {
    this.timer = setTimeout(() => {
      const due = Math.min(this.last + this.quiet, this.first + this.most);
      const left = due - Date.now();
      if (left > 0) return this.arm(left);
      this.timer = undefined;
      this.run();
    }, ms);
  }
}
