-- Commands and <Plug> mappings. Nothing else is loaded before one of them is used.
if vim.g.loaded_clined then return end
vim.g.loaded_clined = true

vim.api.nvim_create_user_command("Clined", function(args) require("clined.command").run(args) end, {
  nargs = "*",
  range = true,
  complete = function(...) return require("clined.command").complete(...) end,
  desc = "clined: open the chat, or do something with it",
})

-- A session file brings windows of proposals back, without what they showed.
vim.api.nvim_create_autocmd("SessionLoadPost", {
  group = vim.api.nvim_create_augroup("clined_session", { clear = true }),
  callback = function() require("clined.diff.stale").close() end,
})

-- clined.keys describes them; a test holds the two together.
for name, command in pairs({ open = "", new = " new", stop = " stop", history = " history", allow = " allow", refuse = " refuse" }) do
  vim.keymap.set("n", ("<Plug>(clined-%s)"):format(name), ("<Cmd>Clined%s<CR>"):format(command))
end
vim.keymap.set("x", "<Plug>(clined-ask)", ":Clined<CR>", { silent = true })
