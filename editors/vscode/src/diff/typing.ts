// Whether the user types in a file just now: then no diff takes its place on the screen.

import { EventEmitter, window, workspace, type Disposable } from "vscode";
import { baseScheme, proposalScheme } from "./proposals";

const pauseMs = 2000;

export class Typing implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private readonly paused = new EventEmitter<void>();
  private readonly listening: Disposable;
  readonly onDidPause = this.paused.event;

  constructor() {
    this.listening = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const { scheme } = document.uri;
      if (contentChanges.length === 0 || scheme === proposalScheme || scheme === baseScheme || scheme === "output") return;
      // A file that was read again from the disk is not unsaved.
      if (window.activeTextEditor?.document !== document || !document.isDirty || !window.state.focused) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.stopped(), pauseMs);
    });
  }

  get now(): boolean {
    return this.timer !== undefined;
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
