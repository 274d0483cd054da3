--- Makes a task of its events, by the rules of docs/protocol.md: the first sight of an id creates, a later event replaces,
--- what is left out stays, a delta appends.
---
--- Owns these rules and nothing else: it asks nobody, draws nothing, and needs no editor. A task is changed in place, and each
--- function says what it changed. The VS Code extension has the same in src/model/reduce.ts, and both are held to the same cases.
local M = {}

--- What a command prints may be without end: its newest part is kept, in bytes. Each delta copies it; the result tells all that the
--- model was told, and the log file of the command has the rest.
local most_printed = 400000

---@param info clined.TaskInfo
---@return clined.Task
function M.empty(info) return { info = info, items = {}, state = { state = "idle" }, options = {}, more = false, before = 0, seq = 0 } end

-- What changes is nearly always near the end.
---@param items clined.Item[]
---@param id string
---@return integer? at, clined.Item? item
local function find(items, id)
  for i = #items, 1, -1 do
    if items[i].id == id then return i, items[i] end
  end
end
M.find = find

local function place(item, params)
  item.seq, item.ts, item.turnId = params.seq, params.ts, params.turnId
  return item
end

-- The fields of an event over those known; `type` is the event's own.
local function laid_over(item, event)
  for key, value in pairs(event) do
    if key ~= "type" and key ~= "kind" then item[key] = value end
  end
  return item
end

local function printed(before, more)
  local all = (before or "") .. more
  if #all <= most_printed then return all end
  local kept = all:sub(-most_printed / 2)
  return kept:sub((kept:find("\n", 1, true) or 0) + 1)
end

