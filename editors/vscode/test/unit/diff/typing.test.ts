// Whether the user types: then no diff takes the place of what they look at.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Uri, window, workspace } from "vscode";
import { Typing } from "../../../src/diff/typing";
import { on } from "../vscode";

function stage() {
  const document = { uri: Uri.file("/w/a.ts"), isDirty: true };
  Object.assign(window, { activeTextEditor: { document }, state: { focused: true } });
  const typing = new Typing();
  return { typing, document, change: () => on(workspace.onDidChangeTextDocument).fire({ document, contentChanges: [{}] }) };
}

test("keys in a file are typing", () => {
  const { typing, change } = stage();
  assert.equal(typing.now, false);
  change();
  assert.equal(typing.now, true);
  typing.dispose();
});

test("what a save makes of a file is not", async () => {
  const { typing, document, change } = stage();
  await typing.without(document.uri, async () => change());
  assert.equal(typing.now, false);
  await assert.rejects(typing.without(document.uri, () => Promise.reject(new Error("not saved"))));
  change();
  assert.equal(typing.now, true);
  typing.dispose();
});
