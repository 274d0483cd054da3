--- Which items of a task have a block of their own, and what is to be done with the drawn ones when they change.
---
--- Pure.
local message = require("clined.chat.render.message")
local words = require("clined.chat.words")

local M = {}

---@param item clined.Item
---@return boolean
function M.shows(item)
  if item.kind == "message" then return message.shows(item) end
  if item.kind == "call" then return not words.quiet(item) end
  return item.kind == "notice"
end

---@param task clined.Task
---@return clined.Item[]
function M.of(task)
  local shown = {}
  for _, item in ipairs(task.items) do
    if M.shows(item) then shown[#shown + 1] = item end
  end
  return shown
end

--- Where two rows of items differ: `count` of the old ones from `at` on give way to the new ones from `at` to `last`.
---@param old clined.Item[]
---@param new clined.Item[]
---@return integer at, integer count, integer last
function M.difference(old, new)
  local at, o, n = 1, #old, #new
  while at <= o and at <= n and old[at].id == new[at].id do
    at = at + 1
  end
  while o >= at and n >= at and old[o].id == new[n].id do
    o, n = o - 1, n - 1
  end
  return at, o - at + 1, n
end

return M
