// Whether what a press would decide about has stood there long enough to be meant: a press right after another approval came, or
// another diff to the front, was for what stood there before, and so may be one of many by a key that is held down.

import { EventEmitter, window, type Disposable } from "vscode";
import type { Decisions } from "../chat/ports";

/** In milliseconds; the chat's cards have the same. */
const settleMs = 350;

export class Steady implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly disposables: Disposable[];
  private known = new Set<string>();
  private since = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  /** Fires when `settled` is another. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly decisions: Pick<Decisions, "open" | "onDidChange">,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.disposables = [
      this.changed,
      decisions.onDidChange(() => this.look()),
      window.onDidChangeVisibleTextEditors(() => {
        if (this.known.size > 0) this.moved();
      }),
    ];
  }

  get settled(): boolean {
    return this.clock() - this.since >= settleMs;
  }

  /** The user pressed something: whether that counts. */
  press(): boolean {
    const counts = this.settled;
    this.moved();
    return counts;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.disposables) one.dispose();
  }

  private look(): void {
    const now = new Set(this.decisions.open.flatMap((d) => (d.kind === "approval" ? [d.request.approvalId] : [])));
    const before = this.known;
    this.known = now;
    if (now.size !== before.size || [...now].some((id) => !before.has(id))) this.moved();
  }

  private moved(): void {
    this.since = this.clock();
    clearTimeout(this.timer);
    this.timer = this.known.size === 0 ? undefined : setTimeout(() => this.changed.fire(), settleMs + 5);
    this.changed.fire();
  }
}
