// Output, diffs, results and arguments as what is drawn of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommand, parseList, parseNumbered, parseSearch, prettyJson, resolve } from "../../../webview/calls/call-detail-parse";
import { parseDiff } from "../../../src/model/diff";
import { countLines, outputLines, tailStart } from "../../../webview/calls/output-text";
import { clip, oneLine, prose, visible, written } from "../../../webview/parts/visible";
import { partialArgs, wholeArgs, writtenLines } from "../../../webview/calls/tool-card-args";

const plain = (text: string): string[] => outputLines(text).map((line) => line.map((s) => s.text).join(""));

test("carriage returns, backspaces and erasing write over a line, as on a screen", () => {
  for (const [printed, shown] of [
    ["a\nb\n", ["a", "b"]],
    ["a\r\nb", ["a", "b"]],
    ["10%\r20%\r100%\n", ["100%"]],
    ["abcdef\rXY\n", ["XYcdef"]],
    ["abcdef\r\u001b[KXY\n", ["XY"]],
    ["abc\b\bX", ["aXc"]],
    ["\u001b[2K\u001b[1Gdone", ["done"]],
    ["a\u001b[5Gb", ["a   b"]],
    ["\u001b]0;title\u0007shown\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", ["shownlink"]],
    ["a\u001b[?25lb\u001b(Bc\u001b=d\u001bPq#1\u001b\\e", ["abcde"]],
    ["\n\n", ["", ""]],
    ["", []],
    ["\u0000\u0007\u0001x", ["x"]],
    ["\u001b", []],
    ["\u001b[31", ["31"]],
    ["a\u202eb", ["a⟨U+202E⟩b"]],
    ["مرحبا", ["مرحبا"]],
  ] as [string, string[]][]) {
    assert.deepEqual(plain(printed), shown, JSON.stringify(printed));
  }
});

test("colours are the theme's sixteen", () => {
  const [line] = outputLines("a\u001b[31mb\u001b[1;42mc\u001b[22;39md\u001b[0me\u001b[38;5;196mf\u001b[38;2;10;20;250;4mg\u001b[97;100mh\u001b[7mi");
  assert.deepEqual(line, [
    { text: "a" },
    { text: "b", fg: 1 },
    { text: "c", fg: 1, bold: true, bg: 2 },
    { text: "d", bg: 2 },
    { text: "e" },
    { text: "f", fg: 9 },
    { text: "g", fg: 12, underline: true },
    { text: "h", fg: 15, bg: 8, underline: true },
    { text: "i", fg: 15, bg: 8, underline: true, inverse: true },
  ]);
});

test("a colour holds over lines and over what is written above them", () => {
  const [a, b] = outputLines("\u001b[32mok\nok\u001b[0m.\rNO");
  assert.deepEqual(a, [{ text: "ok", fg: 2 }]);
  assert.deepEqual(b, [{ text: "NO." }]);
});

test("the end of a text, and how much was before it", () => {
  for (const [text, lines, end, before] of [
    ["a\nb\nc\n", 2, "b\nc\n", 1],
    ["a\nb\nc", 2, "b\nc", 1],
    ["a\nb", 2, "a\nb", 0],
    ["", 3, "", 0],
    ["\n\n\n", 1, "\n", 2],
    ["\na", 1, "\na", 0],
  ] as [string, number, string, number][]) {
    const start = tailStart(text, lines);
    assert.equal(text.slice(start), end, JSON.stringify(text));
    assert.equal(countLines(text, start), before, JSON.stringify(text));
  }
});

test("what the model writes turns nothing around, and keeps its languages and emoji", () => {
  assert.equal(written("a\u202eb\u2066c\u0007d\u{e0041}"), "a⟨U+202E⟩b⟨U+2066⟩c⟨BEL⟩d⟨U+E0041⟩");
  for (const good of ["می\u200cخواهم", "👩\u200d💻", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "שלום\u200f!", "a\tb\nc", "d\u00a0e"]) assert.equal(written(good), good);
});

test("a line without end is cut", () => {
  assert.equal(plain("x".repeat(100_000))[0]?.length, 4000);
  assert.equal(plain("ab\r".repeat(100_000))[0], "ab");
});