---@param task clined.Task
---@param item clined.Item
---@return clined.Change
local function add(task, item)
  table.insert(task.items, item)
  return { what = "items", op = "add", id = item.id, at = #task.items }
end

---@return clined.Change
local function remove(task, at)
  local item = table.remove(task.items, at)
  return { what = "items", op = "remove", id = item.id, at = at }
end

-- An item of an event that tells it whole; what is discarded is gone.
local function told(task, id, kind, params, event)
  local at, item = find(task.items, id)
  if item and item.kind ~= kind then return end
  if event.status == "discarded" then return at and remove(task, at) or nil end
  if not item then
    item = laid_over({ kind = kind, id = id }, event)
    if event.type == "toolCall" then item.callKind = event.kind end
    return add(task, place(item, params))
  end
  laid_over(item, event)
  if event.type == "toolCall" and event.kind then item.callKind = event.kind end
  place(item, params)
  -- A prompt that waited stands where it is said.
  if kind == "message" and event.role == "user" and event.status == "completed" and at < #task.items then
    table.remove(task.items, at)
    table.insert(task.items, item)
    return { what = "items", op = "move", id = id, at = #task.items }
  end
  return { what = "items", op = "set", id = id, at = at }
end

---@type table<string, fun(task: clined.Task, event: table, params: table): clined.Change?>
local on = {}

function on.message(task, event, params) return told(task, event.messageId, "message", params, event) end

function on.toolCall(task, event, params) return told(task, event.toolCallId, "call", params, event) end

function on.messageDelta(task, event, params)
  local at, item = find(task.items, event.messageId)
  local change
  if not item then
    item = { kind = "message", id = event.messageId, messageId = event.messageId, role = "assistant", content = {}, status = "in_progress" }
    change = add(task, place(item, params))
  elseif item.kind ~= "message" then
    return
  end
  local content, part = item.content, event.partIndex + 1
  -- Parts before the first one that was seen are not known yet: they come with the whole.
  while #content < part do
    table.insert(content, { type = event.kind, text = "" })
    change = change or { what = "items", op = "set", id = item.id, at = at }
  end
  if content[part].type ~= event.kind then
    content[part] = { type = event.kind, text = event.text }
    return change or { what = "items", op = "set", id = item.id, at = at }
  end
  content[part].text = (content[part].text or "") .. event.text
  return change or { what = "items", op = "grow", id = item.id, at = at, grown = { part = part, text = event.text } }
end

function on.toolCallDelta(task, event, params)
  local at, item = find(task.items, event.toolCallId)
  local change
  if not item then
    item = { kind = "call", id = event.toolCallId, toolCallId = event.toolCallId, name = "", status = "in_progress" }
    change = add(task, place(item, params))
  elseif item.kind ~= "call" then
    return
  end
  local grown
  if event.argsText then
    item.args = (item.args or "") .. event.argsText
    grown = { field = "args", text = event.argsText }
  end
  if event.output then
    item.output = printed(item.output, event.output)
    grown = { field = "output", text = event.output }
  end
  return change or { what = "items", op = "grow", id = item.id, at = at, grown = grown }
end

-- This event is whole each time: without `asks` the command waits no more.
function on.terminal(task, event)
  local at, item = find(task.items, event.terminalId)
  if not item or item.kind ~= "call" then return end
  local output = item.terminal and item.terminal.output or ""
  item.terminal = laid_over({ output = output }, event)
  return { what = "items", op = "set", id = item.id, at = at }
end

function on.terminalDelta(task, event)
  local at, item = find(task.items, event.terminalId)
  if not item or item.kind ~= "call" or not item.terminal then return end
  item.terminal.output = printed(item.terminal.output, event.text)
  return { what = "items", op = "grow", id = item.id, at = at, grown = { field = "terminal", text = event.text } }
end

function on.notice(task, event, params)
  local id = "notice:" .. params.seq
  if find(task.items, id) then return end
  return add(task, place(laid_over({ kind = "notice", id = id }, event), params))
end

function on.state(task, event, params)
  task.state = laid_over({}, event)
  task.turnId = event.state ~= "idle" and params.turnId or nil
  return { what = "state" }
end

function on.plan(task, event)
  task.plan = laid_over({}, event)
  return { what = "plan" }
end

function on.usage(task, event)
  task.usage = laid_over({}, event)
  return { what = "usage" }
end

function on.config(task, event)
  task.options = event.options
  return { what = "options" }
end

function on.info(task, event)
  task.info.title = event.title
  return { what = "info" }
end

-- A message that is not known is older than what is, and took all of that along; or it is missing from a record of the whole.
function on.rewind(task, event)
  local at = find(task.items, event.messageId)
  if not at and not task.more then return end
  at = at or 1
  for i = #task.items, at, -1 do
    task.items[i] = nil
  end
  return { what = "items", op = "cut", id = event.messageId, at = at }
end

---@param task clined.Task
---@param params table of `clined/task/event`
---@return clined.Change?
local function reduce(task, params)
  local take = on[params.event.type]
  return take and take(task, params.event, params) -- a type of a newer daemon is skipped
end

--- Takes one event. Events that are known already, or of another task, change nothing.
---@param task clined.Task
---@param params table of `clined/task/event`
---@return clined.Change?
function M.apply(task, params)
  if params.taskId ~= task.info.taskId or params.seq <= task.seq then return end
  local change = reduce(task, params)
  task.seq = params.seq
  return change
end

-- The state event of a turn that was interrupted was never sent: the task itself tells.
local function state_of(task, result)
  local info, state = result.task, task.state
  if info.state == "interrupted" then return { state = "idle", stopReason = "interrupted" } end
  if state.state == "idle" and info.state == "idle" then
    if not state.stopReason then state.stopReason = info.stopReason end
    return state
  end
  if info.state == "requires_action" or #result.pending > 0 then return { state = "requires_action", pending = result.pending } end
  return state.state == info.state and state or { state = info.state }
end

-- What was half written when its process died is in no record, and nobody will finish it.
local function drop_halves(task, result)
  if result.task.state == "running" or result.task.state == "requires_action" then return end
  local said = {}
  for _, params in ipairs(result.events) do
    if params.event.type == "message" then said[params.event.messageId] = true end
  end
  task.items = vim.tbl_filter(
    function(item) return item.kind ~= "message" or item.role ~= "assistant" or item.status ~= "in_progress" or said[item.id] ~= nil end,
    task.items
  )
end

--- The task as an attach tells it. `known` is what the `sinceSeq` of that attach was taken of, `early` are the events that came
--- before its answer.
---@param result table of `clined/task/attach`
---@param known? clined.Task
---@param early? table[]
---@return clined.Task
function M.attached(result, known, early)
  local task = known or M.empty(result.task)
  task.info = result.task
  for _, params in ipairs(result.events) do
    reduce(task, params)
  end
  drop_halves(task, result)
  if not known then
    task.more, task.before = result.more or false, result.before or 0
  end
  task.state = state_of(task, result)
  task.seq = math.max(task.seq, result.seq)
  for _, params in ipairs(early or {}) do
    M.apply(task, params)
  end
  return task
end

--- Whether an answer with `sinceSeq` cannot be joined to what is known, so that the task has to be attached anew.
---@param known clined.Task
---@param result table of `clined/task/attach`
---@return boolean
function M.breaks_off(known, result)
  if result.more then return true end
  if not known.more then return false end
  for _, params in ipairs(result.events) do
    if params.event.type == "rewind" and not find(known.items, params.event.messageId) then return true end
  end
  return false
end

--- Puts the older items of a `clined/task/read` in front; what is known stays where it is.
---@param task clined.Task
---@param result table of `clined/task/read`
---@return clined.Change
function M.prepend(task, result)
  local older, known = M.empty(task.info), {}
  for _, params in ipairs(result.events) do
    reduce(older, params)
  end
  for _, item in ipairs(task.items) do
    known[item.id] = true
  end
  local items = vim.tbl_filter(function(item) return not known[item.id] end, older.items)
  task.items = vim.list_extend(items, task.items)
  task.more, task.before = result.more or false, result.before or 0
  return { what = "all" }
end

return M
