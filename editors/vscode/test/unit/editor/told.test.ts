// What the daemon is told of the screen and of problems, and when.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Diagnostic, DiagnosticSeverity, Range, TabInputCustom, TabInputNotebook, TabInputText, TabInputTextDiff, TabInputWebview, Uri } from "vscode";
import { extensions, languages, on, window, workspace } from "../vscode";
import { editor, file, reset, running, start, tab } from "./stage";

beforeEach(reset);

test("the state is whole, and without what the daemon cannot read", () => {
  const { daemon, push, end } = start();
  window.activeTextEditor = editor(file("/w/über uns/a.go"), [4, 2, 9, 0], [20, 1, 20, 1]);
  window.visibleTextEditors = [
    window.activeTextEditor,
    editor(Uri.parse("git:/w/b.go?x")),
    editor(file("/w/b.go")),
    editor(file("/w/b.go")),
    editor(Uri.parse("output:log")),
    editor(Uri.parse("clined-proposal:/w/c.go?1")),
    editor(Uri.parse("vscode-notebook-cell:/w/n.ipynb#1")),
  ];
  window.visibleNotebookEditors = [{ notebook: { uri: file("/w/n.ipynb") } }];
  window.tabGroups.all = [
    {
      viewColumn: 1,
      tabs: [
        tab(new TabInputText(file("/w/über uns/a.go")), { isDirty: true }),
        tab(new TabInputTextDiff(Uri.parse("git:/w/b.go?x"), file("/w/b.go"))),
        tab(new TabInputTextDiff(file("/w/c.go"), Uri.parse("clined-proposal:/w/c.go?1"))),
        tab(new TabInputText(Uri.parse("untitled:Untitled-1")), { isDirty: true }),
        tab(new TabInputWebview("clined")),
        tab(undefined),
      ],
    },
    { viewColumn: 2, tabs: [tab(new TabInputNotebook(file("/w/n.ipynb"), "jupyter"), { isPinned: true })] },
  ];
  daemon.become(running);
  assert.deepEqual(daemon.states, [
    {
      rev: 1,
      active: {
        uri: "file:///w/%C3%BCber%20uns/a.go",
        selections: [{ start: { line: 4, character: 2 }, end: { line: 9, character: 0 } }],
      },
      visible: [
        { uri: "file:///w/%C3%BCber%20uns/a.go", ranges: [{ start: { line: 0, character: 0 }, end: { line: 40, character: 0 } }] },
        {
          uri: "file:///w/b.go",
          ranges: [
            { start: { line: 0, character: 0 }, end: { line: 40, character: 0 } },
            { start: { line: 0, character: 0 }, end: { line: 40, character: 0 } },
          ],
        },
        { uri: "file:///w/n.ipynb" },
      ],
      tabs: [
        { uri: "file:///w/%C3%BCber%20uns/a.go", dirty: true, group: 1 },
        { uri: "file:///w/b.go", group: 1 },
        { uri: "file:///w/n.ipynb", pinned: true, group: 2 },
      ],
      terminals: [],
      checkedLanguages: [],
    },
  ]);
  push.flush();
  assert.equal(daemon.states.length, 1, "nothing is told twice");
  end();
});

test("our own diffs cover nothing", () => {
  const { daemon, push, end } = start();
  const told = () => {
    on(window.tabGroups.onDidChangeTabs).fire({});
    push.flush();
    const { active, visible } = daemon.states.at(-1)!;
    return [active?.uri, ...visible.map((v) => v.uri)].join(" ");
  };
  const show = (tabs: unknown[], activeTab: unknown, ...editors: unknown[]) => {
    window.tabGroups.activeTabGroup = { activeTab };
    window.tabGroups.all = [{ viewColumn: 1, tabs, activeTab }];
    window.visibleTextEditors = editors;
    window.activeTextEditor = editors.at(-1);
  };
  const a = tab(new TabInputText(file("/a")));
  const b = tab(new TabInputText(file("/b")));
  const diff = tab(new TabInputTextDiff(Uri.parse("clined-base:/c?1"), Uri.parse("clined-proposal:/c?1")));
  const sides = [editor(Uri.parse("clined-base:/c?1")), editor(Uri.parse("clined-proposal:/c?1"))];
  show([a, b], a, editor(file("/a"), [1, 0, 2, 0]));
  daemon.become(running);
  assert.equal(told(), "file:///a file:///a");

  show([a, b, diff], diff);
  assert.equal(told(), "file:///a file:///a", "its editors are not there yet");
  show([a, b, diff], diff, ...sides);
  assert.equal(told(), "file:///a file:///a");
  assert.equal(daemon.states.at(-1)?.active?.selections?.length, 1);
  show([a, b, diff], diff, editor(file("/b")), ...sides); // beside it
  assert.equal(told(), "file:///a file:///b file:///a");
  show([b, diff], diff, ...sides); // the user closed what was behind
  assert.equal(told(), " file:///b");
  show([b], b); // the diff is gone, and the editor behind it not there yet
  assert.equal(told(), "file:///b file:///b");
  show([], undefined);
  assert.equal(told(), "");
  end();
});

