--- The task that this Neovim shows, and what the user does with it.
---
--- Owns which task is shown and keeps it as the daemon tells it, over restarts of the daemon too; of other tasks it knows title
--- and state. Knows no windows: who draws subscribes. Decisions are clined.decisions'.
local daemon = require("clined.daemon")
local events = require("clined.events")
local reduce = require("clined.task.reduce")

local M = {}

--- How many items are asked for at a time.
local page = 200

---@alias clined.Answer fun(err?: clined.Error, result?: any)

---@class clined.Known what was heard of a task
---@field title string
---@field state string
---@field turnId? string

---@type clined.Task?
local current
---@type table<string, clined.Known>
local known = {}
-- Events of the task that is being opened wait for the answer to its attach.
---@type { id: string, early: table[] }?
local opening
-- The task that the first prompt asked for, until it has an id.
---@type table?
local beginning

local function nothing() end

---@return clined.Task?
function M.current() return current end

---@return string?
function M.task_id() return opening and opening.id or current and current.info.taskId or nil end

--- Whether a turn of the shown task runs, or waits for the user.
---@return boolean
function M.working() return current ~= nil and current.state.state ~= "idle" end

--- What was heard of tasks, shown or not, by id.
---@return table<string, clined.Known>
function M.known() return known end

--- Hears each change of the shown task; with `what` "all" it may be another one, or none.
---@param listener fun(task?: clined.Task, change: clined.Change)
---@return fun() off
function M.subscribe(listener)
  return events.on("TaskChange", function(change) listener(current, change) end)
end

---@param change clined.Change?
local function changed(change)
  if change then events.tell("TaskChange", change) end
end

---@param task? clined.Task
local function show(task)
  local before = current
  current = task
  if (before and before.info.taskId) ~= (task and task.info.taskId) then
    events.tell("TaskOpen", task and { taskId = task.info.taskId, title = task.info.title } or {})
  end
  changed({ what = "all" })
end

-- Tells the beginning and the end of turns, of tasks that are not shown too.
local function note(params)
  local event = params.event
  local task = known[params.taskId] or { title = "", state = "idle" }
  known[params.taskId] = task
  if event.type == "info" then task.title = event.title end
  if event.type ~= "state" then return end
  local before = task.state
  task.state, task.turnId = event.state, params.turnId
  if before == "idle" and event.state ~= "idle" then
    events.tell("TurnStart", { taskId = params.taskId, turnId = params.turnId })
  elseif before ~= "idle" and event.state == "idle" then
    local err = event.error or {}
    events.tell("TurnEnd", {
      taskId = params.taskId,
      title = task.title,
      stopReason = event.stopReason,
      message = err.message,
      hint = err.hint,
    })
  end
end

local function hear(params)
  note(params)
  if opening and params.taskId == opening.id then
    table.insert(opening.early, params)
  elseif current and params.taskId == current.info.taskId then
    changed(reduce.apply(current, params))
  end
end

---@param info clined.TaskInfo
local function told(info)
  -- What another process runs is none of this Neovim's work.
  local state = info.owner and "idle" or info.state == "interrupted" and "idle" or info.state
  known[info.taskId] = { title = info.title, state = state }
end

--- Shows a task. For the one that is shown this asks what is new of it.
---@param id string
---@param cb? clined.Answer
function M.open(id, cb)
  cb = cb or nothing
  local before = current and current.info.taskId == id and current or nil
  local own = { id = id, early = {} }
  opening, beginning = own, nil
  local function finish(err, result)
    if opening ~= own then return cb({ code = -32800, message = "another task was opened meanwhile" }) end
    if not err and before and reduce.breaks_off(before, result) then
      before = nil
      return daemon.request("clined/task/attach", { taskId = id, limit = page }, finish)
    end
    opening = nil
    if err then return cb(err) end
    told(result.task)
    show(reduce.attached(result, before, own.early))
    cb(nil, current)
  end
  local since = before and before.seq > 0 and before.seq or nil
  daemon.request("clined/task/attach", { taskId = id, limit = page, sinceSeq = since }, finish)
end

--- Puts the shown task away; what runs goes on. The next prompt begins another.
function M.put_away()
  opening, beginning = nil, nil
  if current then show(nil) end
end

--- Asks for older items.
---@param cb? clined.Answer
function M.older(cb)
  cb = cb or nothing
  local task = current
  if not task or not task.more then return cb(nil, nil) end
  daemon.request("clined/task/read", { taskId = task.info.taskId, before = task.before, limit = page }, function(err, result)
    if err or current ~= task then return cb(err) end
    changed(reduce.prepend(task, result))
    cb(nil, task)
  end)
end

---@param text string|table[] text, or the blocks of a prompt
---@return table[]
local function blocks(text)
  return type(text) == "string" and { { type = "text", text = text } } or text --[[@as table[] ]]
