--- A daemon that says what a test has it say, in place of the real one: for tests of what is drawn and asked. Required before
--- anything of the plugin is.
local M = {}

---@type table<string, fun(params: any)[]>
local listeners = {}

--- Requests so far, as { method, params }, the oldest first.
---@type { method: string, params: any, cb: fun(err?: table, result?: any) }[]
M.asked = {}

--- Answers by method: a function that returns result and error, or calls neither and is asked about by `M.asked`.
---@type table<string, fun(params: any): any, table?>
M.answers = {
  ["clined/config/get"] = function()
    return { options = { { id = "mode", name = "Mode", value = "act" }, { id = "model", name = "Model", value = "m1" } } }
  end,
  ["clined/setup/status"] = function() return { configured = true, provider = "openai", model = "m1" } end,
  ["clined/approval/list"] = function() return { approvals = {}, asks = {} } end,
}

local daemon = {}

function daemon.state() return { kind = "running" } end

function daemon.ready(cb) cb() end

function daemon.request(method, params, cb)
  table.insert(M.asked, { method = method, params = params, cb = cb })
  local answer = M.answers[method]
  if answer then
    local result, err = answer(params)
    cb(err, result)
  end
  return function() end
end

function daemon.notify() end

function daemon.handle(method, handler) listeners[method] = { handler } end

function daemon.on(method, listener)
  listeners[method] = listeners[method] or {}
  table.insert(listeners[method], listener)
  return function() end
end

function daemon.on_running() end

function daemon.encoding() return "utf-8" end

package.loaded["clined.daemon"] = daemon

--- Says something to the plugin, as the daemon would.
---@param method string
function M.tell(method, params, ...)
  for _, listener in ipairs(listeners[method] or {}) do
    listener(params, ...)
  end
end

local seq = 0

--- An event of the task "t1".
---@param event table
---@param turn? string
function M.event(event, turn)
  seq = seq + 1
  M.tell("clined/task/event", { taskId = "t1", seq = seq, turnId = turn or "turn1", ts = "2026-05-30T08:00:00.000Z", event = event })
end

--- Has the task "t1" opened, with these events.
---@param events? table[]
---@param more? table over the task's info
function M.open(events, more)
  local list = {}
  for _, event in ipairs(events or {}) do
    seq = seq + 1
    table.insert(list, { taskId = "t1", seq = seq, turnId = "turn1", ts = "2026-05-30T08:00:00.000Z", event = event })
  end
  local info =
    { taskId = "t1", title = "A task", cwd = vim.fn.getcwd(), roots = {}, created = "", updated = "", state = "idle", messages = 1 }
  M.answers["clined/task/attach"] = function()
    return {
      task = vim.tbl_extend("force", info, more or {}),
      events = list,
      seq = seq,
      pending = {},
      more = more and more.more,
      before = more and more.before,
    }
  end
  require("clined.task.session").open("t1")
end

--- A message of the assistant's, or of the user's.
function M.message(id, text, over)
  return vim.tbl_extend(
    "force",
    { type = "message", messageId = id, role = "assistant", content = { { type = "text", text = text } }, status = "completed" },
    over or {}
  )
end

function M.said(id, text, over) return M.message(id, text, vim.tbl_extend("force", { role = "user" }, over or {})) end

function M.call(id, over)
  return vim.tbl_extend("force", {
    type = "toolCall",
    toolCallId = id,
    name = "read_file",
    kind = "read",
    title = "Read a.go",
    status = "completed",
    args = '{"path":"a.go"}',
    output = "a.go, 3 lines\n1 | x\n2 | y\n3 | z",
  }, over or {})
end

return M
