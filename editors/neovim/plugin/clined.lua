-- Commands and <Plug> mappings. Nothing else is loaded before one of them is used.
if vim.g.loaded_clined then return end
vim.g.loaded_clined = true

vim.api.nvim_create_user_command("Clined", function(args) require("clined.command").run(args) end, {
  nargs = "*",
  range = true,
  bang = true,
  complete = function(...) return require("clined.command").complete(...) end,
  desc = "clined: open the chat, or do something with it",
})
