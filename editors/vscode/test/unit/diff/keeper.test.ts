// What the user makes of a proposal is told soon, once, and before anything is decided; and it is never unsaved for long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Keeper } from "../../../src/diff/keeper";
import { FakeClock } from "./clock";

function stage() {
  const clock = new FakeClock();
  const told: string[] = [];
  let cleaned = 0;
  let finish = () => {};
  const keeper = new Keeper({ edited: (text) => told.push(text), clean: () => (cleaned++, new Promise((resolve) => (finish = resolve))) }, clock);
  keeper.begin("proposed");
  return { clock, told, keeper, cleaned: () => cleaned, finish: () => finish() };
}

test("typing is told after a pause as short as a word, as it is by then", () => {
  const { clock, told, keeper } = stage();
  keeper.changed("proposed m");
  keeper.changed("proposed mi");
  clock.tick(119);
  assert.deepEqual(told, []);
  keeper.changed("proposed mine");
  clock.tick(1);
  assert.deepEqual(told, ["proposed mine"]);
});

test("what is flushed is told at once, and not again", () => {
  const { clock, told, keeper } = stage();
  keeper.changed("mine");
  keeper.flush();
  keeper.flush();
  clock.tick(1000);
  assert.deepEqual(told, ["mine"]);
});

test("what the daemon knows is not told", () => {
  const { clock, told, keeper } = stage();
  keeper.changed("proposed");
  clock.tick(1000);
  keeper.changed("x");
  keeper.changed("proposed");
  clock.tick(1000);
  assert.deepEqual(told, []);
});

test("going back to the proposal is told", () => {
  const { clock, told, keeper } = stage();
  keeper.changed("mine");
  clock.tick(120);
  keeper.changed("proposed");
  clock.tick(120);
  assert.deepEqual(told, ["mine", "proposed"]);
});

test("the document is taken for saved while the user types on, once at a time", async () => {
  const { clock, keeper, cleaned, finish } = stage();
  const rest = () => new Promise(setImmediate);
  for (let i = 0; i < 10; i++) {
    keeper.changed(`mine ${i}`);
    clock.tick(20);
    await rest();
  }
  assert.equal(cleaned(), 1);
  const kept = keeper.keep();
  await rest();
  assert.equal(cleaned(), 1);
  finish();
  await rest();
  assert.equal(cleaned(), 2);
  for (let i = 0; i < 3; i++, await rest()) finish();
  await kept;
});

test("no timer outlives it", () => {
  const { clock, keeper } = stage();
  keeper.changed("mine");
  keeper.dispose();
  assert.equal(clock.armed, 0);
});
