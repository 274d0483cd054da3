--- Which proposal comes before the user's eyes, and when: never while they press keys, and not again once they closed it.
local follow = require("clined.diff.follow")
local idle = require("clined.decisions.idle")
local screen = require("clined.diff.screen")
local text = require("clined.diff.text")
local views = require("clined.diff.views")

local M = {}

---@type table<clined.DiffView, true> those that were offered while they were written
local offered = setmetatable({}, { __mode = "k" })

local function wants() return require("clined.config").get().diff.focus end

-- Whether the user is in the proposal of another call: they decide about one after the other.
local function is_elsewhere(view)
  local here = views.of_buffer(vim.api.nvim_get_current_buf())
  return here ~= nil and here.params.toolCallId ~= view.params.toolCallId
end

-- Whether somebody will be asked about the edits of a task, as far as is known. What is not known yet shows once it is asked.
local function is_asked(view)
  local ok, session = pcall(require, "clined.task.session")
  local task = ok and session.current()
  if not task or task.info.taskId ~= view.params.taskId then return false end
  return vim.iter(task.options):any(function(option) return option.id == "auto_approve.edit" and option.value == "false" end)
end

--- Whether a proposal that is asked about comes before the user's eyes by itself.
---@param view clined.DiffView
---@return boolean
function M.will_show(view) return wants() and not view.dismissed end

--- Goes to a proposal.
---@param view clined.DiffView
---@param line? integer from 0; by default where the model writes, or the first change
function M.show(view, line)
  view.dismissed = false
  local before = screen.win(view)
  screen.show(view)
  local win = screen.win(view)
  if not win then return end
  if win ~= before then
    screen.drawn(view)
    follow.look_at(win, line or view.active or text.first_change(text.split(view.base), text.split(view:text())))
  end
  require("clined.decisions.desk").changed()
end

--- Brings a proposal before the user's eyes once they pause, if they want that.
---@param view clined.DiffView
---@param line? integer
---@param still? fun(): boolean
function M.offer(view, line, still)
  if not wants() then return end
  idle.when(function()
    if not wants() or view.dismissed or views.get(view.id) ~= view or screen.win(view) or is_elsewhere(view) then return end
    if still and not still() then return end
    require("clined.decisions.steady").moved()
    M.show(view, line)
  end)
end

--- A proposal that is being written: it is shown where somebody will be asked about it. Of several files of one call the newest
--- is shown to who follows.
---@param view clined.DiffView
function M.offer_streaming(view)
  if offered[view] or not is_asked(view) then return end
  offered[view] = true
  for _, other in ipairs(views.of_call(view.params.toolCallId)) do
    if other ~= view and (other.dismissed or (screen.win(other) and not follow.followed(other))) then return end
  end
  M.offer(view, nil, function() return not view.final or require("clined.decisions").of_diff(view.id) ~= nil end)
end

--- More is known of the task: offers what is being written, if it was not.
function M.look_at_streaming()
  for _, view in ipairs(views.list()) do
    if not view.final then M.offer_streaming(view) end
  end
end

--- Brings the oldest proposal that is asked about before the user's eyes.
function M.look()
  for _, decision in ipairs(require("clined.decisions").list()) do
    local seen, first = false, nil
    for _, file in ipairs(decision.kind == "approval" and decision.params.subject.files or {}) do
      local view = views.get(file.diffId)
      if view then
        seen = seen or view.dismissed or screen.win(view) ~= nil
        first = first or view
      end
    end
    if first and not seen then
      return M.offer(first, nil, function() return require("clined.decisions").of_diff(first.id) ~= nil end)
    end
  end
end

return M
