// Files that the daemon moves away or removes while an editor shows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdit } from "../../../src/daemon/applyedit";
import { TabInputText, TabInputTextDiff, Uri, window } from "../vscode";

const uri = "file:///w/a.ts";
const gone = { edit: { documentChanges: [{ kind: "delete", uri, options: { ignoreIfNotExists: true } }] } } as never;

function tabs(...all: { input: unknown; isDirty?: boolean }[]) {
  const closed: unknown[] = [];
  const groups = { all: [{ tabs: all.slice(0, 1) }, { tabs: all.slice(1) }], close: async (list: unknown[]) => closed.push(...list) > 0 };
  Object.assign(window.tabGroups, groups);
  return closed;
}

const text = (of: string, isDirty = false) => ({ input: new TabInputText(Uri.parse(of)), isDirty });
const edit = (params: never, next: (params: never) => unknown) => applyEdit(params, next as never, new AbortController().signal);
const never = () => assert.fail("VS Code was asked");

test("the tabs of a file that is gone are closed, in every group, and no others", async () => {
  const all = [text(uri), text(uri), text("file:///w/b.ts", true), { input: new TabInputTextDiff(Uri.parse(uri), Uri.parse(uri)) }];
  const closed = tabs(...all);
  assert.deepEqual(await edit(gone, never), { applied: true });
  assert.deepEqual(closed, all.slice(0, 2));
  assert.deepEqual(await edit(gone, never), { applied: true });
});

test("unsaved work stays", async () => {
  const closed = tabs(text(uri), text(uri, true));
  assert.equal((await edit(gone, never)).applied, false);
  assert.deepEqual(closed, []);
});

test("every other edit is VS Code's", async () => {
  tabs(text(uri));
  const rename = { edit: { documentChanges: [{ kind: "rename", oldUri: uri, newUri: "file:///w/b.ts" }] } } as never;
  assert.deepEqual(await edit(rename, (params) => ({ applied: params === rename })), { applied: true });
  assert.deepEqual(await edit({ edit: {} } as never, () => ({ applied: false })), { applied: false });
});
