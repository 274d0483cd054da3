// Checks files together: what they declare is one set of names.
import { tool } from "../files.mjs";
import { readBlock } from "./annotations.mjs";
import { Check } from "./check.mjs";
import { Types } from "./fits.mjs";

/**
 * What does not fit in `own`, files as { name, text } with the names that `require` wants, as lines "NAME:LINE: WORDS". The types that
 * `foreign` files declare are known, and not checked.
 */
export function check(own, foreign = []) {
  const luaparse = tool("luaparse");
  const problems = [];
  const types = new Types();
  const modules = new Map();
  for (const { text } of foreign) declared(text, types, false, () => {});
  const checks = own.map(({ name, text }) => {
    const fail = (line, message) => problems.push(`${name}:${line}: ${message}`);
    const blocks = declared(text, types, true, fail);
    try {
      const tree = luaparse.parse(text, { luaVersion: "LuaJIT", ranges: true, locations: true });
      const casts = tree.comments.map(({ value, range }) => [range[0], /^@as (.*)$/.exec(value)?.[1]]).filter(([, type]) => type);
      const one = new Check({ tree, blocks, casts: new Map(casts), fail, types, modules });
      modules.set(name, one.module);
      return one;
    } catch (error) {
      fail(error.line ?? 0, error.message);
      return undefined;
    }
  });
  for (const one of checks) one?.declare();
  for (const one of checks) one?.run();
  return problems;
}

// Reads the blocks of a file by the line that is behind each, from 1, and remembers the types in them.
function declared(text, types, strict, fail) {
  const blocks = new Map();
  const lines = text.split("\n");
  const doc = /^\s*---(?!-)\s?/;
  for (let at = 0; at < lines.length; at++) {
    if (!doc.test(lines[at])) continue;
    const from = at;
    while (doc.test(lines[at] ?? "")) at++;
    const block = readBlock(
      lines.slice(from, at).map((line) => line.replace(doc, "")),
      from + 1,
      fail,
    );
    blocks.set(at + 1, block);
    for (const type of block.types) {
      if (strict && types.known.get(type.name)?.strict) fail(from + 1, `${type.name} is declared twice`);
      if (strict || !types.known.has(type.name)) types.known.set(type.name, { ...type, strict });
    }
  }
  return blocks;
}
