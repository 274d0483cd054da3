// Whether the user types in a file just now: then no diff takes its place on the screen.

import { EventEmitter, window, workspace, type Disposable, type Uri } from "vscode";
import { baseScheme, proposalScheme } from "./schemes";

const pauseMs = 2000;

export class Typing implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private readonly paused = new EventEmitter<void>();
  private readonly listening: Disposable;
  readonly onDidPause = this.paused.event;
  /** Files that are being changed for the user, not by them, and how many do so. */
  private readonly ours = new Map<string, number>();

  constructor() {
    this.listening = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const { scheme } = document.uri;
      if (contentChanges.length === 0 || scheme === proposalScheme || scheme === baseScheme || scheme === "output") return;
      // A file that was read again from the disk is not unsaved.
      if (this.ours.has(document.uri.toString())) return;
      if (window.activeTextEditor?.document !== document || !document.isDirty || !window.state.focused) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.stopped(), pauseMs);
    });
  }

  get now(): boolean {
    return this.timer !== undefined;
  }

  /** What changes a file while this goes on is not the user's typing: an edit, and what is done on save. */
  async without<T>(file: Uri, work: () => Promise<T>): Promise<T> {
    const key = file.toString();
    this.ours.set(key, (this.ours.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = this.ours.get(key)! - 1;
      if (left > 0) this.ours.set(key, left);
      else this.ours.delete(key);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.paused.dispose();
  }

  private stopped(): void {
    this.timer = undefined;
    this.paused.fire();
  }
}
