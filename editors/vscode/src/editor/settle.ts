// When whatever checks a file has seen it as it is now. VS Code does not say which version of a document problems are of, so the
// order of events tells: problems are of the present text if they were published after its last change, and the checkers are
// taken to be done when nothing more has come for a moment (many publish in parts: syntax first, then types, then style).

import { languages, workspace } from "vscode";
import type { CancellationToken, Disposable } from "vscode";
import { readable } from "./uris";

const quiet = 250;

export class Settle implements Disposable {
  private tick = 0;
  /** Tick of the last change of an open document, or of the last look at a file that is about to be changed. */
  private readonly changed = new Map<string, number>();
  private readonly published = new Map<string, { tick: number; at: number }>();
  private readonly waiting = new Set<() => void>();
  private ended = false;
  private readonly heard: Disposable[] = [
    workspace.onDidChangeTextDocument((e) => {
      const uri = e.contentChanges.length > 0 ? readable(e.document.uri) : undefined;
      if (uri) this.changed.set(uri, ++this.tick);
    }),
    workspace.onDidCloseTextDocument((document) => {
      const uri = readable(document.uri);
      if (uri) this.changed.delete(uri);
    }),
    languages.onDidChangeDiagnostics((e) => {
      this.tick++;
      for (const each of e.uris) {
        const uri = readable(each);
        if (uri) this.published.set(uri, { tick: this.tick, at: Date.now() });
      }
      for (const look of this.waiting) look();
    }),
  ];

  dispose(): void {
    for (const one of this.heard) one.dispose();
    this.ended = true;
    for (const look of [...this.waiting]) look();
  }

  /** A file is about to be changed: what was published until now is of its old text, also if VS Code sees the change late. */
  before(uri: string): void {
    this.changed.set(uri, ++this.tick);
  }

  /** Resolves once all of these are checked, or after `ms`. */
  async wait(uris: readonly string[], ms: number, token: CancellationToken): Promise<void> {
    const since = this.tick;
    const end = Date.now() + ms;
    await new Promise<void>((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const look = () => {
        clearTimeout(timer);
        const news = uris.map((uri) => this.newsAt(uri, since));
        const until = Math.min(end, Math.max(...news) + quiet);
        const left = until - Date.now();
        if (left > 0 && !token.isCancellationRequested && !this.ended) {
          timer = setTimeout(look, left);
          return;
        }
        this.waiting.delete(look);
        cancelled.dispose();
        resolve();
      };
      const cancelled = token.onCancellationRequested(look);
      this.waiting.add(look);
      look();
    });
  }

  /** When problems of the present text were published last; Infinity when none were. */
  private newsAt(uri: string, since: number): number {
    const news = this.published.get(uri);
    return news && news.tick > (this.changed.get(uri) ?? since) ? news.at : Infinity;
  }
}