test("a file without a text editor is told by its tab", () => {
  const { daemon, end } = start();
  const image = tab(new TabInputCustom(file("/w/a.png"), "imagePreview.previewEditor"));
  window.tabGroups.activeTabGroup = { activeTab: image };
  window.tabGroups.all = [{ viewColumn: 1, tabs: [image], activeTab: image }];
  daemon.become(running);
  assert.deepEqual(daemon.states[0]?.active, { uri: "file:///w/a.png" });
  assert.deepEqual(daemon.states[0]?.visible, [{ uri: "file:///w/a.png" }]);
  end();
});

test("pushes are debounced, flushed, and only of what is new", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { daemon, push, end } = start();
  try {
    on(window.onDidChangeActiveTextEditor).fire(undefined);
    mock.timers.tick(5000);
    daemon.become({ kind: "starting" });
    assert.equal(daemon.sent.length, 0, "nobody listens");
    daemon.become(running);
    assert.equal(daemon.states.length, 1);

    // Typing moves the cursor and the parts in view, and makes the tab dirty once.
    window.activeTextEditor = editor(file("/w/a.go"), [0, 0, 0, 0]);
    const a = tab(new TabInputText(file("/w/a.go")));
    window.tabGroups.all = [{ viewColumn: 1, tabs: [a] }];
    for (let i = 0; i < 100; i++) {
      window.activeTextEditor = editor(file("/w/a.go"), [0, i, 0, i]);
      on(window.onDidChangeTextEditorSelection).fire({});
      if (i === 1) a.isDirty = true;
      mock.timers.tick(80);
    }
    mock.timers.tick(1000);
    assert.equal(daemon.states.length, 2);
    assert.equal(daemon.states[1]?.tabs[0]?.dirty, true);

    // The document was saved, the tab was not told yet.
    workspace.textDocuments = [{ uri: file("/w/a.go"), isDirty: false }];
    on(workspace.onDidSaveTextDocument).fire({});
    mock.timers.tick(1000);
    assert.equal(daemon.states.at(-1)?.tabs[0]?.dirty, undefined);

    // What is said next must know the present.
    window.activeTextEditor = editor(file("/w/b.go"));
    on(window.onDidChangeActiveTextEditor).fire(undefined);
    push.flush();
    assert.equal(daemon.states.at(-1)?.active?.uri, "file:///w/b.go");
    const n = daemon.sent.length;
    mock.timers.tick(5000);
    assert.equal(daemon.sent.length, n);
    assert.deepEqual(daemon.states.map((s) => s.rev), [1, 2, 3, 4]);

    // A new process is told all of it.
    daemon.become({ kind: "failed", problem: "", hint: "", help: [] });
    push.flush();
    daemon.become(running);
    assert.equal(daemon.states.length, 5);
    assert.deepEqual({ ...daemon.states[4], rev: 4 }, daemon.states[3]);
  } finally {
    end();
    mock.timers.reset();
  }
});

test("problems go by document, all of them to a new process", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { daemon, push, checkers, end } = start();
  const problem = Object.assign(new Diagnostic(new Range(4, 2, 4, 5), "undefined: x", DiagnosticSeverity.Error), { source: "compiler" });
  const told = () => daemon.take<{ uri: string; diagnostics: { severity: number }[] }>("clined/editor/didChangeDiagnostics");
  try {
    languages.all = [
      [file("/w/a.go"), [problem]],
      [Uri.parse("git:/w/a.go"), [problem]],
    ];
    workspace.textDocuments = [{ uri: file("/w/a.go"), languageId: "go" }, { uri: file("/w/b.py"), languageId: "python" }];
    daemon.become(running);
    assert.deepEqual(told(), [
      {
        uri: "file:///w/a.go",
        diagnostics: [{ range: { start: { line: 4, character: 2 }, end: { line: 4, character: 5 } }, severity: 1, message: "undefined: x", source: "compiler" }],
      },
    ]);
    assert.deepEqual(daemon.states[0]?.checkedLanguages, ["go"]);
    assert.equal(daemon.states[0]?.diagnostics, undefined);

    // A file found clean is news, too; the same one several times is told once.
    for (let i = 0; i < 5; i++) on(languages.onDidChangeDiagnostics).fire({ uris: [file("/w/b.py"), Uri.parse("output:x")] });
    mock.timers.tick(150);
    assert.deepEqual(told().slice(1), [{ uri: "file:///w/b.py", diagnostics: [] }]);
    assert.deepEqual(daemon.states.at(-1)?.checkedLanguages, ["go", "python"]);

    // The most severe of too many.
    languages.all = [[file("/w/a.go"), Array.from({ length: 10_000 }, (_, i) => new Diagnostic(new Range(i, 0, i, 1), "m", (i % 4) as DiagnosticSeverity))]];
    on(languages.onDidChangeDiagnostics).fire({ uris: [file("/w/a.go")] });
    push.flush();
    assert.equal(told().at(-1)?.diagnostics.length, 1000);
    assert.ok(told().at(-1)?.diagnostics.every((d) => d.severity === 1));

    extensions.active = ["rust-lang.rust-analyzer"];
    assert.deepEqual(checkers.languages(), ["go", "python", "rust"]);
  } finally {
    end();
    mock.timers.reset();
  }
});

test("a thousand tabs are a push like any other", () => {
  const { daemon, end } = start();
  window.tabGroups.all = [{ viewColumn: 1, tabs: Array.from({ length: 1000 }, (_, i) => tab(new TabInputText(file(`/w/${i}.go`)))) }];
  daemon.become(running);
  assert.equal(daemon.states[0]?.tabs.length, 1000);
  end();
});
