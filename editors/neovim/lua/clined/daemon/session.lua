--- One run of the daemon: a process and what is spoken with it, from `initialize` to its end, whichever side ends it.
---
--- Owns the handshake, and why a run ended. What is said in between is for others to know.
local failure = require("clined.daemon.failure")

local M = {}

--- Versions of the protocol that this plugin speaks.
---@type clined.ProtocolRange
M.protocol = { min = 1, max = 1 }

--- Milliseconds that a process may take: for its first answer, for its end, and for that when Neovim ends, too.
M.limits = { handshake = 20000, stop = 3000, leave = 1500 }

---@class clined.Session
---@field version string
---@field methods string[]
---@field path string
---@field rpc clined.Rpc
---@field package process clined.Process
---@field package stopped boolean
---@field package on_gone? fun()
---@field package problem? clined.Failure
local Session = {}
Session.__index = Session

---@class clined.Session.Options
---@field cmd string[]
---@field cwd string
---@field initialize table the params of `initialize`
---@field on_request fun(method: string, params: any, reply: fun(result: any, err?: clined.Error)): fun()?
---@field on_notification fun(method: string, params: any)
---@field before_write fun()
---@field opened fun(session: clined.Session)
---@field failed fun(why: clined.Failure) it could not begin, or ended though nobody stopped it; no process is left

--- Starts a process and does the handshake.
---@param o clined.Session.Options
---@return clined.Session? session, clined.Failure? why
function M.open(o)
  local path = o.cmd[1]
  ---@type clined.Session
  local self = setmetatable({ path = path, stopped = false, version = "" }, Session)
  self.rpc = require("clined.daemon.rpc").new({
    write = function(text) self.process:write(text) end,
    before_write = o.before_write,
    on_request = o.on_request,
    on_notification = o.on_notification,
    on_garbled = function(said)
      self:misunderstood(
        self.version == "" and failure.garbled(path, vim.trim((said:match("[^\n]*"):gsub("[^\32-\126]+", " "))):sub(1, 80))
          or failure.garbled(path)
      )
    end,
  })
  if not vim.uv.fs_stat(o.cwd) then return nil, failure.no_folder(o.cwd) end
  local process, why, code = require("clined.daemon.process").start({
    cmd = o.cmd,
    cwd = o.cwd,
    on_output = function(chunk) self.rpc:feed(chunk) end,
    on_exit = function(exit) self:ended(exit, o) end,
  })
  if not process then return nil, failure.not_started(path, code or "", why or "") end
  self.process = process
  self:shake_hands(o)
  return self
end

---@package
---@param o clined.Session.Options
function Session:shake_hands(o)
  vim.defer_fn(function()
    if self.version == "" then self:misunderstood(failure.silent(self.path)) end
  end, M.limits.handshake)
  self.rpc:request("initialize", o.initialize, function(err, result)
    if self.stopped or self.problem or self.process.gone then return end
    local own = not err and vim.tbl_get(result or {}, "capabilities", "experimental", "clined")
    if own and own.protocol >= M.protocol.min and own.protocol <= M.protocol.max then
      self.version, self.methods = own.version, own.methods or {}
      self.rpc:notify("initialized")
      return o.opened(self)
    end
    local range = err and vim.tbl_get(err, "data", "protocol")
    if range and range.min and range.max then return self:misunderstood(failure.wrong_protocol(self.path, range, M.protocol)) end
    if err then return self:misunderstood(failure.refused(self.path, err.message, vim.tbl_get(err, "data", "hint"))) end
    local theirs = own and { min = own.protocol, max = own.protocol } or nil
    self:misunderstood(failure.wrong_protocol(self.path, theirs, M.protocol))
  end)
end

--- Ends a process that cannot be spoken with; `failed` tells when it is gone.
---@package
---@param why clined.Failure
function Session:misunderstood(why)
  if self.stopped or self.problem or self.process.gone then return end
  self.problem = why
  self.process:finish(0)
end

---@param path string
---@param exit clined.Exit
local function died_starting(path, exit)
  if require("clined.daemon.machine").is_foreign(path) then return failure.not_started(path, "ENOEXEC", "") end
  return failure.died_starting(path, exit)
end

---@package
---@param exit clined.Exit
---@param o clined.Session.Options
function Session:ended(exit, o)
  local why = self.problem or (self.stopped and failure.stopped())
  why = why or (self.version == "" and died_starting(self.path, exit) or failure.crashed(exit))
  self.rpc:close(why)
  if self.on_gone then self.on_gone() end
  if not self.stopped then o.failed(why) end
end

--- Says `shutdown` and `exit`, and sees that it ends.
---@param cb fun() no process is left
function Session:stop(cb)
  self.stopped = true
  if self.process.gone then return vim.schedule(cb) end
  self.on_gone = cb
  self:farewell()
  self.process:finish(M.limits.stop)
end

--- The same for a Neovim that ends: returns when no process is left.
function Session:leave()
  if self.process.gone then return end
  self.stopped = true
  self:farewell()
  self.process:finish_now(M.limits.leave)
end

---@package
function Session:farewell()
  if self.version == "" then return self.process:kill("sigterm") end
  self.rpc:request("shutdown", nil, function() end)
  self.rpc:notify("exit")
end

return M
