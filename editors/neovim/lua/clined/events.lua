--- What happens in clined, told to the plugin's own parts and to the user's.
---
--- Owns the list of events and who listens. Each is also a `User` autocommand, so that a configuration may hear it:
---
---     vim.api.nvim_create_autocmd("User", { pattern = "ClinedTurnEnd", callback = function(a) print(a.data.stopReason) end })
---
--- Never asks the daemon anything, and knows no windows.
local M = {}

---@alias clined.EventName
---| "DaemonState" the daemon starts, runs, failed or ended
---| "TaskOpen" another task is shown, or none
---| "TaskChange" something of the shown task changed
---| "TurnStart" the model begins to work
---| "TurnEnd" a turn ended
---| "Decision" an approval or a question is open
---| "DecisionEnd" it was answered, here or elsewhere, or withdrawn
---| "DiffOpen" a proposal is shown
---| "DiffClose" it is gone: written, or left
---| "Setup" whether a model is set up was asked, or is not known any more

---@class clined.EventInfo
---@field name clined.EventName
---@field desc string for the help
---@field data string what the table `data` holds, for the help
---@field silent? boolean no `User` autocommand: it comes often, and is for the plugin's own parts

--- In the order of the help.
---@type clined.EventInfo[]
M.list = {
  { name = "DaemonState", desc = "The daemon starts, runs, failed or ended.", data = "`kind`, and of a failure `problem` and `hint`" },
  { name = "TaskOpen", desc = "Another task is shown, or none.", data = "`taskId?`, `title?`" },
  { name = "TaskChange", desc = "Something of the shown task changed.", data = "a `clined.Change`", silent = true },
  { name = "TurnStart", desc = "The model begins to work.", data = "`taskId`, `turnId?`" },
  { name = "TurnEnd", desc = "A turn ended.", data = "`taskId`, `title`, `stopReason`, and of an error `message` and `hint`" },
  { name = "Decision", desc = "An approval or a question is open.", data = "`taskId`, `kind` (`approval` or `question`), `id`, `title`" },
  { name = "DecisionEnd", desc = "It was answered, here or elsewhere, or was withdrawn.", data = "`taskId`, `kind`, `id`, `outcome?`" },
  { name = "DiffOpen", desc = "A proposal is shown.", data = "`diffId`, `path`" },
  { name = "DiffClose", desc = "It is gone: written, or left.", data = "`diffId`, `path`, `written`" },
  {
    name = "Setup",
    desc = "Whether a model is set up was asked, or is not known any more.",
    data = "`configured?`, `model?`, `problem?`, `hint?`",
    silent = true,
  },
}

---@type table<string, fun(data: table)[]>
local listeners = {}

--- Hears one event; the function returned ends that.
---@param name clined.EventName
---@param listener fun(data: table)
---@return fun() off
function M.on(name, listener)
  local own = function(data) listener(data) end -- the same function may be given twice
  listeners[name] = listeners[name] or {}
  table.insert(listeners[name], own)
  return function()
    listeners[name] = vim.tbl_filter(function(l) return l ~= own end, listeners[name])
  end
end

---@type table<string, boolean>
local silent
local function is_silent(name)
  if not silent then
    silent = {}
    for _, event in ipairs(M.list) do
      silent[event.name] = event.silent or false
    end
  end
  return silent[name]
end

--- Tells an event, to the plugin's own parts first. A listener that fails is reported and hinders no other.
---@param name clined.EventName
---@param data table
function M.tell(name, data)
  for _, listener in ipairs(listeners[name] or {}) do
    local ok, err = xpcall(listener, debug.traceback, data)
    if not ok then require("clined.log").error(("a listener of %s failed: %s"):format(name, err)) end
  end
  if not is_silent(name) then vim.api.nvim_exec_autocmds("User", { pattern = "Clined" .. name, data = data, modeline = false }) end
end

return M