test("unified diffs", () => {
  const [file, none] = parseDiff("--- a/p.go\n+++ b/p.go\n@@ -3,3 +3,4 @@ func Price()\n same\n-\treturn n * 2\n+\treturn n * 3\n+more\n--- a line\n");
  assert.equal(none, undefined);
  assert.equal(file?.path, "p.go");
  assert.equal(file?.hunks[0]?.section, "func Price()");
  assert.deepEqual(
    file?.hunks[0]?.lines.map((l) => [l.kind, l.old, l.new, l.text]),
    [
      ["same", 3, 3, "same"],
      ["removed", 4, undefined, "\treturn n * 2"],
      ["added", undefined, 4, "\treturn n * 3"],
      ["added", undefined, 5, "more"],
      ["removed", 5, undefined, "-- a line"],
    ],
  );
});

test("diffs that create, delete, move, and more than one file", () => {
  const files = parseDiff("rename from a.ts\nrename to b.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1 @@\n+first\n\\ No newline at end of file\n--- a/R\n+++ b/R\n@@ -1 +0,0 @@\n-# S\nrename from c\nrename to d\n");
  assert.deepEqual(files.map((f) => [f.op, f.from, f.path, f.added, f.removed]), [
    ["rename", "a.ts", "b.ts", 1, 1],
    ["create", undefined, "n.txt", 1, 0],
    ["delete", undefined, "R", 0, 1],
    ["rename", "c", "d", 0, 0],
  ]);
});

test("what is no diff stays to be read", () => {
  const [file] = parseDiff("binary file, 5 bytes");
  assert.deepEqual(file?.hunks[0]?.lines, [{ kind: "note", text: "binary file, 5 bytes" }]);
  for (const text of ["", "\n", "@@", "@@ -1 +1 @@", "+++ b", "--- a\n+++ b", "\\", "@@ -1,9 +1,9 @@\n x\ngarbage\n+y"]) parseDiff(text);
});

test("the part of a line that changed", () => {
  const [file] = parseDiff("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-const a = 1;\n-different altogether\n+const a = 22;\n+nothing in common here\n");
  assert.deepEqual(file?.hunks[0]?.lines.map((l) => l.changed && l.text.slice(...l.changed)), ["1", undefined, "22", undefined]);
});

test("matches of a search", () => {
  const result = parseSearch("Found 3 matches in 2 files.\n\nsrc/a.ts\n9-before\n10:hit: 1\n--\n\nsrc/b:1.ts\n1:x\n[2 more in this file]");
  assert.deepEqual(result?.sections, [
    { path: "src/a.ts", rows: [{ line: 9, text: "before", hit: false }, { line: 10, text: "hit: 1", hit: true }, { text: "--" }] },
    { path: "src/b:1.ts", rows: [{ line: 1, text: "x", hit: true }, { text: "[2 more in this file]" }] },
  ]);
  assert.equal(parseSearch("something else"), undefined);
});

test("numbered lines of files and outlines", () => {
  assert.deepEqual(parseNumbered("src/a.ts, lines 3-4 of 40\n3 | x\n4 | \n[36 lines more; go on with start_line 5]\n\nsrc/b.ts, 1 line\n1 | y"), {
    head: "",
    rows: 3,
    sections: [
      { path: "src/a.ts", rows: [{ line: 3, text: "x" }, { line: 4, text: "" }, { text: "[36 lines more; go on with start_line 5]" }] },
      { path: "src/b.ts", rows: [{ line: 1, text: "y" }] },
    ],
  });
  assert.equal(parseNumbered("dot.png: image (image/png, 70 bytes)"), undefined);
});

test("entries of a folder", () => {
  assert.deepEqual(parseList(". (4 entries)\nsrc/\nsrc/a.ts\nnode_modules/ (ignored)\nMakefile")?.sections[0]?.rows, [
    { text: "src/" },
    { text: "src/a.ts", file: true },
    { text: "node_modules/ (ignored)" },
    { text: "Makefile", file: true },
  ]);
  assert.equal(parseList("nothing is there"), undefined);
});

