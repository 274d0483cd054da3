// A document that the daemon edited is saved when the disk has its text, and never else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { saveOnceWritten } from "../../../src/daemon/written";
import { Uri, workspace } from "../vscode";

const uri = Uri.parse("file:///w/b.ts");

/** `disk` is what the file has at each look. */
async function saves(disk: (string | undefined)[], o: { text?: string; set?: Record<string, unknown>; typed?: boolean; ended?: boolean } = {}): Promise<number> {
  let saved = 0;
  const document = {
    uri,
    version: 1,
    isDirty: true,
    isClosed: false,
    getText: () => o.text ?? "new",
    save: async () => (saved++, true),
  };
  const reads = disk.values();
  const end = new AbortController();
  if (o.ended) end.abort();
  const { getConfiguration } = workspace;
  workspace.textDocuments = [document];
  Object.assign(workspace, {
    fs: {
      readFile: async () => {
        const { value, done } = reads.next();
        if (o.typed) document.version++;
        if (done) end.abort();
        if (value === undefined) throw new Error("no such file");
        return new TextEncoder().encode(value);
      },
    },
    getConfiguration: (section: string) => ({ get: (key: string, otherwise: unknown) => o.set?.[`${section}.${key}`] ?? otherwise }),
  });
  await saveOnceWritten(uri as never, end.signal);
  Object.assign(workspace, { getConfiguration, fs: undefined });
  return saved;
}

test("it is saved when the disk has its text, however late", async () => {
  assert.equal(await saves(["new"]), 1);
  assert.equal(await saves(["old", undefined, "new", "new"]), 1);
  assert.equal(await saves(["new"], { set: { "editor.codeActionsOnSave": {}, "editor.formatOnSave": false } }), 1);
});

test("it is left to the user where a save would not be of what is there", async () => {
  assert.equal(await saves(["old"]), 0);
  assert.equal(await saves(["new"], { typed: true }), 0);
  assert.equal(await saves(["new"], { ended: true }), 0);
  assert.equal(await saves(["x".repeat(70_000)], { text: "x".repeat(70_000) }), 0);
  for (const key of ["editor.formatOnSave", "files.trimTrailingWhitespace", "files.insertFinalNewline", "files.trimFinalNewlines"]) {
    assert.equal(await saves(["new"], { set: { [key]: true } }), 0, key);
  }
  assert.equal(await saves(["new"], { set: { "editor.codeActionsOnSave": { "source.fixAll": "explicit" } } }), 0);
});
