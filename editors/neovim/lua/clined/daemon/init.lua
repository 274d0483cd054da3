--- The daemon of this Neovim, as the rest of the plugin sees it: requests, notifications, and whether it runs.
---
--- Owns at most one process, started when first needed and never again by itself once it failed. What was registered outlives
--- processes. Knows no windows, no chats, no diffs.
local M = {}

---@class clined.DaemonState
---@field kind "stopped"|"starting"|"running"|"failed"
---@field version? string of a daemon that runs
---@field methods? string[] that it answers
---@field problem? string of one that failed, in words
---@field hint? string what to do about it

---@alias clined.Reply fun(result?: table) answers, once; nil is no decision
---@alias clined.Handler fun(params: any, reply: clined.Reply): (fun())? what it returns is called when the daemon withdraws
---@alias clined.Callback fun(err?: clined.Error, result?: any)
---@alias clined.Request fun(method: string, params: table?, cb: clined.Callback): fun()

---@type clined.DaemonState
local state = { kind = "stopped" }
---@type clined.Session?
local session
---@type clined.Failure?
local problem
---@type fun(err?: clined.Failure)[]
local waiting = {}
---@type fun()[]?
local stopping

---@type table<string, clined.Handler>
local handlers = {}
---@type table<string, fun(params: any)[]>
local listeners = {}
---@type (fun(request: clined.Request, done: fun()))[]
local hooks = {}

--- How long the hooks of on_running may take together, in milliseconds.
local patience = 3000

local function documents() return require("clined.daemon.documents") end

---@param new clined.DaemonState
local function become(new)
  state = new
  require("clined.events").tell("DaemonState", vim.deepcopy(new))
end

---@param err? clined.Failure
local function answer_waiting(err)
  local list = waiting
  waiting = {}
  for _, cb in ipairs(list) do
    local ok, why = xpcall(cb, debug.traceback, err)
    if not ok then require("clined.log").error(why) end
  end
end

---@param why clined.Failure
local function failed(why)
  local was = state.kind
  session, problem = nil, why
  documents().stop()
  require("clined.log").error(why.message)
  become({ kind = "failed", problem = why.message, hint = why.data.hint })
  -- Whoever waited for it to start shows it; one that ran is missed by nobody else.
  if was == "running" then require("clined.say").error(why.message, why.data.hint) end
  answer_waiting(why)
end

---@param new clined.Session
local function introduced(new)
  if session ~= new or state.kind ~= "starting" then return end
  documents().start(function(method, params) new.rpc:notify_plain(method, params) end)
  require("clined.daemon.workspace").follow(new)
  require("clined.log").info(("clined %s runs: %s"):format(new.version, new.path))
  become({ kind = "running", version = new.version, methods = new.methods })
  answer_waiting()
end

-- Each hook may ask the new process what nobody else may ask before.
---@param new clined.Session
local function introduce(new)
  local left, over = #hooks, false
  local function done()
    left = left - 1
    if left > 0 or over then return end
    over = true
    introduced(new)
  end
  if left == 0 then return introduced(new) end
  vim.defer_fn(function()
    if over then return end
    left = 0
    done()
  end, patience)
  local function request(method, params, cb) return new.rpc:request(method, params, cb) end
  for _, hook in ipairs(hooks) do
    local called = false
    local function once()
      if called then return end
      called = true
      done()
    end
    local ok, why = xpcall(hook, debug.traceback, request, once)
    if not ok then
      require("clined.log").error(why)
      once()
    end
  end
end

---@param method string
---@param params any
---@param reply fun(result: any, err?: clined.Error)
---@return fun()?
local function asked(method, params, reply)
  local handler = handlers[method]
  if not handler then return reply(nil) end
  local ok, result = xpcall(handler, debug.traceback, params, function(answer) reply(answer) end)
  if ok then return result end
  require("clined.log").error(("%s failed: %s"):format(method, result))
  reply(nil, { code = -32603, message = "the editor failed: " .. tostring(result):match("[^\n]*") })
end

---@param method string
---@param params any
local function told(method, params)
  for _, listener in ipairs(listeners[method] or {}) do
    local ok, why = xpcall(listener, debug.traceback, params)
    if not ok then require("clined.log").error(("%s failed: %s"):format(method, why)) end
  end
end

