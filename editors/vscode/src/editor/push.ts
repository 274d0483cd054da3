// Tells the daemon what the user sees. The state goes whole and only if it is another than the last; problems go by document,
// as they are published, for with the state all of them would go at each change. While no process runs nothing is read.

import { Disposable, languages, window, workspace } from "vscode";
import type { Uri } from "vscode";
import type { Daemon } from "../daemon/api";
import type { EditorState } from "../protocol/generated";
import type { Checkers } from "./checkers";
import { Delay } from "./delay";
import { problems } from "./problems";
import { readScreen } from "./screen";
import type { Terminals } from "./terminals";
import { readable } from "./uris";

export class Push {
  private readonly delay = new Delay(() => this.flush());
  private readonly heard: Disposable;
  private rev = 0;
  /** The state that was told last, and as text without its number. */
  private told: EditorState | undefined;
  private last = "";
  private stale = false;
  /** Documents with news of their problems, by URI. */
  private readonly news = new Map<string, Uri>();

  constructor(
    private readonly daemon: Pick<Daemon, "state" | "onDidChangeState" | "notify">,
    private readonly terminals: Terminals,
    private readonly checkers: Checkers,
  ) {
    const touch = () => this.touch();
    this.heard = Disposable.from(
      window.onDidChangeActiveTextEditor(touch),
      window.onDidChangeActiveNotebookEditor(touch),
      window.onDidChangeVisibleTextEditors(touch),
      window.onDidChangeVisibleNotebookEditors(touch),
      window.onDidChangeTextEditorSelection(touch),
      window.onDidChangeTextEditorVisibleRanges(touch),
      window.tabGroups.onDidChangeTabs(touch),
      window.tabGroups.onDidChangeTabGroups(touch),
      workspace.onDidSaveTextDocument(touch),
      terminals.onDidChange(touch),
      languages.onDidChangeDiagnostics((e) => this.published(e.uris)),
      daemon.onDidChangeState((state) => state.kind === "running" && this.begin()),
    );
  }

  dispose(): void {
    this.delay.cancel();
    this.heard.dispose();
  }

  /** Tells at once what was not told yet. To be called before a prompt is sent, so that the model sees what the user sees. */
  flush(): void {
    this.delay.cancel();
    if (!this.running || !this.stale) return;
    this.stale = false;
    for (const [name, uri] of this.news) {
      const diagnostics = problems(languages.getDiagnostics(uri));
      this.daemon.notify("clined/editor/didChangeDiagnostics", { uri: name, diagnostics });
    }
    this.news.clear();
    const state: EditorState = {
      ...readScreen(this.told),
      terminals: this.terminals.list(),
      checkedLanguages: this.checkers.languages(),
    };
    const text = JSON.stringify(state);
    if (text === this.last) return;
    this.last = text;
    this.told = state;
    this.daemon.notify("clined/editor/didChangeState", { rev: ++this.rev, ...state });
  }

  /** A new process knows nothing. It is told before the request that it was started for, which waits for this state, too. */
  private begin(): void {
    this.last = "";
    const all = languages.getDiagnostics();
    this.checkers.note(all.map(([uri]) => uri));
    for (const [uri] of all) this.add(uri);
    this.stale = true;
    this.flush();
  }

  private published(uris: readonly Uri[]): void {
    this.checkers.note(uris);
    if (!this.running) return;
    for (const uri of uris) this.add(uri);
    this.touch();
  }

  private add(uri: Uri): void {
    const name = readable(uri);
    if (name) this.news.set(name, uri);
  }

  private touch(): void {
    if (!this.running) return;
    this.stale = true;
    this.delay.touch();
  }

  private get running(): boolean {
    return this.daemon.state.kind === "running";
  }
}
