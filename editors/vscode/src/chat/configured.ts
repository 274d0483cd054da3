// Whether a model is set up, as the daemon says: asked of each process, and again when settings or keys may have changed.

import { EventEmitter, workspace, type Disposable, type Memento } from "vscode";
import type { Daemon } from "../daemon/api";

const key = "clined.configured";

export class Configured implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly listening: Disposable[];
  private current: boolean | undefined;
  readonly onDidChange = this.changed.event;

  /** `memento` keeps the answer for the next window, which can draw before it has asked. */
  constructor(
    private readonly daemon: Daemon,
    private readonly memento: Pick<Memento, "get" | "update">,
  ) {
    this.listening = [
      daemon.onDidChangeState((state) => {
        if (state.kind === "running") this.ask();
      }),
      // The daemon's own listener came first: it was told of them.
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("clined")) this.ask();
      }),
    ];
  }

  /** Undefined while that is not known. */
  get value(): boolean | undefined {
    return this.current;
  }

  /** The answer that the last window got, until this one has its own. */
  get likely(): boolean {
    return this.current ?? this.memento.get(key, false);
  }

  /** Asks again, if a process runs. */
  ask(): void {
    if (this.daemon.state.kind !== "running") return;
    this.daemon.request("clined/setup/status", {}).then(
      ({ configured }) => this.learn(configured),
      () => {},
    );
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
    this.changed.dispose();
  }

  private learn(configured: boolean): void {
    if (configured === this.current) return;
    this.current = configured;
    void this.memento.update(key, configured);
    this.changed.fire();
  }
}
