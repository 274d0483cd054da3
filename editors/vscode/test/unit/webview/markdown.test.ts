// Markdown that grows is what it would be when parsed at once, and nothing of a model's gets through as HTML or as a link
// that the host does not open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Growing, type Block } from "../../../webview/transcript/growing";
import { filePlace, placesIn } from "../../../webview/parts/paths";
import { chance } from "../model/streams";

const whole = (text: string, done = true) => new Growing().parse(text, done);
const html = (text: string) => whole(text).map((b) => (b.kind === "html" ? b.html : `<code>${b.text}</code>`)).join("");

const texts = [
  "# Title\n\nA paragraph with `code`\nover two lines.\n\n- a\n- b\n\n  still b\n\n1. one\n2. two\n",
  "before\n\n```ts\nconst a = 1;\n\nconst b = `x`;\n```\n\nafter\n\n~~~~\n~~~\nnot the end\n~~~~\nend",
  "| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n\ntext\n===\n\n> quote\nlazy\n\n> next\n\n---\n",
  "```\nunfinished\ncode",
  "   ```js\n   indented\n   ```\ntext\n\n    four\n\n    five\n\ntext",
  "- [ ] open\n- [x] done\n  ```sh\n  make\n  ```\n- last",
  "[a]: https://example.org\n\nSee [a] and [b].\n\n[b]: https://example.com\n",
  "one\r\n\r\n```\r\ntwo\r\n```\r\nthree\rfour",
  "\n\n\n   \n",
  "<b>no</b> <script>alert(1)</script>\n\n<div>\n\n*x*\n\n</div>",
];

test("any way to grow gives what parsing at once gives", () => {
  for (const [n, text] of texts.entries()) {
    for (let seed = 1; seed <= 25; seed++) {
      const random = chance(seed * 31 + n);
      const doc = new Growing();
      for (let at = 0; at < text.length; ) {
        at = Math.min(text.length, at + 1 + random(seed < 5 ? 1 : 9));
        doc.parse(text.slice(0, at), false);
      }
      assert.deepEqual(doc.parse(text, true), whole(text), `text ${n}, seed ${seed}`);
    }
  }
});

