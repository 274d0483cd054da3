--- The column beside the chat's text: bars at what the user said, signs at what is folded.
---
--- Called by Neovim for each row that it draws ('statuscolumn').
local M = {}

---@return string
function M.draw()
  local lnum = vim.v.lnum
  local bar = require("clined.chat.view").bar(lnum - 1)
  if bar then return bar == "user" and "%#ClinedUserBar#▌ " or "%#ClinedWaiting#┊ " end
  if vim.v.virtnum ~= 0 then return "  " end
  local level = vim.fn.foldlevel(lnum)
  if level == 0 then return "  " end
  local closed = vim.fn.foldclosed(lnum)
  if closed == lnum then return "%#ClinedGutter#▸ " end
  if lnum == 1 or require("clined.chat.view").fold_begins(lnum - 1) then return "%#ClinedGutter#▾ " end
  return "  "
end

return M