local function start()
  require("clined.daemon.parts").load()
  local found, why = require("clined.daemon.find").program(require("clined.config").get().bin)
  if not found then return failed(assert(why)) end
  local workspace = require("clined.daemon.workspace")
  local opened
  session, why = require("clined.daemon.session").open({
    cmd = found.cmd,
    cwd = workspace.start(),
    initialize = require("clined.daemon.initialize").params(handlers),
    on_request = asked,
    on_notification = told,
    before_write = function() documents().flush() end,
    opened = introduce,
    failed = function(err)
      if session == opened then failed(err) end
    end,
  })
  opened = session
  if why then failed(why) end
end

-- What is wrong in the editor, such as settings that are no JSON, must not leave it starting for ever.
local function begin()
  become({ kind = "starting" })
  local ok, err = xpcall(start, debug.traceback)
  if ok or state.kind ~= "starting" then return end
  require("clined.log").error(err)
  failed(require("clined.daemon.failure").broken(err:match("[^\n]*")))
end

--- What the daemon does now.
---@return clined.DaemonState
function M.state() return state end

--- Starts it where none runs; `cb` hears when it can be asked, or why not. One that failed is started by `restart` alone.
---@param cb fun(err?: clined.Failure)
function M.ready(cb)
  if state.kind == "running" and not stopping then return cb() end
  if state.kind == "failed" and not stopping then return cb(problem) end
  table.insert(waiting, cb)
  if state.kind == "stopped" and not stopping then begin() end
end

--- Asks the daemon, starting it where none runs. `cb` runs on the main loop; after `cancel` it is not called any more.
---@param method string
---@param params? table an empty object within it is vim.empty_dict()
---@param cb clined.Callback
---@return fun() cancel
function M.request(method, params, cb)
  local cancelled, cancel = false, nil
  M.ready(function(err)
    if cancelled then return end
    if err or not session then return cb(err or require("clined.daemon.failure").stopped()) end
    require("clined.daemon.settings").tell(session)
    cancel = session.rpc:request(method, params, cb)
  end)
  return function()
    cancelled = true
    if cancel then cancel() end
  end
end

--- Tells the daemon; dropped while none runs.
---@param method string
---@param params table
function M.notify(method, params)
  if state.kind == "running" and session then session.rpc:notify(method, params) end
end

--- Answers the daemon's requests of one method, over restarts too. What a daemon is told that the editor can do goes by what is
--- handled when it starts.
---@param method string
---@param handler clined.Handler
function M.handle(method, handler) handlers[method] = handler end

--- Hears the daemon's notifications of one method, over restarts too, in the order sent.
---@param method string
---@param listener fun(params: any)
---@return fun() off
function M.on(method, listener)
  local own = function(params) listener(params) end
  listeners[method] = listeners[method] or {}
  table.insert(listeners[method], own)
  return function()
    listeners[method] = vim.tbl_filter(function(l) return l ~= own end, listeners[method])
  end
end

--- Prepares each process that has just begun, before anybody else asks it something; `done` says that it may go on.
---@param hook fun(request: clined.Request, done: fun())
function M.on_running(hook) table.insert(hooks, hook) end

-- With `for_next` whoever waits for the process that is ended waits for the next one.
---@param for_next boolean
---@param cb fun()
local function halt(for_next, cb)
  if not for_next then answer_waiting(require("clined.daemon.failure").stopped()) end
  if stopping then return table.insert(stopping, cb) end
  if not session then
    if state.kind ~= "stopped" then become({ kind = "stopped" }) end
    return cb()
  end
  stopping = { cb }
  documents().stop()
  session:stop(function()
    local list = stopping or {}
    stopping, session = nil, nil
    become({ kind = "stopped" })
    for _, each in ipairs(list) do
      each()
    end
    if #waiting > 0 and state.kind == "stopped" then begin() end -- asked meanwhile: that is for the next one
  end)
end

--- Ends it, if one runs; what ran can be resumed.
---@param cb? fun()
function M.stop(cb)
  halt(false, cb or function() end)
end

--- Ends it, if one runs, and starts another, with vim.g.clined as it is now.
---@param cb? fun(err?: clined.Failure)
function M.restart(cb)
  halt(true, function()
    require("clined.config").reload()
    M.ready(cb or function() end)
  end)
end

--- Takes vim.g.clined as it is now, and tells a daemon that runs where its settings are others. One that failed may start again:
--- it may have been named anew.
function M.reload()
  require("clined.config").reload()
  if state.kind == "running" and session and not stopping then require("clined.daemon.settings").tell(session) end
  if state.kind == "failed" then become({ kind = "stopped" }) end
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  group = vim.api.nvim_create_augroup("clined_daemon", { clear = true }),
  callback = function()
    if session then session:leave() end
  end,
})

return M
