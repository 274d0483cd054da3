--- The logs, for whoever looks for a fault: the plugin's own, with what the daemon writes to its standard error.
local M = {}

--- Shows the log at its end, read anew each time.
function M.open()
  local path = require("clined.log").path()
  if not vim.uv.fs_stat(path) then return require("clined.say").info("nothing was logged yet") end
  local win = require("clined.chat.window").for_files()
  vim.api.nvim_set_current_win(win)
  vim.cmd.view({ path, magic = { file = false }, mods = { split = "belowright" } })
  vim.bo.autoread, vim.bo.bufhidden, vim.bo.buflisted, vim.bo.swapfile, vim.bo.modifiable = true, "wipe", false, false, false
  vim.cmd("normal! G")
end

return M
