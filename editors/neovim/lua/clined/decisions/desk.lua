--- What waits for the user: open approvals and questions of every task of this Neovim, from the daemon's request until they are
--- decided, by whomever.
---
--- Owns that list. Nothing here decides: silence, a closed window and an error are never an answer.
local daemon = require("clined.daemon")
local events = require("clined.events")
local steady = require("clined.decisions.steady")

local M = {}

---@class clined.Decision
---@field kind "approval"|"question"
---@field id string
---@field taskId string
---@field title string in one line
---@field params table of clined/approval/request or clined/ask
---@field options table[] of an approval `{ optionId, kind, name, rule? }`; of a question its answers, as texts
---@field edited? boolean the user changed what an approval proposes
---@field hunks? integer changes of an approval that can be left out
---@field left_out? integer those that are

---@class clined.DeskEntry
---@field decision clined.Decision
---@field answering? boolean
---@field done fun() the daemon's request is withdrawn or of no use any more

---@type table<string, clined.DeskEntry>
local entries = {}
---@type string[] ids, the oldest first
local order = {}
---@type fun()[]
local listeners = {}

--- Hears that the list, or something in it, is another.
---@param listener fun()
---@return fun() off
function M.subscribe(listener)
  local own = function() listener() end
  table.insert(listeners, own)
  return function()
    listeners = vim.tbl_filter(function(l) return l ~= own end, listeners)
  end
end

--- Something that is shown of a decision changed.
function M.changed()
  for _, listener in ipairs(listeners) do
    local ok, err = xpcall(listener, debug.traceback)
    if not ok then require("clined.log").error("a listener of decisions failed: " .. err) end
  end
end

-- What the proposals have of an approval now.
local function look(decision)
  if decision.kind ~= "approval" then return decision end
  return vim.tbl_extend("force", decision, require("clined.diff").of_approval(decision.params))
end

---@return clined.Decision[] the oldest first
function M.list()
  return vim.tbl_map(function(id) return look(entries[id].decision) end, order)
end

---@param id? string
---@return clined.Decision?
function M.get(id)
  local entry = id and entries[id]
  return entry and look(entry.decision) or nil
end

local function none() end

-- The oldest of a task, which is the one that keys decide where the task is shown.
---@param task string
---@return string? id
local function first_of(task)
  return vim.iter(order):find(function(id) return entries[id].decision.taskId == task end)
end

---@param decision clined.Decision
---@param done fun()
local function add(decision, done)
  local known = entries[decision.id]
  if known then
    -- What was known from a list is asked for now: the request ends it.
    if done ~= none then known.done = done end
    return
  end
  entries[decision.id] = { decision = decision, done = done }
  table.insert(order, decision.id)
  if first_of(decision.taskId) == decision.id then steady.moved() end
  decision.title = require("clined.decisions.words").one_line(decision)
  M.changed()
  events.tell("Decision", { taskId = decision.taskId, kind = decision.kind, id = decision.id, title = decision.title })
end

---@param id string
---@param outcome? string
local function close(id, outcome)
  local entry = entries[id]
  if not entry then return end
  if order[1] == id or first_of(entry.decision.taskId) == id then steady.moved() end
  entries[id] = nil
  order = vim.tbl_filter(function(other) return other ~= id end, order)
  entry.done()
  M.changed()
  local decision = entry.decision
  events.tell("DecisionEnd", { taskId = decision.taskId, kind = decision.kind, id = id, outcome = outcome })
end

---@param params clined.protocol.ApprovalRequestParams
---@return clined.Decision
local function approval(params)
  return { kind = "approval", id = params.approvalId, taskId = params.taskId, title = "", params = params, options = params.options }
end

---@param params clined.protocol.AskParams
---@return clined.Decision
local function question(params)
  return { kind = "question", id = params.askId, taskId = params.taskId, title = "", params = params, options = params.options or {} }
end

local function wait(make)
  return function(params, reply)
    local decision = make(params)
    add(decision, function() reply(nil) end)
    return function() close(decision.id) end
  end
end

--- Asks what is open beside what was requested, after a task was attached.
---@param task string
function M.refresh(task)
  local known = vim.list_slice(order) -- what is asked while the answer is on its way need not be in it
  daemon.request("clined/approval/list", { taskId = task }, function(err, found)
    if err then return end
    local there = {}
    for _, params in ipairs(found.approvals or {}) do
      there[params.approvalId] = true
      add(approval(params), none)
    end
    for _, params in ipairs(found.asks or {}) do
      there[params.askId] = true
      add(question(params), none)
    end
    for _, id in ipairs(known) do
      if entries[id] and entries[id].decision.taskId == task and not there[id] then close(id) end
    end
  end)
end

local function late()
  require("clined.say").info("that was decided already")
  return false
end

--- Answers beside the request, which is then withdrawn: so it is told whether the answer counts, and why not.
---@param id string
---@param method "clined/approval/respond"|"clined/ask/respond"
---@param params table
---@param cb? fun(counts: boolean)
function M.respond(id, method, params, cb)
  cb = cb or none
  local entry = entries[id]
  if not entry then return cb(late()) end
  if entry.answering then return cb(false) end
  entry.answering = true
  daemon.request(method, params, function(err, result)
    entry.answering = nil
    if err and err.code ~= 1004 then
      require("clined.say").failed(err)
      return cb(false)
    end
    close(id)
    if err or result.status == "alreadyResolved" then return cb(late()) end
    cb(true)
  end)
end

--- Begins to hear the daemon.
function M.attach()
  daemon.handle("clined/approval/request", wait(approval))
  daemon.handle("clined/ask", wait(question))
  daemon.on("clined/approval/resolved", function(params) close(params.approvalId, params.outcome) end)
  events.on("TaskOpen", function(data)
    if data.taskId then M.refresh(data.taskId) end
  end)
  -- Nothing that a process asked outlives it.
  events.on("DaemonState", function(state)
    if state.kind == "running" or state.kind == "starting" then return end
    for _, id in ipairs(vim.list_slice(order)) do
      close(id)
    end
  end)
end

return M
