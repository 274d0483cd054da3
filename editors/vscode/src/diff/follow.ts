// Follows what the model writes: the line is marked, and stays in view unless the user scrolled away from it.

import { OverviewRulerLane, Range, TextEditorRevealType, ThemeColor, window, type Disposable, type TextEditor, type TextEditorDecorationType } from "vscode";

/** How the line that is written is marked, in all views of a window. */
export class Mark implements Disposable {
  private made: TextEditorDecorationType | undefined;

  get type(): TextEditorDecorationType {
    return (this.made ??= window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new ThemeColor("editor.rangeHighlightBackground"),
      borderColor: new ThemeColor("focusBorder"),
      borderStyle: "solid",
      borderWidth: "0 0 0 2px",
      overviewRulerColor: new ThemeColor("focusBorder"),
      overviewRulerLane: OverviewRulerLane.Full,
    }));
  }

  dispose(): void {
    this.made?.dispose();
  }
}

/** How long VS Code may take to show what it was asked to, in milliseconds. */
const patienceMs = 1000;

export class Follower {
  private line: number | undefined;
  private following = true;
  private shownLine: number | undefined;
  /** Lines that were asked for and not seen yet: what VS Code tells of its view meanwhile is not the user's doing. */
  private asked: { line: number; at: number }[] = [];

  constructor(
    private readonly editor: () => TextEditor | undefined,
    private readonly mark: Mark,
    private readonly now: () => number = Date.now,
  ) {}

  /** The model writes at this line. */
  writing(line: number): void {
    this.line = line;
  }

  /** The document shows what came last. */
  shown(): void {
    const editor = this.editor();
    if (editor === undefined || this.line === undefined) return;
    const line = clamp(editor, this.line);
    editor.setDecorations(this.mark.type, [new Range(line, 0, line, 0)]);
    this.shownLine = line;
    if (!this.following) return;
    if (sees(editor, line)) {
      this.asked = [];
      return;
    }
    this.asked.push({ line, at: this.now() });
    editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** What is in view changed: away from the line means that the user wants to look elsewhere, back to it that they do not. */
  scrolled(): void {
    const editor = this.editor();
    if (editor === undefined || this.shownLine === undefined) return;
    const reached = this.asked.findIndex(({ line }) => sees(editor, line));
    const since = this.now() - patienceMs;
    this.asked = this.asked.slice(reached + 1).filter(({ at }) => at > since);
    this.following = reached >= 0 || this.asked.length > 0 || sees(editor, this.shownLine);
  }

  lookAt(line: number): void {
    const editor = this.editor();
    if (editor === undefined) return;
    const at = clamp(editor, line);
    editor.revealRange(new Range(at, 0, at, 0), TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** The stream has ended. Who followed it is taken to the first of what it changed. */
  done(first: number): void {
    if (this.line !== undefined && this.following) this.lookAt(first);
    this.following = false;
    this.line = undefined;
    this.shownLine = undefined;
    this.asked = [];
    this.editor()?.setDecorations(this.mark.type, []);
  }

  dispose(): void {
    this.line = undefined;
  }
}

function sees(editor: TextEditor, line: number): boolean {
  return editor.visibleRanges.some((r) => r.start.line <= line && line <= r.end.line + 1);
}

function clamp(editor: TextEditor, line: number): number {
  return Math.max(0, Math.min(line, editor.document.lineCount - 1));
}
