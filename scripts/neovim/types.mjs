// Checks the types of the Neovim plugin's Lua: node scripts/neovim/types.mjs. The exit code is 1 when something does not fit.
//
// LuaLS and EmmyLua are in no registry that a build here may fetch from. This reads the same annotations and holds the code to them:
// types, parameters and globals that are not there, locals that nobody uses, fields that a class or a module does not have, calls
// with the wrong number or types of arguments, values that are returned and assigned. What it cannot know fits.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { plugin, runtime, sources } from "./files.mjs";
import { check } from "./types/project.mjs";

const read = (file) => readFileSync(file, "utf8");
const module = (file) => relative(join(plugin, "lua"), file).replace(/(\/init)?\.lua$/, "").replaceAll("/", ".");

const files = new Map(sources("lua", "plugin").map((file) => [module(file), file]));
const problems = check(
  [...files].map(([name, file]) => ({ name, text: read(file) })),
  runtime().map((file) => ({ text: read(file) })),
);
for (const problem of problems) console.error(problem.replace(/^[^:]*/, (name) => relative("", files.get(name))));
if (problems.length > 0) process.exitCode = 1;
