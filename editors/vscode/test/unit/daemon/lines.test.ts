// Lines of standard error, also of programs that print without end.

import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { eachLine } from "../../../src/daemon/lines";

async function lines(chunks: Iterable<string | Buffer>, clock?: () => number): Promise<string[]> {
  const stream = new PassThrough();
  const all: string[] = [];
  eachLine(stream, (line) => all.push(line), clock);
  for (const chunk of chunks) if (!stream.write(chunk)) await once(stream, "drain");
  stream.end();
  await once(stream, "end");
  return all;
}

test("lines, however they are cut into chunks", async () => {
  const text = Buffer.from("one\r\n\n  \ntwo äöü 漢\nthree");
  const whole = ["one", "two äöü 漢", "three"];
  assert.deepEqual(await lines([text]), whole);
  assert.deepEqual(await lines([...text].map((byte) => Buffer.from([byte]))), whole);
});

test("a line without end is cut, what comes behind it is whole", async () => {
  const [long, next, ...more] = await lines([...Array.from({ length: 1000 }, () => "x".repeat(10_000)), "\nnext\n"]);
  assert.ok(long && long.length < 10_000 && long.endsWith("…"));
  assert.equal(next, "next");
  assert.deepEqual(more, []);
});

test("of a flood the rest of each second is counted", async () => {
  let now = 0;
  const flood = function* () {
    yield "y\n".repeat(50_000);
    now = 1500;
    yield "later\n";
  };
  const all = await lines(flood(), () => now);
  assert.ok(all.length < 5_000, String(all.length));
  assert.match(all.at(-2) ?? "", /^… 4\d+ lines were left out$/);
  assert.equal(all.at(-1), "later");
});
