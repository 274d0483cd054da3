// One change in flight, in order, the newest text in the end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Pump } from "../../../src/diff/pump";
import { FakeClock } from "./clock";
import { random } from "./random";

function stage() {
  const clock = new FakeClock();
  const sent: string[] = [];
  const pump = new Pump((text) => sent.push(text), clock);
  return { clock, sent, pump };
}

test("what comes while a change is in flight is joined", async () => {
  const { sent, pump } = stage();
  for (const text of ["a", "ab", "abc"]) pump.push(() => text);
  assert.deepEqual(sent, ["a"]);
  pump.seen("a");
  assert.deepEqual(sent, ["a", "abc"]);
  const settled = pump.settled();
  pump.seen("abc");
  await settled;
  assert.equal(pump.idle, true);
});

test("a text is made only when it is sent", () => {
  const { pump } = stage();
  let made = 0;
  pump.push(() => "first");
  for (let i = 0; i < 10; i++) pump.push(() => `${++made}`);
  assert.equal(made, 0);
  pump.seen("first");
  assert.equal(made, 1);
});

test("other changes of the document are none of its own", () => {
  const { sent, pump } = stage();
  pump.push(() => "a");
  pump.push(() => "b");
  pump.seen("typed");
  assert.deepEqual(sent, ["a"]);
});

test("a document that shows the text already needs no event", () => {
  const sent: string[] = [];
  const pump: Pump = new Pump((text) => {
    sent.push(text);
    pump.seen(text);
  }, new FakeClock());
  pump.push(() => "a");
  pump.push(() => "b");
  assert.deepEqual([sent, pump.idle], [["a", "b"], true]);
});

test("a change that never shows holds up nothing for ever", async () => {
  const { clock, sent, pump } = stage();
  pump.push(() => "lost");
  pump.push(() => "next");
  const settled = pump.settled();
  clock.tick(1500);
  assert.deepEqual(sent, ["lost", "next"]);
  for (let i = 0; i < 3; i++) clock.tick(1500);
  await settled;
  assert.deepEqual([sent, clock.armed], [["lost", "next", "next", "next"], 0]);
});

test("the end lets go of who waits, and no timer is left", async () => {
  const { clock, sent, pump } = stage();
  pump.push(() => "a");
  pump.push(() => "b");
  const settled = pump.settled();
  pump.dispose();
  await settled;
  pump.push(() => "c");
  assert.deepEqual([sent, clock.armed], [["a"], 0]);
});

test("never is more than one in flight, and the last one wins", () => {
  const pick = random(4);
  for (let n = 0; n < 200; n++) {
    const flying: string[] = [];
    const pump = new Pump((text) => flying.push(text), new FakeClock());
    let last = "";
    let document = "";
    for (let i = 0; i < 50; i++) {
      if (pick(2)) pump.push(() => (last = `${i}`));
      else if (flying.length > 0) pump.seen((document = flying.shift()!));
      assert.ok(flying.length <= 1);
    }
    while (flying.length > 0) pump.seen((document = flying.shift()!));
    assert.equal(document, last);
    assert.equal(pump.idle, true);
  }
});
