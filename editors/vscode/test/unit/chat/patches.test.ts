// Finished edits as two sides for VS Code's diff editor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Patches, sides } from "../../../src/chat/patches";
import { parseDiff } from "../../../src/model/diff";
import { commands, window, workspace, type Uri } from "../vscode";

const two = `--- a/price.go
+++ b/price.go
@@ -4,3 +4,4 @@
 a
-b
+B
+B2
 c
@@ -20 +21 @@
-x
+y
`;
const of = (diff: string) => sides(parseDiff(diff)[0]!);

test("each side has its lines, and a mark where lines are missing", () => {
  assert.deepEqual(of(two), { before: "⋯\na\nb\nc\n⋯\nx", after: "⋯\na\nB\nB2\nc\n⋯\ny" });
});

test("files that are made, removed or only grow", () => {
  assert.deepEqual(of("--- a/n\n+++ b/n\n@@ -0,0 +1,2 @@\n+one\n+two\n"), { before: "", after: "one\ntwo" });
  assert.deepEqual(of("--- a/n\n+++ b/n\n@@ -1,2 +0,0 @@\n-one\n--- two\n"), { before: "one\n-- two", after: "" });
  assert.deepEqual(of("--- a/n\n+++ b/n\n@@ -7,0 +8 @@\n+new\n"), { before: "⋯", after: "⋯\nnew" });
});

test("one file opens as a diff, several as changes, and what is no diff as text", async (t) => {
  const opened: unknown[][] = [];
  t.mock.method(commands, "executeCommand", (...said: unknown[]) => Promise.resolve(void opened.push(said)));
  let content: { provideTextDocumentContent(uri: Uri): string } | undefined;
  t.mock.method(workspace, "registerTextDocumentContentProvider", (_scheme: string, provider: never) => (content = provider));
  Object.assign(workspace, { openTextDocument: (uri: Uri) => Promise.resolve({ uri }) });
  Object.assign(window, { showTextDocument: (document: { uri: Uri }) => Promise.resolve(void opened.push(["text", document.uri])) });
  const patches = new Patches();
  await patches.show("Edit price.go", two);
  const [[, before, after, title]] = opened as [[string, Uri, Uri, string]];
  assert.equal(title, "price.go (clined: edited)");
  assert.equal(after.path, "/price.go");
  assert.equal(content?.provideTextDocumentContent(before), "⋯\na\nb\nc\n⋯\nx");
  await patches.show("Edit 2 files", `${two}--- a/other.go\n+++ b/other.go\n@@ -1 +1 @@\n-1\n+2\n`);
  assert.equal(opened[1]?.[0], "vscode.changes");
  assert.deepEqual((opened[1]?.[2] as Uri[][]).map((triple) => triple.map((uri) => uri.path)), [Array(3).fill("/price.go"), Array(3).fill("/other.go")]);
  await patches.show("Delete a/b.png", "binary file, 5 bytes\n");
  assert.equal(opened[2]?.[0], "text");
  assert.equal(content?.provideTextDocumentContent(opened[2]?.[1] as Uri), "binary file, 5 bytes\n");
});
