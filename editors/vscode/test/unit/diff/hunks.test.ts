// Where hunks are in a proposal that the user went on editing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { kept, placeHunks } from "../../../src/diff/hunks";
import { changes } from "../../../src/diff/text";
import { changed, random, someText } from "./random";

const hunksOf = (base: string, proposed: string) =>
  changes(base.split("\n"), proposed.split("\n")).map((c, i) => ({
    id: `1.${i + 1}`,
    startLine: c.from,
    endLine: c.to,
    newStartLine: c.newFrom,
    newEndLine: c.newTo,
  }));

const base = "one\ntwo\nthree\nfour\nfive\nsix\n";
const proposed = "one\nTWO\nthree\nfour\nfive\nnew\nsix\n";

function place(now: string) {
  return placeHunks(hunksOf(base, proposed), base, proposed, now).map(({ from, to, undone }) => [from, to, undone]);
}

test("an untouched proposal has its hunks where the daemon says", () => {
  assert.deepEqual(place(proposed), [[1, 2, false], [5, 6, false]]);
});

test("lines that the user puts in move what follows", () => {
  assert.deepEqual(place("mine\n" + proposed), [[2, 3, false], [6, 7, false]]);
  assert.deepEqual(place(proposed.replace("three\n", "three\nmine\n")), [[1, 2, false], [6, 7, false]]);
});

test("a hunk that the user altered is as large as they made it", () => {
  assert.deepEqual(place(proposed.replace("TWO", "TWO mine\nand more")), [[1, 3, false], [6, 7, false]]);
});

test("a hunk that the user put back is undone", () => {
  assert.deepEqual(place(proposed.replace("TWO", "two")), [[1, 2, true], [5, 6, false]]);
  assert.deepEqual(place(proposed.replace("new\n", "")), [[1, 2, false], [5, 5, true]]);
});

test("hunks stay in order and within the text, whatever the user does", () => {
  const pick = random(3);
  for (let n = 0; n < 3000; n++) {
    const before = someText(pick);
    const after = changed(pick, before);
    const now = changed(pick, after);
    const found = placeHunks(hunksOf(before, after), before, after, now);
    let last = 0;
    for (const hunk of found) {
      const where = `${JSON.stringify(before)} ${JSON.stringify(after)} ${JSON.stringify(now)}`;
      assert.ok(hunk.from >= last && hunk.to >= hunk.from && hunk.to <= now.split("\n").length, where);
      last = hunk.from;
    }
  }
});

test("only a part is named", () => {
  assert.equal(kept(["1.1", "1.2"], new Set()), undefined);
  assert.equal(kept(["1.1", "1.2"], new Set(["2.1"])), undefined);
  assert.deepEqual(kept(["1.1", "1.2"], new Set(["1.1"])), ["1.2"]);
  assert.deepEqual(kept(["1.1"], new Set(["1.1"])), []);
});
