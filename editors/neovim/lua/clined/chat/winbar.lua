--- The line above the chat: the task's title, what it does now, mode, model, and how much of the context is used.
---
--- Owns its text, which is made anew when something changed.
local daemon = require("clined.daemon")
local session = require("clined.task.session")
local visible = require("clined.chat.visible")

local M = {}

local text ---@type string?

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

---@return string
local function make()
  local task = session.current()
  local title = task and task.info.title or ""
  if title == "" then title = task and "Task" or "clined" end
  local left = " %#ClinedBar#" .. escape(visible.line(title, 200)) .. "%<"
  local now, group = doing(task)
  local right = {}
  if now then table.insert(right, ("%%#%s#%s"):format(group, escape(now))) end
  for _, words in ipairs({ session.option("mode") or "", session.option("model") or "", used(task) or "" }) do
    if words ~= "" then table.insert(right, "%#ClinedBarDim#" .. escape(visible.line(words, 60))) end
  end
  return left .. "%#ClinedBar#%=  " .. table.concat(right, "%#ClinedBarDim# · ") .. " "
end

--- For 'winbar'.
---@return string
function M.draw()
  text = text or make()
  return text
end

--- Something that it shows may have changed.
function M.changed()
  if text then
    local new = make()
    if new == text then return end
    text = new
  end
  require("clined.chat.window").redraw_bars()
end

return M
