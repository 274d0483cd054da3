// Unified diffs as lines: what is said of line ends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDiff } from "../../../src/model/diff";

const texts = (diff: string) => parseDiff(diff).flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)));

test("carriage returns that all lines have are no news; those that some have are kept", () => {
  const head = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n";
  assert.deepEqual(texts(`${head} one\r\n-two\r\n+zwei\r\n\\ No newline at end of file\n`), ["one", "two", "zwei", "No newline at end of file"]);
  assert.deepEqual(texts(`${head}-one\r\n-two\r\n+one\n+two\n`), ["one\r", "two\r", "one", "two"]);
  assert.deepEqual(texts(`${head} one\n-two\n+two\r\n`), ["one", "two", "two\r"]);
  const [line] = parseDiff(`${head} one\r\n-two\r\n+too\r\n`).flatMap((file) => file.hunks[0]!.lines.slice(1, 2));
  assert.deepEqual(line?.changed, [1, 2]);
});
