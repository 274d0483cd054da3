-- Plugin managers for Neovim take the root of a repository for the plugin, and not all of them can be told otherwise. This leads
-- them to the plugin, which is in editors/neovim, and makes the tags of its help, which they would make for the root alone.
local here = vim.fs.normalize(debug.getinfo(1, "S").source:sub(2))
local plugin = vim.fs.dirname(vim.fs.dirname(here)) .. "/editors/neovim"
vim.o.runtimepath = vim.o.runtimepath .. "," .. vim.fn.escape(plugin, "\\,")
vim.cmd.source(vim.fn.fnameescape(plugin .. "/plugin/clined.lua"))

vim.schedule(function()
  local doc = plugin .. "/doc"
  local text, tags = vim.uv.fs_stat(doc .. "/clined.txt"), vim.uv.fs_stat(doc .. "/tags")
  if text and (not tags or tags.mtime.sec < text.mtime.sec) then pcall(vim.cmd.helptags, vim.fn.fnameescape(doc)) end
end)
