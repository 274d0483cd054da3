--- `:Clined allow` and `:Clined refuse`: what is meant is what the user looks at. What they have not seen is shown, not allowed.
local desk = require("clined.decisions.desk")
local steady = require("clined.decisions.steady")
local words = require("clined.decisions.words")

local M = {}

local function decisions() return require("clined.decisions") end

-- The approval of the proposal that the user is in, else the oldest that waits: first of the task that is shown.
---@return clined.Decision?
local function meant()
  local view = require("clined.diff.views").of_buffer(vim.api.nvim_get_current_buf())
  local here = view and decisions().of_diff(view.id)
  if here then return here end
  local list = desk.list()
  local task = require("clined.task.session").task_id()
  for _, decision in ipairs(list) do
    if decision.taskId == task then return decision end
  end
  if not list[1] then require("clined.say").info("nothing waits for you") end
  return list[1]
end

--- Allows what is asked, if the user sees it or its line tells all of it; else shows it.
function M.allow()
  local decision = meant()
  if not decision then return end
  local ask = require("clined.decisions.ask")
  if decision.kind == "question" or not (ask.is_seen(decision) or words.is_told(decision)) then return ask.show(decision) end
  if steady.press() then decisions().allow(decision.id) end
end

--- Refuses what is asked.
---@param text? string words for the model
function M.refuse(text)
  local decision = meant()
  if not decision then return end
  if not steady.press() then return end
  if decision.kind == "question" then return decisions().answer(decision.id, { text = text }) end
  decisions().refuse(decision.id, text)
end

return M
