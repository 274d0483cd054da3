import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Uri } from "vscode";
import { Delay } from "../../../src/editor/delay";
import { excerpt, explain, fix, pathFor, place, printed } from "../../../src/editor/excerpt";
import { plain, tail } from "../../../src/editor/plain";
import { readable } from "../../../src/editor/uris";

test("only files of this machine are told", () => {
  const uris: [string, string | undefined][] = [
    ["file:///w/a.go", "file:///w/a.go"],
    ["file:///w/%C3%BCber%20uns/%E6%96%87.ts", "file:///w/%C3%BCber%20uns/%E6%96%87.ts"],
    ["file:///w/a.go#12", "file:///w/a.go"],
    ["file:///w/a.go?x", "file:///w/a.go"],
    ["file://server/share/a.go", undefined],
    ["untitled:Untitled-1", undefined],
    ["untitled:/w/new.ts", undefined],
    ["git:/w/a.go?%7B%22ref%22%3A%22HEAD%22%7D", undefined],
    ["output:extension-output-clined", undefined],
    ["vscode-userdata:/home/me/.config/settings.json", undefined],
    ["vscode-notebook-cell:/w/a.ipynb#X10sZmlsZQ", undefined],
    ["vscode-remote://ssh-remote%2Bhost/w/a.go", undefined],
    ["vscode-settings:/x", undefined],
    ["clined-proposed:/w/a.go?1", undefined],
    ["walkThrough://vscode/x", undefined],
    ["file:", undefined],
  ];
  for (const [uri, told] of uris) assert.equal(readable(Uri.parse(uri), false), told, uri);
  assert.equal(readable(Uri.parse("file://server/share/a.go"), true), "file://server/share/a.go");
  assert.equal(readable(Uri.parse("file:///c%3A/w/a.go"), true), "file:///c%3A/w/a.go");
});

test("terminal text is what one saw", () => {
  const cases: [string, string][] = [
    ["plain\r\nlines\r\n", "plain\nlines\n"],
    ["\x1b]633;C\x07\x1b[31mred\x1b[0m\r\n\x1b]633;D;0\x07", "red\n"],
    ["\x1b]0;a title with spaces\x1b\\done", "done"],
    ["10%\r50%\r100%\r\n", "100%\n"],
    ["\x1b[?2004l\x1b[2K\x1b(Bx\x1b=\x1b7", "x"],
    ["über 文 😀\tend\x07", "über 文 😀\tend"],
    ["cut in an escape \x1b[3", "cut in an escape "],
    ["cut in a title \x1b]633;E;npm", "cut in a title "],
  ];
  for (const [raw, shown] of cases) assert.equal(plain(raw), shown, JSON.stringify(raw));
});

test("a tail begins with a line and breaks no character", () => {
  assert.equal(tail("one\ntwo\nthree", 9), "two\nthree");
  assert.equal(tail("one\ntwo\nthree", 8), "three");
  assert.equal(tail("one\ntwo\nthree", 100), "one\ntwo\nthree");
  assert.equal(tail("abcdef", 3), "def");
  assert.equal(tail("a😀b", 2), "b");
  assert.equal(tail("one\nlonger\n", 4), "ger\n");
  for (let n = 0; n <= 12; n++) assert.ok(tail("äö\n😀😀\nxyz", n).length <= n);
});

