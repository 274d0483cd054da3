// Lines, their changes, and the edits made of these.

import assert from "node:assert/strict";
import { test } from "node:test";
import { minimalEdits, type Edit } from "../../../src/diff/edits";
import { applyLineEdits, changes, hash, plain, unholdable } from "../../../src/diff/text";
import { changed, random, someText } from "./random";

test("a text goes over the wire with LF and without a mark", () => {
  assert.equal(plain("\ufeffa\r\nb\r\n"), "a\nb\n");
  assert.equal(plain("a\n\ufeff"), "a\n\ufeff");
  assert.equal(unholdable("a\r\nb\n"), false);
  assert.equal(unholdable("a\rb\n"), true);
});

test("hashes are those of the text in UTF-8", () => {
  assert.equal(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(hash("é😀\n"), hash(Buffer.from("é😀\n").toString()));
});

test("edits of lines are made one after the other", () => {
  const lines = "a\nb\nc\n".split("\n");
  assert.equal(applyLineEdits(lines, [{ startLine: 1, endLine: 2, lines: ["B", "B2"] }, { startLine: 0, endLine: 1, lines: [] }]), true);
  assert.equal(lines.join("\n"), "B\nB2\nc\n");
});

test("edits outside of a text are refused", () => {
  for (const edit of [{ startLine: 3, endLine: 4, lines: [] }, { startLine: 2, endLine: 1, lines: [] }, { startLine: -1, endLine: 0, lines: [] }]) {
    const lines = ["a", "b"];
    assert.equal(applyLineEdits(lines, [edit]), false);
    assert.deepEqual(lines, ["a", "b"]);
  }
});

test("any number of lines can be put in", () => {
  const lines = ["first", "last"];
  const many = Array.from({ length: 300_000 }, (_, i) => `${i}`);
  assert.equal(applyLineEdits(lines, [{ startLine: 1, endLine: 1, lines: many }]), true);
  assert.deepEqual([lines.length, lines[1], lines.at(-1)], [300_002, "0", "last"]);
});

test("changes lead from one text to the other, with equal lines between them", () => {
  const pick = random(1);
  for (let n = 0; n < 3000; n++) {
    const before = someText(pick).split("\n");
    const after = (n % 2 ? someText(pick) : changed(pick, before.join("\n"))).split("\n");
    const found = changes(before, after);
    const made: string[] = [];
    let at = 0;
    let last = -1;
    for (const c of found) {
      assert.ok(c.from > last, "an equal line stands between two changes");
      assert.ok(c.to > c.from || c.newTo > c.newFrom, "a change changes something");
      made.push(...before.slice(at, c.from));
      assert.equal(made.length, c.newFrom);
      made.push(...after.slice(c.newFrom, c.newTo));
      at = last = c.to;
    }
    made.push(...before.slice(at));
    assert.deepEqual(made, after, `${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  }
});

test("texts that differ all over are one change", () => {
  const before = Array.from({ length: 5000 }, (_, i) => `old ${i}`);
  const after = Array.from({ length: 5000 }, (_, i) => `new ${i}`);
  assert.deepEqual(changes(["same", ...before], ["same", ...after]), [{ from: 1, to: 5001, newFrom: 1, newTo: 5001 }]);
});

/** Makes edits that all count in the text, as VS Code does, and holds them to its rules. */
function make(text: string, edits: readonly Edit[]): string {
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === "\n") starts.push(i + 1);
  const offset = (line: number, character: number): number => {
    const at = starts[line]! + character;
    assert.ok(at < (starts[line + 1] ?? text.length + 1), "a position is within its line");
    assert.ok((text.charCodeAt(at) & 0xfc00) !== 0xdc00, "a position is not within a character");
    return at;
  };
  let made = "";
  let at = 0;
  for (const edit of edits) {
    const from = offset(edit.startLine, edit.startCharacter);
    const to = offset(edit.endLine, edit.endCharacter);
    assert.ok(from >= at && to >= from, "edits are in order and do not overlap");
    made += text.slice(at, from) + edit.text;
    at = to;
  }
  return made + text.slice(at);
}

test("minimal edits make one text of the other", () => {
  const pick = random(2);
  for (let n = 0; n < 5000; n++) {
    const before = someText(pick);
    const after = n % 2 ? someText(pick) : changed(pick, before);
    assert.equal(make(before, minimalEdits(before, after)), after, `${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  }
});

test("minimal edits leave alone what is alike in a line", () => {
  const [edit, ...more] = minimalEdits("a\nreturn n * 100\nb\n", "a\nreturn n * 120\nb\n");
  assert.deepEqual([edit, more], [{ startLine: 1, startCharacter: 12, endLine: 1, endCharacter: 13, text: "2" }, []]);
});