test("what a command said and printed", () => {
  assert.deepEqual(parseCommand("The command succeeded (exit code 0, 0s).\nOutput:\na\nOutput:\nb"), { said: "The command succeeded (exit code 0, 0s).", printed: "a\nOutput:\nb" });
  assert.deepEqual(parseCommand("The command was stopped. It printed nothing."), { said: "The command was stopped. It printed nothing.", printed: "" });
  assert.deepEqual(parseCommand("raw\nOutput:\nx"), { said: "", printed: "raw\nOutput:\nx" });
});

test("arguments at every moment of their writing", () => {
  const whole = JSON.stringify({ path: "src/ä \"x\".ts", content: "a\nb\\n\u{1f600}c", n: 12.5, ok: true, none: null, files: [{ path: "q" }, "r"] });
  const escaped = whole.replace("\u{1f600}", "\\ud83d\\ude00").replace("ä", "\\u00e4");
  const want = JSON.parse(whole) as Record<string, unknown>;
  for (const text of [whole, escaped]) {
    for (let n = 0; n <= text.length; n++) {
      const { values, whole: done } = partialArgs(text.slice(0, n));
      assert.equal(done, n === text.length);
      for (const [key, value] of Object.entries(values)) {
        const full = want[key];
        if (typeof full === "string") assert.ok(full.startsWith(value as string), `${n}: ${key} is ${JSON.stringify(value)}`);
        else if (typeof full !== "object") assert.equal(value, full);
      }
    }
    assert.deepEqual(JSON.parse(JSON.stringify(partialArgs(text).values)), want);
  }
  assert.equal(partialArgs("{\"path\":\"a.ts\",\"content\":\"x").growing, "content");
  for (const bad of ["", "[", "nonsense", "{]", "{\"a\"}", "{\"a\":}", "{\"a\":nope,\"b\":1}", "{\"a\":\"\\x\"}", "[".repeat(10_000), "{\"a\":".repeat(10_000)]) {
    partialArgs(bad);
    wholeArgs(bad);
  }
});

test("keys of arguments are only keys", () => {
  const { values } = partialArgs("{\"__proto__\":{\"path\":\"x\"},\"constructor\":1,\"pa");
  assert.equal(values.path, undefined);
  assert.equal(({} as Record<string, unknown>).path, undefined);
});

test("written lines", () => {
  assert.equal(writtenLines("{\"content\":\"a\\nb\\\\nc\\n"), 2);
  assert.equal(writtenLines("\\"), 0);
  assert.equal(writtenLines(undefined), 0);
});

test("what cannot be seen is shown by signs", () => {
  assert.equal(visible("a\u202eb\u0000\u001b[31m\u200b\u00ad\ufeffc\n\td"), "a⟨U+202E⟩b⟨NUL⟩⟨ESC⟩[31m⟨U+200B⟩⟨U+00AD⟩⟨U+FEFF⟩c\n\td");
  assert.equal(visible("rm\u00a0-rf a\u2028b\u3000c\rd\u007f"), "rm⟨U+00A0⟩-rf a⟨U+2028⟩b⟨U+3000⟩c⟨CR⟩d⟨DEL⟩");
  assert.equal(prose("Vraiment\u00a0? 日本\u3000語\u202e"), "Vraiment\u00a0? 日本\u3000語⟨U+202E⟩");
  assert.equal(visible("plain ü 漢字 😀 مرحبا"), "plain ü 漢字 😀 مرحبا");
  assert.equal(oneLine(" a\r\n  b\u2028c "), "a b c");
  assert.equal(clip("a😀b", 3), "a…");
  assert.equal(clip("abc", 3), "abc");
});

test("paths and JSON", () => {
  assert.equal(resolve("a.ts", "/w/src", "/w"), "/w/src/a.ts");
  assert.equal(resolve("/x", "/w", "/w"), "/x");
  assert.equal(resolve("C:\\x", "/w", "/w"), "C:\\x");
  assert.equal(resolve("a", undefined, "C:\\w"), "C:\\w\\a");
  assert.equal(prettyJson("{\"a\":[1]}"), "{\n  \"a\": [\n    1\n  ]\n}");
  assert.equal(prettyJson("{broken"), "{broken");
  assert.equal(prettyJson("words"), "words");
});
