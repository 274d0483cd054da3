// When problems are answered that the daemon asks for.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { EventEmitter, Uri } from "vscode";
import { pull } from "../../../src/editor/pull";
import { Settle } from "../../../src/editor/settle";
import { languages, on, workspace } from "../vscode";
import { file, reset, start } from "./stage";

beforeEach(reset);

test("a pull waits for checkers, and not longer", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { checkers, end } = start();
  const settle = new Settle();
  const token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter<void>().event } as never;
  const a = file("/w/a.go");
  const published = (...uris: Uri[]) => {
    checkers.note(uris);
    on(languages.onDidChangeDiagnostics).fire({ uris });
  };
  const change = (uri: Uri) => on(workspace.onDidChangeTextDocument).fire({ document: { uri }, contentChanges: [{}] });
  const turns = async () => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  const ask = (settleMs: number, ...uris: string[]) => {
    const asked: { items?: string[] } = {};
    void pull({ uris, settleMs }, token, checkers, settle).then((r) => (asked.items = r.items.map((i) => i.uri)));
    return asked;
  };
  try {
    const unknown = ask(1500, "file:///w/a.go", "untitled:x", "no uri");
    await turns();
    assert.deepEqual(unknown.items, [], "nothing checks it");

    published(a);
    const before = ask(0, "file:///w/a.go");
    await turns();
    assert.deepEqual(before.items, ["file:///w/a.go"]);

    // What was published before the change is not waited away.
    change(a);
    const first = ask(1500, "file:///w/a.go");
    mock.timers.tick(500);
    await turns();
    assert.equal(first.items, undefined);
    published(a);
    mock.timers.tick(200);
    published(a); // in parts
    mock.timers.tick(200);
    await turns();
    assert.equal(first.items, undefined);
    mock.timers.tick(50);
    await turns();
    assert.deepEqual(first.items, ["file:///w/a.go"]);

    // It came already.
    change(a);
    published(a);
    mock.timers.tick(400);
    const early = ask(1500, "file:///w/a.go");
    await turns();
    assert.deepEqual(early.items, ["file:///w/a.go"]);

    // VS Code sees a change on disk late: what was published before the first pull does not count.
    ask(0, "file:///w/a.go");
    const late = ask(1500, "file:///w/a.go");
    mock.timers.tick(300);
    change(a);
    mock.timers.tick(1199);
    await turns();
    assert.equal(late.items, undefined);
    mock.timers.tick(1);
    await turns();
    assert.deepEqual(late.items, ["file:///w/a.go"], "in time, though nothing came");

    // Of a file that was never looked at before, what was published until now may be old.
    published(file("/w/b.go"));
    mock.timers.tick(400);
    const unseen = ask(1500, "file:///w/b.go");
    mock.timers.tick(400);
    await turns();
    assert.equal(unseen.items, undefined);
    published(file("/w/b.go"));
    mock.timers.tick(250);
    await turns();
    assert.deepEqual(unseen.items, ["file:///w/b.go"]);

    // Another spelling is answered as it was asked.
    published(file("/w/über.go"));
    const spelled = ask(0, "file:///w/über.go");
    await turns();
    assert.deepEqual(spelled.items, ["file:///w/über.go"]);
  } finally {
    settle.dispose();
    end();
    mock.timers.reset();
  }
});
