--- Notices: a sentence for the user, and a hint.
local Block = require("clined.chat.render.block")
local visible = require("clined.chat.visible")

local M = {}

local looks = { error = { "✗", "ClinedFailed" }, warning = { "!", "ClinedDenied" }, info = { "i", "ClinedRunning" } }

--- A sentence beginning in upper case, as it stands alone.
---@param text string
---@return string
function M.sentence(text)
  text = visible.line(text, 1000)
  return text:sub(1, 1):upper() .. text:sub(2)
end

---@param block clined.chat.Block
---@param severity string
---@param text string
---@param hint? string
function M.say(block, severity, text, hint)
  local sign, group = unpack(looks[severity] or looks.info)
  block:line({ sign .. " ", group }, { M.sentence(text), severity == "error" and group or nil })
  if hint and hint ~= "" then block:line({ "  " .. M.sentence(hint), "ClinedFigure" }) end
end

---@param item clined.NoticeItem
---@return clined.chat.Block
function M.draw(item)
  local block = Block.new()
  M.say(block, item.severity, item.text, item.hint)
  block.first, block.last = "line", "line"
  return block
end

return M
