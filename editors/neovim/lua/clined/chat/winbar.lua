--- The line above the chat: the task's title, what it does now, mode, model, and how much of the context is used.
---
--- Owns its text, which is made anew when something changed.
local daemon = require("clined.daemon")
local session = require("clined.task.session")
local visible = require("clined.chat.visible")

local M = {}

local function escape(words) return (words:gsub("%%", "%%%%")) end

local stopped = {
  cancelled = "stopped",
  interrupted = "interrupted",
  needs_user = "needs you",
  error = "failed",
  plan_presented = "plan ready",
  completed = "done",
}

local function doing(task)
  local state = daemon.state().kind
  if state == "failed" then return "clined does not run", "ClinedFailed" end
  if state == "starting" then return "starting", "ClinedRunning" end
  if not task then return end
  if task.state.state == "running" then return task.state.waiting and "waiting" or "working", "ClinedRunning" end
  if task.state.state == "requires_action" then return "needs you", "ClinedDecision" end
  local reason = task.state.stopReason
  return stopped[reason or ""], (reason == "error" or reason == "interrupted") and "ClinedFailed" or "ClinedBarDim"
end

local function figure(n) return n >= 1000 and ("%dk"):format(n / 1000) or tostring(n) end

local function used(task)
  local usage = task and task.usage
  if not usage then return end
  local words = usage.size > 0 and ("%d%% of %s"):format(usage.used * 100 / usage.size, figure(usage.size)) or figure(usage.used)
  if usage.cost and usage.cost > 0 then words = words .. (" · $%.2f"):format(usage.cost) end
  return words
end

---@type table<integer, string> by width of the window
local made = {}

local function wide(words) return vim.fn.strdisplaywidth(words) end

-- The title gives way first, then what is least asked for.
---@param width integer
---@return string
local function make(width)
  local task = session.current()
  local title = task and visible.line(task.info.title, 200) or "clined"
  if title == "" then title = "Task" end
  local now, group = doing(task)
  local right = { { now or "", group }, { session.option("mode") or "" }, { used(task) or "" }, { session.option("model") or "" } }
  right = vim.tbl_filter(function(piece) return piece[1] ~= "" end, right)
  local taken
  repeat
    if taken then table.remove(right) end
    taken = 4
    for _, piece in ipairs(right) do
      taken = taken + wide(visible.line(piece[1], 60)) + 3
    end
  until #right == 0 or width - taken >= math.min(20, wide(title))
  local room = math.max(1, width - taken)
  if wide(title) > room then title = vim.fn.strcharpart(title, 0, room - 1) .. "…" end
  local pieces = vim.tbl_map(
    function(piece) return ("%%#%s#%s"):format(piece[2] or "ClinedBarDim", escape(visible.line(piece[1], 60))) end,
    right
  )
  return " %#ClinedBar#" .. escape(title) .. "%=  " .. table.concat(pieces, "%#ClinedBarDim# · ") .. " "
end

--- For 'winbar'.
---@return string
function M.draw()
  local width = vim.api.nvim_win_get_width(vim.g.statusline_winid or 0)
  made[width] = made[width] or make(width)
  return made[width]
end

--- Something that it shows may have changed.
function M.changed()
  for width, text in pairs(made) do
    if make(width) ~= text then
      made = {}
      return require("clined.chat.window").redraw_bars()
    end
  end
end

return M
