// Follows what the model writes: the line is marked, and stays in view unless the user scrolled away from it.

import { OverviewRulerLane, Range, TextEditorRevealType, ThemeColor, window, type TextEditor, type TextEditorDecorationType } from "vscode";

let written: TextEditorDecorationType | undefined;

function mark(): TextEditorDecorationType {
  written ??= window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor("editor.rangeHighlightBackground"),
    borderColor: new ThemeColor("focusBorder"),
    borderStyle: "solid",
    borderWidth: "0 0 0 2px",
    overviewRulerColor: new ThemeColor("focusBorder"),
    overviewRulerLane: OverviewRulerLane.Full,
  });
  return written;
}

export class Follower {
  private line: number | undefined;
  private following = true;
  private shownLine: number | undefined;

  constructor(private readonly editor: () => TextEditor | undefined) {}

  /** The model writes at this line. */
  writing(line: number): void {
    this.line = line;
  }

  /** The document shows what came last. */
  shown(): void {
    const editor = this.editor();
    if (editor === undefined || this.line === undefined) return;
    const line = clamp(editor, this.line);
    editor.setDecorations(mark(), [new Range(line, 0, line, 0)]);
    if (!this.following) return;
    this.shownLine = line;
    editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** What is in view changed: away from the line means that the user wants to look elsewhere, back to it that they do not. */
  scrolled(): void {
    const editor = this.editor();
    if (editor === undefined || this.shownLine === undefined) return;
    this.following = editor.visibleRanges.some((r) => r.start.line <= this.shownLine! && this.shownLine! <= r.end.line + 1);
  }

  lookAt(line: number): void {
    const editor = this.editor();
    if (editor === undefined) return;
    const at = clamp(editor, line);
    editor.revealRange(new Range(at, 0, at, 0), TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** The stream has ended. */
  done(): void {
    this.line = undefined;
    this.shownLine = undefined;
    this.editor()?.setDecorations(mark(), []);
  }

  dispose(): void {
    this.line = undefined;
  }
}

function clamp(editor: TextEditor, line: number): number {
  return Math.max(0, Math.min(line, editor.document.lineCount - 1));
}
