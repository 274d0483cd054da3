// Code in what the user typed: fences as Markdown has them, and all else untouched.

import assert from "node:assert/strict";
import { test } from "node:test";
import { beginning, chunks, pieces } from "../../../webview/transcript/fences";

test("words, code, words", () => {
  assert.deepEqual(pieces("Fix this:\n\n```Python\nassert a == b\n\n  c\n```\nand run it."), [
    { text: "Fix this:" },
    { lang: "python", text: "assert a == b\n\n  c" },
    { text: "and run it." },
  ]);
});

test("no language, tildes, a longer fence around a shorter one, line ends of Windows", () => {
  assert.deepEqual(pieces("```\na\n```"), [{ lang: "", text: "a" }]);
  assert.deepEqual(pieces("~~~ js title=x\na\n~~~"), [{ lang: "js", text: "a" }]);
  assert.deepEqual(pieces("````md\n```\na\n```\n````"), [{ lang: "md", text: "```\na\n```" }]);
  assert.deepEqual(pieces("a\r\n```c\r\nb\r\n```\r\n"), [{ text: "a" }, { lang: "c", text: "b" }]);
});

test("what is no block of code stays as it was typed", () => {
  for (const text of ["```", "```js\nno end", "a ```b``` c", "```inline``` is inline", "    ```\n    a\n    ```", "# no *Markdown* | here\n- [ ] x"]) {
    assert.deepEqual(pieces(text), [{ text: text.trimEnd() }]);
  }
  assert.deepEqual(pieces(" \n\n"), []);
});

test("an indented fence takes its indentation off its code", () => {
  assert.deepEqual(pieces("  ```\n  a\n b\n    c\n  ```"), [{ lang: "", text: "a\nb\n  c" }]);
});

test("a long text is cut between lines or words, and nothing of it is lost", () => {
  const lines = "a line of it\n".repeat(3000);
  assert.deepEqual(chunks("short", 4000), ["short"]);
  assert.equal(chunks(lines, 4000).join("\n"), lines);
  assert.ok(chunks(lines, 4000).every((c) => c.length <= 8000));
  assert.ok(beginning(lines, 4000).endsWith("a line of it"));
  const words = "word ".repeat(5000);
  assert.equal(chunks(words, 4000).join(""), words);
  const faces = `x${"😀".repeat(9000)}`;
  assert.equal(chunks(faces, 4000).join(""), faces);
  for (const c of [...chunks(faces, 4000), beginning(faces, 4000)]) assert.equal(encodeURIComponent(c).length > 0, true);
});
