// The line that the model writes stays in view until the user scrolls away from it, and only then.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TextEditor } from "vscode";
import { Range } from "vscode";
import { Follower, Mark } from "../../../src/diff/follow";
import { window } from "../vscode";

const height = 30;

/** An editor that scrolls when the test lets it, as VS Code does some time after it was asked. */
function stage() {
  let now = 0;
  const revealed: number[] = [];
  const editor = {
    document: { lineCount: 5000 },
    visibleRanges: [new Range(0, 0, height, 0)],
    setDecorations: () => {},
    revealRange: (range: Range) => revealed.push(range.start.line),
  };
  const follower = new Follower(
    () => editor as unknown as TextEditor,
    new Mark(),
    () => now,
  );
  return {
    follower,
    revealed,
    write: (line: number) => (follower.writing(line), follower.shown()),
    /** VS Code tells that these lines are in view. */
    view: (top: number) => {
      editor.visibleRanges = [new Range(top, 0, top + height, 0)];
      follower.scrolled();
    },
    wait: (ms: number) => (now += ms),
  };
}

test("what is written is followed, not while it is in view", () => {
  const { write, view, revealed } = stage();
  write(10);
  write(29);
  assert.deepEqual(revealed, []);
  write(300);
  view(285);
  write(310);
  write(500);
  assert.deepEqual(revealed, [300, 500]);
});

test("late news of where the view was are not the user's doing", () => {
  const { write, view, revealed } = stage();
  write(100);
  write(300);
  view(0);
  view(85);
  write(400);
  view(285);
  write(500);
  assert.deepEqual(revealed, [100, 300, 400, 500]);
});

test("who scrolls away is left there, and followed again when back", () => {
  const { write, view, revealed } = stage();
  write(100);
  view(85);
  view(0);
  write(130);
  write(200);
  assert.deepEqual(revealed, [100]);
  view(180);
  write(205);
  write(300);
  assert.deepEqual(revealed, [100, 300]);
});

test("a line that VS Code never shows holds nobody", () => {
  const { write, view, revealed, wait } = stage();
  write(100);
  wait(2000);
  view(40);
  write(300);
  assert.deepEqual(revealed, [100]);
});

test("a mark is made when it is needed, and goes with its owner", () => {
  const made: string[] = [];
  const create = window.createTextEditorDecorationType;
  window.createTextEditorDecorationType = () => (made.push("made"), { dispose: () => made.push("gone") });
  try {
    new Mark().dispose();
    const mark = new Mark();
    assert.equal(mark.type, mark.type);
    mark.dispose();
    assert.deepEqual(made, ["made", "gone"]);
  } finally {
    window.createTextEditorDecorationType = create;
  }
});

test("at the end the first change is looked at, but by nobody who scrolled away", () => {
  const one = stage();
  one.write(100);
  one.view(85);
  one.follower.done(40);
  assert.deepEqual(one.revealed, [100, 40]);
  const two = stage();
  two.write(100);
  two.view(85);
  two.view(0);
  two.follower.done(40);
  assert.deepEqual(two.revealed, [100]);
});
