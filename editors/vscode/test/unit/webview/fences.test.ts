// Code in what the user typed: fences as Markdown has them, and all else untouched.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pieces } from "../../../webview/transcript/fences";

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
