import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeActionKind, Diagnostic, Range, Uri } from "vscode";
import { Actions } from "../../../src/editor/actions";

const document = { uri: Uri.file("/w/a.go") } as never;
const offered = (range: Range, diagnostics: Diagnostic[], only?: CodeActionKind) =>
  new Actions()
    .provideCodeActions(document, range, { diagnostics, only, triggerKind: 1 })
    .map((action) => `${action.title}: ${action.kind?.value}`);

const problem = new Diagnostic(new Range(1, 0, 1, 4), "m");
const cursor = new Range(1, 1, 1, 1);
const selected = new Range(1, 0, 3, 0);
const fixes = ["Fix with clined: quickfix", "Explain with clined: quickfix"];
const selection = ["Explain with clined: refactor.clined", "Add to clined: refactor.clined"];

test("actions stand on problems and on selections", () => {
  assert.deepEqual(offered(cursor, []), []);
  assert.deepEqual(offered(cursor, [problem]), fixes);
  assert.deepEqual(offered(selected, []), selection);
  assert.deepEqual(offered(selected, [problem]), [...fixes, ...selection]);
});

test("only what was asked for", () => {
  assert.deepEqual(offered(selected, [problem], CodeActionKind.QuickFix), fixes);
  assert.deepEqual(offered(selected, [problem], CodeActionKind.Refactor), selection);
  assert.deepEqual(offered(selected, [problem], CodeActionKind.Empty), [...fixes, ...selection]);
  assert.deepEqual(offered(selected, [problem], CodeActionKind.QuickFix.append("other")), []);
});

test("problems are told with the lines of all of them", () => {
  const other = new Diagnostic(new Range(3, 0, 5, 1), "n");
  const [fix] = new Actions().provideCodeActions(document, cursor, { diagnostics: [problem, other], only: undefined, triggerKind: 1 });
  const target = fix?.command?.arguments?.[0];
  assert.deepEqual(target.range, new Range(1, 0, 5, 1));
  assert.deepEqual(target.diagnostics, [problem, other]);
});
