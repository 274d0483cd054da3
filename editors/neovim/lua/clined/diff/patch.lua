--- A patch to look at: the diff of a call that has ended.
local visible = require("clined.chat.visible")

local M = {}

--- Shows it in a tab of its own; `q` closes it.
---@param title string
---@param diff string
function M.show(title, diff)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = "wipe"
  vim.bo[buf].modeline = false
  pcall(vim.api.nvim_buf_set_name, buf, ("clined://patch/%d/%s"):format(buf, visible.line(title, 80)))
  local lines = visible.lines(diff)
  if lines[#lines] == "" then table.remove(lines) end
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  local back = vim.api.nvim_get_current_win()
  vim.cmd({ cmd = "sbuffer", args = { tostring(buf) }, mods = { tab = vim.fn.tabpagenr(), keepalt = true } })
  vim.bo[buf].filetype = "diff"
  vim.keymap.set("n", "q", function()
    vim.cmd("close")
    if vim.api.nvim_win_is_valid(back) then vim.api.nvim_set_current_win(back) end
  end, { buffer = buf, nowait = true, desc = "clined: close the patch" })
end

return M
