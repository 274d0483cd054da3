// Loaded into VS Code's processes before all else: writes down each timer that code of our extension sets. The file is
// timers.jsonl in the folder that CLINED_E2E names.
"use strict";

const { appendFileSync } = require("node:fs");
const { join } = require("node:path");

const root = process.env.CLINED_E2E;
const ours = /[/\\]clined\.clined-[^/\\]*[/\\]dist[/\\]/;

for (const kind of root ? ["setTimeout", "setInterval"] : []) {
  const original = globalThis[kind];
  const wrapped = function (callback, delay, ...rest) {
    const { stack } = new Error();
    if (ours.test(stack)) appendFileSync(join(root, "timers.jsonl"), `${JSON.stringify({ kind, delay, stack })}\n`);
    return original(callback, delay, ...rest);
  };
  globalThis[kind] = Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
}
