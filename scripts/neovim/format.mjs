// Formats the Lua of the Neovim plugin as its stylua.toml says: node scripts/neovim/format.mjs [--check] [FILE...], by default all of it.
// With --check nothing is written, and the exit code is 1 when a file is not formatted.
//
// It is StyLua as a library, since its program is not packaged; an editor's StyLua reads the same stylua.toml.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { plugin, sources, tool } from "./files.mjs";

const stylua = tool("@johnnymorganz/stylua");
const kinds = {
  syntax: stylua.LuaVersion,
  indent_type: stylua.IndentType,
  collapse_simple_statement: stylua.CollapseSimpleStatement,
};

function settings() {
  const config = stylua.Config.new();
  for (const line of readFileSync(join(plugin, "stylua.toml"), "utf8").split("\n")) {
    if (line === "") continue;
    const [, name, value] = /^(\w+) = (.*)$/.exec(line) ?? [];
    if (!(name in config)) throw new Error(`stylua.toml: ${line}`);
    const read = JSON.parse(value);
    config[name] = typeof read === "string" ? kinds[name][read] : read;
  }
  return config;
}

const given = process.argv.slice(2);
const check = given[0] === "--check";
if (check) given.shift();
const files = given.length > 0 ? given : sources("lua", "plugin", "tests");
let unformatted = 0;
for (const file of files) {
  const text = readFileSync(file, "utf8");
  let formatted;
  try {
    formatted = stylua.formatCode(text, settings(), undefined, stylua.OutputVerification.Full);
  } catch (error) {
    console.error(`${relative("", file)}: ${error}`);
    process.exitCode = 1;
    continue;
  }
  if (formatted === text) continue;
  unformatted++;
  if (check) console.error(`not formatted (run make format-lua): ${relative("", file)}`);
  else writeFileSync(file, formatted);
}
if (check && unformatted > 0) process.exitCode = 1;