test("while it grows it is what parsing at once gives, but for links that are defined later", () => {
  for (const [n, text] of texts.entries()) {
    if (/^\[/m.test(text) || text.includes("\r")) continue;
    const doc = new Growing();
    for (let at = 1; at <= text.length; at++) {
      assert.deepEqual(shown(doc.parse(text.slice(0, at), false)), shown(whole(text.slice(0, at), false)), `text ${n} up to ${at}`);
    }
  }
});

// Whether the line that was begun will be the end of the code is not known yet.
function shown(blocks: readonly Block[]) {
  return blocks.map((b) => (b.kind === "html" ? b : { ...b, closed: true, text: b.text.replace(/\n?[ `~]*$/, "") }));
}

test("blocks that are before the last stay the same objects", () => {
  const doc = new Growing();
  const before = doc.parse("one\n\ntwo\n\nthree", false);
  const after = doc.parse("one\n\ntwo\n\nthree and more\n\nfour", false);
  assert.equal(after[0], before[0]);
  assert.equal(after[1], before[1]);
  assert.equal(after.length, 4);
});

test("a long text is not parsed anew for every word", () => {
  const doc = new Growing();
  let text = "";
  const began = performance.now();
  for (let i = 0; i < 2000; i++) {
    text += `paragraph ${i} with some words in it and \`code\`\n\n`;
    doc.parse(text, false);
  }
  // Parsing all of it each time takes minutes.
  assert.ok(performance.now() - began < 10_000);
});

test("no HTML and no script of the model gets through", () => {
  for (const bad of [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](vbscript:x)",
    "[x](data:text/html,<script>)", "[x](command:workbench.action.quit)", "[x](vscode://x)", "![x](data:image/svg+xml,<svg onload=1>)",
    "[x](\"><b>)", "`<b>`", "```\"><b>\n<b>\n```", "[a](<javascript:alert(1)>)", "<javascript:alert(1)>", "[x]( java\nscript:alert(1))",
  ]) {
    const out = whole(`- ${bad}`).concat(whole(bad)).map((b) => (b.kind === "html" ? b.html : "")).join("");
    assert.doesNotMatch(out, /<script|<img|<b>|onerror="|javascript:alert\(1\)"|href="(?!https?:|mailto:)/i, bad);
    assert.doesNotMatch(out, /data-(url|path)="(javascript|vbscript|data|command|vscode):/i, bad);
  }
});

test("what turns the direction of text is shown wherever it stands", () => {
  for (const text of ["a\u202eb", "# a\u202eb", "`a\u202eb`", "- x\n\n  ```\n  a\u202eb\n  ```", "[a\u202eb](https://example.org)", "![a\u202eb](x.png)", "see src/a\u202eb/c.ts"]) {
    assert.doesNotMatch(html(text).replace(/"[^"]*"/g, ""), /\u202e/, text);
    assert.match(html(text), /a⟨U\+202E⟩b/, text);
  }
  assert.match(html("```\na\u202eb\n```"), /a\u202eb/, "the text of a block of code is what is copied");
});

test("links lead to pages, mail and files", () => {
  assert.match(html("[a](https://example.org/?a=1&b=2)"), /data-url="https:\/\/example\.org\/\?a=1&amp;b=2"/);
  assert.match(html("see https://example.org/x."), /data-url="https:\/\/example\.org\/x"/);
  assert.match(html("[a](mailto:me@example.org)"), /data-url="mailto:me@example\.org"/);
  assert.match(html("[a](src/my%20file.ts#L12)"), /data-path="src\/my file.ts(#L12)?"/);
  assert.match(html("[a](src/cart.ts#L12)"), /data-path="src\/cart\.ts" data-line="11"/);
  assert.match(html("[a](file:///w/cart.ts)"), /data-path="\/w\/cart\.ts"/);
  assert.match(html("in `src/cart.ts:41` it"), /<a [^>]*data-path="src\/cart\.ts" data-line="40"><code>/);
  assert.match(html("in src/cart.ts:41, it"), /<a [^>]*data-path="src\/cart\.ts" data-line="40">src\/cart\.ts:41<\/a>,/);
  // Text of a link is no second link.
  assert.equal(html("[src/cart.ts:41](https://example.org)").match(/<a /g)?.length, 1);
});

test("what looks like a path", () => {
  const yes: [string, string, number?][] = [
    ["src/cart.ts", "src/cart.ts"], ["cart.ts", "cart.ts"], ["./a/b.go:7", "./a/b.go", 6], ["/etc/hosts.txt", "/etc/hosts.txt"], ["C:\\w\\a.cs:3", "C:\\w\\a.cs", 2],
    ["a.py:10:5", "a.py", 9], ["a.py:10-20", "a.py", 9], ["a.py#L3", "a.py", 2], ["a.cs(12,4)", "a.cs", 11], ["Makefile", "Makefile"], [".gitignore", ".gitignore"],
    ["app/(shop)/[id]/page.tsx", "app/(shop)/[id]/page.tsx"], ["../x.rs", "../x.rs"],
  ];
  for (const [text, path, line] of yes) assert.deepEqual(filePlace(text), line === undefined ? { path } : { path, line }, text);
  for (const no of ["array.map", "this.total", "fmt.Println", "a b.ts", "https://x.org/a.ts", "1.5", "e.g.", ".ts", "and/or", "//a.ts", "", "node -v", "x=y.ts?"]) {
    assert.equal(filePlace(no), undefined, no);
  }
  const found = placesIn("See (src/a.ts:3), lib/b.go. Not and/or, not a.ts, but a.ts:9!");
  assert.deepEqual(found.map((f) => f.place), [{ path: "src/a.ts", line: 2 }, { path: "lib/b.go" }, { path: "a.ts", line: 8 }]);
});

test("task lists have boxes, tables align by class, code knows its language", () => {
  const list = html("- [ ] open\n- [x] done");
  assert.match(list, /data-done="false"/);
  assert.match(list, /data-done="true"/);
  const table = html("| a |\n|--:|\n| 1 |");
  assert.match(table, /class="md-right"/);
  assert.doesNotMatch(table, /style=/);
  assert.deepEqual(whole("```TypeScript title=x\na\n```"), [{ kind: "code", lang: "typescript", text: "a\n", closed: true }]);
});
