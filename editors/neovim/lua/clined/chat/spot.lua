--- What stands at a row of the chat.
local M = {}

---@class clined.chat.Spot
---@field item? clined.Item
---@field link? clined.chat.Link
---@field bar? "user"|"waiting" the bar beside it, of a message of the user's
---@field folds boolean a fold begins there

---@param row integer from 0
---@return clined.chat.Spot
function M.at(row)
  local transcript = require("clined.chat.view").transcript()
  local at, inside = nil, nil
  if transcript then
    at, inside = transcript:find(row)
  end
  if not transcript or not at or not inside then return { folds = false } end
  local block = transcript.blocks[at]
  local folds = vim.iter(block.folds):any(function(fold) return fold.first == inside end)
  return { item = block.item, link = block.links[inside], bar = block.gutter[inside], folds = folds }
end

--- The row of the user's message next to a row, down or up.
---@param row integer from 0
---@param direction 1|-1
---@return integer?
function M.said(row, direction)
  local transcript, first, found = require("clined.chat.view").transcript(), 0, nil
  for _, block in ipairs(transcript and transcript.blocks or {}) do
    local item = block.item
    if item and item.kind == "message" and item.role == "user" then
      local at = first + block.gap
      if direction == 1 and at > row then return at end
      if direction == -1 and at < row then found = at end
    end
    first = first + #block.lines
  end
  return found
end

return M
