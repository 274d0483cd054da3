--- The column beside the chat's text: bars at what the user said, signs at what is folded.
---
--- Called by Neovim for each row that it draws ('statuscolumn').
local M = {}

-- Neovim gives a column of mere blanks no more than one cell.
local blank = "\u{a0}\u{a0}"

---@return string
function M.draw()
  local lnum = vim.v.lnum
  local spot = require("clined.chat.spot").at(lnum - 1)
  if spot.bar then return spot.bar == "user" and "%#ClinedUserBar#▌ " or "%#ClinedWaiting#┊ " end
  if not spot.folds or vim.v.virtnum ~= 0 then return blank end
  return vim.fn.foldclosed(lnum) == lnum and "%#ClinedGutter#▸ " or "%#ClinedGutter#▾ "
end

return M
