--- What clined does, in a few letters for a statusline: `%{%v:lua.require'clined'.statusline()%}`, or as a component of lualine.
---
--- Owns the text and when it changes. It is made when something happened, and costs a look-up when it is drawn; before clined was
--- used it is empty, and nothing is loaded for it.
local events = require("clined.events")

local M = {}

---@class clined.Status
---@field kind "off"|"starting"|"failed"|"setup"|"asks"|"working"|"idle"|"error"
---@field text string such as "clined: asks 1"
---@field title string of the task it is about, or what is wrong; may be empty

---@type clined.Status
local current = { kind = "off", text = "", title = "" }

-- A module that nobody needed yet has nothing to tell.
local function loaded(name) return package.loaded[name] end

---@return integer count, string title
local function asked()
  local decisions = loaded("clined.decisions")
  local list = decisions and decisions.list() or {}
  local session = loaded("clined.task.session")
  local known = session and list[1] and session.known()[list[1].taskId]
  return #list, known and known.title or ""
end

---@return string[] titles of the tasks that run here
local function working()
  local session = loaded("clined.task.session")
  local titles = {}
  for _, task in pairs(session and session.known() or {}) do
    if task.state ~= "idle" then table.insert(titles, task.title) end
  end
  return titles
end

-- One line, however a title came about.
local function plain(text) return vim.trim((text:gsub("%c+", " "))) end

---@return clined.Status
local function read()
  local state = require("clined.daemon").state()
  if state.kind == "stopped" then return { kind = "off", text = "", title = "" } end
  if state.kind == "failed" then return { kind = "failed", text = "clined: failed", title = plain(state.problem or "") } end
  local count, title = asked()
  if count > 0 then return { kind = "asks", text = ("clined: asks %d"):format(count), title = plain(title) } end
  if state.kind == "starting" then return { kind = "starting", text = "clined: starts", title = "" } end
  local titles = working()
  if #titles > 0 then
    local text = #titles == 1 and "clined: working" or ("clined: working on %d"):format(#titles)
    return { kind = "working", text = text, title = plain(titles[1]) }
  end
  local setup = loaded("clined.setup")
  local status = setup and setup.known()
  if status and not status.configured then return { kind = "setup", text = "clined: no model", title = plain(status.problem or "") } end
  local session = loaded("clined.task.session")
  local task = session and session.current()
  if task and task.state.stopReason == "error" then
    return { kind = "error", text = "clined: error", title = plain(vim.tbl_get(task.state, "error", "message") or "") }
  end
  return { kind = "idle", text = "clined", title = plain(task and task.info.title or "") }
end

local stale = false
local function update()
  if stale then return end
  stale = true
  vim.schedule(function()
    stale = false
    local before = current
    current = read()
    if not vim.deep_equal(before, current) then vim.cmd.redrawstatus({ bang = true }) end
  end)
end

--- What clined does: for a component of one's own.
---@return clined.Status
function M.status() return current end

--- A short text, empty while clined is not used. `%` in it is doubled, as statuslines want it.
---@return string
function M.text() return (current.text:gsub("%%", "%%%%")) end

events.on("TaskChange", function(change)
  if change.what == "info" then update() end
end)
for _, name in ipairs({ "DaemonState", "TaskOpen", "TurnStart", "TurnEnd", "Decision", "DecisionEnd", "Setup" }) do
  events.on(name, update)
end
update()

return M
