--- What the blocks of the chat are made of: an item by its renderer, the head above all items, the tail behind them.
local Block = require("clined.chat.render.block")
local call = require("clined.chat.render.call")
local daemon = require("clined.daemon")
local decision_block = require("clined.chat.render.decision")
local decisions = require("clined.decisions")
local message = require("clined.chat.render.message")
local notice = require("clined.chat.render.notice")
local tail = require("clined.chat.render.tail")

local M = {}

---@type table<string, string>?
local key_names

-- The key of an action of the chat, as the user has it.
---@param name string
---@return string
local function key(name)
  if not key_names then
    key_names = {}
    for _, k in ipairs(require("clined.keys").of("chat")) do
      key_names[k.name] = k.lhs
    end
  end
  return key_names[name] or ":Clined"
end

-- Columns of the text in the narrowest window.
---@param transcript clined.chat.Transcript
---@return integer
local function width(transcript)
  local least = 200
  for _, win in ipairs(transcript:windows()) do
    least = math.min(least, vim.api.nvim_win_get_width(win) - 2)
  end
  return least
end

---@param item clined.Item
---@param old? clined.chat.Block
---@param transcript clined.chat.Transcript
---@return clined.chat.Block
local function drawn(item, old, transcript)
  if item.kind == "message" then return message.draw(item) end
  if item.kind == "notice" then return notice.draw(item) end
  return call.draw(item, old, key, width(transcript))
end

--- The block of an item. Between two things is a blank line, but calls and notices stand line by line.
---@param item clined.Item
---@param before? clined.chat.Block what stands above
---@param old? clined.chat.Block how it was drawn before
---@param transcript clined.chat.Transcript
---@return clined.chat.Block
function M.item(item, before, old, transcript)
  local inner = drawn(item, old and old.inner, transcript)
  inner.inner = inner
  if not before or (before.last == "line" and inner.first == "line") then
    inner.gap, inner.item = 0, item
    return inner
  end
  local block = Block.new()
  block:line("")
  block:append(inner)
  block.first, block.last, block.growing = inner.first, inner.last, inner.growing
  block.inner, block.gap, block.item = inner, 1, item
  return block
end

--- What stands above all items: where there is no task, what one can do.
---@param task? clined.Task
---@param older? boolean|string older items are being asked for, or why they could not be had
---@return clined.chat.Block
function M.head(task, older)
  local block = Block.new()
  if task and task.more then
    local text = older == true and "asking for what was before …" or type(older) == "string" and older or "what was before: go to the top"
    block:line({ "⋯ " .. text, "ClinedCut" })
  elseif not task then
    block:append(require("clined.chat.render.start").draw(key))
  end
  return block
end

--- What stands behind all items.
---@param task? clined.Task
---@return clined.chat.Block
function M.tail(task)
  local open = {}
  for _, decision in ipairs(decisions.list()) do
    if task and decision.taskId == task.info.taskId then table.insert(open, decision_block.draw(decision, #open == 0, key)) end
  end
  return tail.draw({ task = task, daemon = daemon.state(), decisions = open, key = key })
end

return M