test("paths are those that the daemon uses", () => {
  const one = [{ path: "/w/shop" }];
  assert.equal(pathFor("/w/shop/src/a.go", one, false), "src/a.go");
  assert.equal(pathFor("/w/shopping/a.go", one, false), "/w/shopping/a.go");
  assert.equal(pathFor("/w/shop/~x", one, false), "./~x");
  assert.equal(pathFor("/w/shop/@types/x.ts", one, false), "./@types/x.ts");
  assert.equal(pathFor("/w/shop/git:x", one, false), "./git:x");
  assert.equal(pathFor("/w/shop/back\\slash", one, false), "back\\slash");
  assert.equal(pathFor("/a", [], false), "/a");
  assert.equal(pathFor("/etc/hosts", [{ path: "/" }], false), "etc/hosts");

  const several = [{ path: "/w/a/app" }, { path: "/w/b/app" }, { path: "/w/lib" }, { path: "/w/lib/inner" }];
  assert.equal(pathFor("/w/lib/x.ts", several, false), "lib/x.ts");
  assert.equal(pathFor("/w/lib/inner/x.ts", several, false), "inner/x.ts");
  assert.equal(pathFor("/w/a/app/x.ts", several, false), "/w/a/app/x.ts", "another folder has that name");

  const windows = [{ path: "c:\\w\\shop" }];
  assert.equal(pathFor("c:\\w\\shop\\src\\a.go", windows, true), "src/a.go");
  assert.equal(pathFor("C:\\W\\Shop\\src\\a.go", windows, true), "src/a.go");
  assert.equal(pathFor("d:\\x\\a.go", windows, true), "d:\\x\\a.go");
  assert.equal(pathFor("\\\\srv\\share\\a.go", [{ path: "\\\\srv\\share" }], true), "a.go");
});

const of = { path: "src/a.ts", startLine: 3, endLine: 4, languageId: "typescript", text: "const a = 1;\nconst b = 2;" };

test("a selection is a place and its code", () => {
  assert.equal(place(of), "src/a.ts:4-5");
  assert.equal(place({ ...of, endLine: 3 }), "src/a.ts:4");
  assert.equal(excerpt(of), "`src/a.ts:4-5`\n```typescript\nconst a = 1;\nconst b = 2;\n```");
  assert.equal(excerpt({ ...of, text: "```\nx\n````" }), "`src/a.ts:4-5`\n`````typescript\n```\nx\n````\n`````");
  assert.equal(excerpt({ ...of, text: "" }), "`src/a.ts:4-5`");
  assert.equal(excerpt({ ...of, text: "x".repeat(30_000) }), "`src/a.ts:4-5`");
  assert.equal(excerpt({ ...of, path: "a`b.md", languageId: "plaintext", text: "x\n" }), "`` a`b.md:4-5 ``\n```\nx\n```");
  assert.match(excerpt({ ...of, languageId: "typescriptreact" }), /^```tsx$/m);
});

test("problems are told with what is around them", () => {
  const two = [
    { line: 3, message: "Cannot find name 'x'.", source: "ts", code: 2304 },
    { line: 4, message: "unused" },
  ];
  assert.equal(fix(of, two.slice(0, 1)).split("\n")[0], "Fix this problem in `src/a.ts:4`: Cannot find name 'x'. (ts 2304)");
  assert.ok(
    fix(of, two).startsWith("Fix these problems in `src/a.ts`:\n\n- line 4: Cannot find name 'x'. (ts 2304)\n- line 5: unused\n\n`src/a.ts:4-5`"),
  );
  assert.match(fix(of, []), /^Find out what is wrong here/);
  assert.match(explain(of, two), /^Explain these problems in/);
  assert.match(explain(of, []), /^Explain what this does/);
});

test("terminal output is fenced", () => {
  assert.equal(printed("a\nb\n", "ls"), "`ls` printed:\n```\na\nb\n```");
  assert.equal(printed("", "true"), "`true` was run in the terminal.");
  assert.equal(printed("x"), "From the terminal:\n```\nx\n```");
  assert.equal(printed("x", "cat <<E\n`a`\nE"), "`` cat <<E `a` E `` printed:\n```\nx\n```");
  assert.ok(printed("x".repeat(100_000), "yes").length < 21_000);
});

test("a delay waits for quiet, but not for ever, and leaves no timer", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    let runs = 0;
    const delay = new Delay(() => runs++, 150, 1000);
    delay.touch();
    mock.timers.tick(149);
    assert.equal(runs, 0);
    mock.timers.tick(1);
    assert.equal(runs, 1);
    mock.timers.tick(10_000);
    assert.equal(runs, 1);

    for (let i = 0; i < 9; i++) {
      delay.touch();
      mock.timers.tick(100);
    }
    assert.equal(runs, 1, "it is not quiet");
    delay.touch();
    mock.timers.tick(100);
    assert.equal(runs, 2, "it waited long enough");

    delay.touch();
    delay.cancel();
    mock.timers.tick(10_000);
    assert.equal(runs, 2);
  } finally {
    mock.timers.reset();
  }
});
