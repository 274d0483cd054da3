// Keep or leave out: buttons above each hunk of a diff that is asked about, and how a hunk looks that is left out.

import {
  CodeLens,
  EventEmitter,
  languages,
  OverviewRulerLane,
  Range,
  ThemeColor,
  window,
  type CodeLensProvider,
  type Disposable,
  type TextDocument,
  type TextEditorDecorationType,
} from "vscode";
import type { DecisionDesk } from "../decisions/desk";
import type { Diffs } from "./diffs";
import { proposalScheme } from "./schemes";

export class Lenses implements CodeLensProvider, Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private leftOut: TextEditorDecorationType | undefined;
  private readonly disposables: Disposable[];

  constructor(
    private readonly diffs: Diffs,
    desk: Pick<DecisionDesk, "onDidChange">,
  ) {
    const look = () => {
      this.changed.fire();
      this.mark();
    };
    this.disposables = [
      this.changed,
      languages.registerCodeLensProvider({ scheme: proposalScheme }, this),
      diffs.onDidChange(look),
      desk.onDidChange(look),
      window.onDidChangeVisibleTextEditors(() => this.mark()),
    ];
  }

  dispose(): void {
    this.leftOut?.dispose();
    for (const one of this.disposables) one.dispose();
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const view = this.diffs.viewOf(document.uri);
    const found = view && this.diffs.hunksIn(view);
    if (view === undefined || found === undefined || !view.final) return [];
    const { request, hunks } = found;
    if ((request.shown?.hunks ?? 0) < 2) return [];
    const refused = this.diffs.choices.refusedOf(request.approvalId);
    return hunks.flatMap((hunk, i) => {
      if (hunk.undone) return [];
      const line = Math.min(hunk.from, document.lineCount - 1);
      const range = new Range(line, 0, line, 0);
      const which = hunks.length > 1 ? `Change ${i + 1} of ${hunks.length}` : "This file";
      const lens = (title: string, out: boolean, tooltip: string) =>
        new CodeLens(range, { title, tooltip, command: "clined.diff.setHunk", arguments: [view.id, hunk.id, out] });
      const title = (out: boolean) => `${which} ${out ? "is left out" : ""}`.trim();
      return refused.has(hunk.id)
        ? [lens(`$(circle-slash) ${title(true)}`, true, "Approving takes the other changes"), lens("Keep", false, "Take this change too")]
        : [lens(`$(check) ${title(false)}`, false, "Approving takes this change"), lens("Leave out", true, "Approve without this change: the file keeps what it has here")];
    });
  }

  /** Dims the hunks that are left out. */
  private mark(): void {
    for (const editor of window.visibleTextEditors) {
      const view = this.diffs.viewOf(editor.document.uri);
      if (view === undefined) continue;
      const found = this.diffs.hunksIn(view);
      const refused = found && this.diffs.choices.refusedOf(found.request.approvalId);
      const out = found?.hunks.filter((hunk) => refused?.has(hunk.id) && hunk.to > hunk.from) ?? [];
      if (out.length === 0 && this.leftOut === undefined) continue;
      editor.setDecorations(
        this.decoration(),
        out.map((hunk) => new Range(hunk.from, 0, hunk.to - 1, Number.MAX_SAFE_INTEGER)),
      );
    }
  }

  private decoration(): TextEditorDecorationType {
    this.leftOut ??= window.createTextEditorDecorationType({
      isWholeLine: true,
      opacity: "0.45",
      textDecoration: "line-through",
      backgroundColor: new ThemeColor("diffEditor.unchangedRegionBackground"),
      overviewRulerColor: new ThemeColor("disabledForeground"),
      overviewRulerLane: OverviewRulerLane.Right,
    });
    return this.leftOut;
  }
}