end

-- Asks for work: the model is to see what the user sees now.
---@param method string
---@param params table
---@param cb clined.Answer
local function work(method, params, cb)
  require("clined.editor").flush()
  daemon.request(method, params, cb)
end

local function begin(prompt, cb)
  local cwd, own = require("clined.daemon.workspace").folder(), {}
  beginning = own
  work("clined/task/new", { prompt = prompt }, function(err, result)
    local wanted = beginning == own -- else it was put away meanwhile, and runs unseen
    if wanted then beginning = nil end
    if err or not wanted then return cb(err, result) end
    local now = os.date("!%Y-%m-%dT%H:%M:%S.000Z") --[[@as string]]
    local info = { taskId = result.taskId, title = "", cwd = cwd, roots = { cwd }, created = now, updated = now, messages = 0 }
    info.state = "running"
    known[result.taskId] = known[result.taskId] or { title = "", state = "idle" }
    show(reduce.empty(info))
    cb(nil, result)
    -- The events that follow tell the rest; of the options only changes are told.
    M.refresh_options()
  end)
end

--- Says something: in the shown task, or in a new one. While a turn runs it waits for the end of it ("queue"), or is said to
--- that turn ("steer").
---@param text string|table[]
---@param opts? { how?: "queue"|"steer" }
---@param cb? clined.Answer
function M.say(text, opts, cb)
  cb = cb or nothing
  if opening or beginning then
    return cb({ code = 1002, message = "the task is being opened", data = { hint = "say it again in a moment" } })
  end
  if not current then return begin(blocks(text), cb) end
  local params = { taskId = current.info.taskId, prompt = blocks(text) }
  if M.working() and opts and opts.how == "steer" then return work("clined/task/steer", params, cb) end
  work("clined/task/prompt", params, cb)
end

---@param method string
---@param params table
---@param cb? clined.Answer
local function about_current(method, params, cb)
  cb = cb or nothing
  if not current then return cb({ code = 1001, message = "no task is open", data = { hint = "open one by :Clined history" } }) end
  params.taskId = current.info.taskId
  work(method, params, cb)
end

--- Stops the turn that runs, and takes back what waits; with `turn_id` only that prompt.
---@param cb? clined.Answer
---@param turn_id? string
function M.stop(cb, turn_id) about_current("clined/task/cancel", { turnId = turn_id }, cb) end

--- Goes on with an interrupted turn.
---@param cb? clined.Answer
function M.resume(cb) about_current("clined/task/resume", {}, cb) end

--- Goes back to before a message of the user, and says `text` instead.
---@param message_id string
---@param text string|table[]
---@param cb? clined.Answer
function M.edit_message(message_id, text, cb)
  about_current("clined/task/editMessage", { messageId = message_id, prompt = blocks(text) }, cb)
end

--- The options of the shown task, or those that new tasks begin with.
---@type clined.Option[]
local initial = {}

---@return clined.Option[]
function M.options() return current and current.options or initial end

---@param id string
---@return string? value
function M.option(id)
  for _, option in ipairs(M.options()) do
    if option.id == id then return option.value end
  end
end

local function options_came(task, cb)
  return function(err, result)
    if not err then
      if task then
        task.options = result.options
      else
        initial = result.options
      end
      if task == current then changed({ what = "options" }) end
    end
    cb(err, result and result.options)
  end
end

--- Asks for the options; a change is told as one of the task.
---@param cb? clined.Answer
function M.refresh_options(cb)
  local task = current
  daemon.request("clined/config/get", { taskId = task and task.info.taskId }, options_came(task, cb or nothing))
end

---@param id string
---@param value string
---@param cb? clined.Answer
function M.set_option(id, value, cb)
  local task = current
  local params = { taskId = task and task.info.taskId, id = id, value = value }
  daemon.request("clined/config/set", params, options_came(task, cb or nothing))
end

-- No process runs any more: what ran there is interrupted, until another tells more.
local function ended()
  for id, task in pairs(known) do
    if task.state ~= "idle" then note({ taskId = id, event = { type = "state", state = "idle", stopReason = "interrupted" } }) end
  end
  if current and current.state.state ~= "idle" then
    current.state, current.turnId = { state = "idle", stopReason = "interrupted" }, nil
    changed({ what = "state" })
  end
end

daemon.on("clined/task/event", hear)

events.on("DaemonState", function(state)
  if state.kind == "stopped" or state.kind == "failed" then return ended() end
  if state.kind ~= "running" or opening then return end
  -- A new process knows nothing of what is shown here.
  if current then
    M.open(current.info.taskId, function(err)
      if err then require("clined.say").error("the task could not be opened again: " .. err.message, vim.tbl_get(err, "data", "hint")) end
    end)
  else
    M.refresh_options()
  end
end)

return M
