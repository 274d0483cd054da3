import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Diagnostic, DiagnosticSeverity, Range, SymbolKind, Uri } from "vscode";
import { registerCommands } from "../../../src/editor/commands";
import * as fake from "../vscode";

const { commands, env, languages, window, workspace } = fake;

const composed: { text: string; send?: boolean }[] = [];
const chat = { compose: async (text: string, options: { send?: boolean } = {}) => void composed.push({ text, ...options }) };
let last: { command: string; output: string; running: boolean } | undefined;
registerCommands(chat, { lastCommand: () => last } as never);

const source = ["function sum(x, y) {", "  return x + z;", "}", ""];

function open(uri: Uri, selection: Range, lines = source) {
  const document = {
    uri,
    languageId: "javascript",
    getText: ({ start, end }: Range) => lines.slice(start.line, end.line + 1).join("\n"),
  };
  workspace.textDocuments = [document];
  window.activeTextEditor = { document, selection, selections: [selection] };
}

async function run(command: string, ...args: unknown[]) {
  composed.length = 0;
  await commands.executeCommand(command, ...args);
  return composed[0];
}

beforeEach(() => {
  window.activeTextEditor = undefined;
  window.activeTerminal = undefined;
  window.terminals = [];
  workspace.workspaceFolders = [{ uri: Uri.file("/w") }];
  languages.all = [];
  last = undefined;
  commands.all.delete("vscode.executeDocumentSymbolProvider");
  commands.all.delete("workbench.action.terminal.copySelection");
  commands.all.delete("workbench.action.terminal.copyLastCommandOutput");
});

test("a selection is added in whole lines, and not sent", async () => {
  open(Uri.file("/w/src/a.js"), new Range(0, 4, 2, 0));
  assert.deepEqual(await run("clined.addSelection", Uri.file("/w/src/a.js")), {
    text: "`src/a.js:1-2`\n```javascript\nfunction sum(x, y) {\n  return x + z;\n```",
  });
});

test("documents that are no files are named by what they are", async () => {
  const named = async (uri: string) => {
    open(Uri.parse(uri), new Range(1, 0, 1, 2));
    return (await run("clined.addSelection"))?.text.split("\n")[0];
  };
  assert.equal(await named("untitled:Untitled-1"), "`Untitled-1:2`");
  assert.equal(await named("git:/w/a.js?ref"), "`a.js (git):2`");
  const cell = { document: { uri: Uri.parse("vscode-notebook-cell:/w/n.ipynb#b") }, index: 1 };
  workspace.notebookDocuments = [{ getCells: () => [cell] }];
  assert.equal(await named("vscode-notebook-cell:/w/n.ipynb#b"), "`n.ipynb (cell 2):2`");
});

test("a cursor means the function around it", async () => {
  commands.all.set("vscode.executeDocumentSymbolProvider", () => [
    {
      kind: SymbolKind.Function,
      range: new Range(0, 0, 2, 1),
      children: [{ kind: SymbolKind.Variable, range: new Range(1, 0, 1, 15), children: [] }],
    },
  ]);
  open(Uri.file("/w/a.js"), new Range(1, 3, 1, 3));
  const explain = await run("clined.explain");
  assert.equal(explain?.send, true);
  assert.match(explain?.text ?? "", /^Explain what this does[^]*`a\.js:1-3`/);
  assert.match((await run("clined.addSelection"))?.text ?? "", /^`a\.js:2`/, "what is added is what one sees selected");
});

test("problems of the line come along, unless a function is meant", async () => {
  const problem = new Diagnostic(new Range(1, 13, 1, 14), "z is not defined", DiagnosticSeverity.Error);
  languages.all = [[Uri.file("/w/a.js"), [problem]]];
  open(Uri.file("/w/a.js"), new Range(1, 3, 1, 3));
  assert.match((await run("clined.fix"))?.text ?? "", /^Fix this problem in `a\.js:2`: z is not defined/);
  open(Uri.file("/w/a.js"), new Range(0, 0, 0, 5));
  assert.match((await run("clined.fix"))?.text ?? "", /^Find out what is wrong here/);
});

test("a code action brings its own place and problems", async () => {
  open(Uri.file("/w/a.js"), new Range(0, 0, 0, 0));
  window.activeTextEditor = undefined;
  const target = { uri: Uri.file("/w/a.js"), range: new Range(1, 13, 1, 14), diagnostics: [new Diagnostic(new Range(1, 13, 1, 14), "m")] };
  assert.match((await run("clined.fix", target))?.text ?? "", /^Fix this problem in `a\.js:2`: m\n\n`a\.js:2`\n/);
});

test("without an editor or a terminal nothing is put into the chat", async () => {
  for (const command of ["addSelection", "explain", "fix", "addTerminalOutput", "addTerminalSelection"]) {
    assert.equal(await run(`clined.${command}`), undefined, command);
  }
});

test("a picture in the clipboard stays where no text is copied, and is not made an empty text where one is", async () => {
  const written: string[] = [];
  const { writeText } = env.clipboard;
  env.clipboard.text = "";
  env.clipboard.writeText = async (text) => void written.push(text);
  try {
    commands.all.set("workbench.action.terminal.copySelection", () => {});
    assert.equal(await run("clined.addTerminalSelection"), undefined);
    commands.all.set("workbench.action.terminal.copySelection", () => (env.clipboard.text = "selected"));
    assert.match((await run("clined.addTerminalSelection"))?.text ?? "", /selected/);
    assert.deepEqual(written, []);
  } finally {
    env.clipboard.writeText = writeText;
  }
});

test("a terminal's output is what its screen shows, and the clipboard is as before", async () => {
  const terminal = { show() {} };
  Object.assign(window, { terminals: [terminal], activeTerminal: terminal });
  last = { command: "npm test", output: "cut", running: false };
  env.clipboard.text = "mine";
  commands.all.set("workbench.action.terminal.copyLastCommandOutput", () => (env.clipboard.text = "1 failed\n"));
  assert.equal((await run("clined.addTerminalOutput", terminal))?.text, "`npm test` printed:\n```\n1 failed\n```");
  assert.equal(env.clipboard.text, "mine");

  last = { ...last, running: true };
  assert.match((await run("clined.addTerminalOutput"))?.text ?? "", /cut/, "of one that runs, what came until now");

  commands.all.set("workbench.action.terminal.copySelection", () => (env.clipboard.text = "selected"));
  assert.equal((await run("clined.addTerminalSelection"))?.text, "From the terminal:\n```\nselected\n```");
  assert.equal(env.clipboard.text, "mine");

  commands.all.set("workbench.action.terminal.copySelection", () => {
    throw new Error("no permission");
  });
  assert.equal(await run("clined.addTerminalSelection"), undefined);
  assert.equal(env.clipboard.text, "mine");
});
