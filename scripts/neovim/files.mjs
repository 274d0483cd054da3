// Which Lua the plugin has, and where what it is checked with lies; scripts/neovim.sh fetches that.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export const plugin = here("../../editors/neovim");

/** A package that scripts/neovim.sh fetched. */
export const tool = createRequire(here("../../.cache/neovim/lua/package.json"));

/** A package of the VS Code extension, which has what speaks to a browser and checks types. */
export const shared = createRequire(here("../../editors/vscode/package.json"));

export const chromium = here("../../.cache/vscode/chromium");

/** The Lua files in folders of the plugin, by their paths. */
export function sources(...folders) {
  const found = [];
  for (const folder of folders) {
    for (const name of readdirSync(join(plugin, folder), { recursive: true })) {
      if (name.endsWith(".lua")) found.push(join(plugin, folder, name));
    }
  }
  return found.sort();
}

/** The Lua that Neovim's own types are declared in. */
export function runtime() {
  const print = ["--clean", "--headless", "-c", "lua io.stdout:write(vim.env.VIMRUNTIME)", "-c", "qall!"];
  const lua = join(execFileSync(here("../../.cache/neovim/nvim-0.12"), print, { encoding: "utf8", env: { ...process.env, NVIM_LOG_FILE: "/dev/null" } }), "lua");
  return readdirSync(lua, { recursive: true })
    .filter((name) => name.endsWith(".lua"))
    .map((name) => join(lua, name));
}
