--- JSON-RPC 2.0 with one process, in the protocol's newline framing: a message is a line.
---
--- Owns ids, order and withdrawal. It knows nothing of the product and starts nothing. Everything is told on the main loop, in the
--- order in which it was read.
---
--- Not by vim.lsp.rpc: its handlers never learn the id of a request, so that `$/cancelRequest` of the daemon could not be
--- heeded; a failed `initialize` is thrown at the user; and what the process logs becomes errors in lsp.log.
local M = {}

---@class clined.Rpc.Hooks
---@field write fun(text: string)
---@field before_write? fun() something is about to be said: what has to be told before it is told now
---@field on_request fun(method: string, params: any, reply: fun(result: any, err?: clined.Error)): fun()? returns who is told when it is withdrawn
---@field on_notification fun(method: string, params: any)
---@field on_garbled fun(said: string) what was read is no message: nothing more will be read

---@class clined.Rpc
---@field package hooks clined.Rpc.Hooks
---@field package id integer
---@field package waiting table<integer, fun(err?: clined.Error, result?: any)>
---@field package asked table<any, fun()> open requests of the other side, by id
---@field package begun string[] of a line that is not whole yet
---@field package lines (string|false)[] not looked at yet
---@field package next integer in `lines`
---@field package draining boolean
---@field package closed? clined.Error
local Rpc = {}
Rpc.__index = Rpc

--- Milliseconds of work after which the user's keys come first.
local patience = 8

---@param hooks clined.Rpc.Hooks
---@return clined.Rpc
function M.new(hooks)
  return setmetatable({ hooks = hooks, id = 0, waiting = {}, asked = {}, begun = {}, lines = {}, next = 1, draining = false }, Rpc)
end

-- One part of the plugin that fails neither hinders another nor what comes behind.
local function safely(what, fn, ...)
  local ok, result = xpcall(fn, debug.traceback, ...)
  if ok then return result end
  require("clined.log").error(("%s failed: %s"):format(what, result))
end

-- An empty table is a list for vim.json; params and results are objects.
local function object(value)
  if value == nil or (type(value) == "table" and next(value) == nil) then return vim.empty_dict() end
  return value
end

---@package
function Rpc:send(message)
  if self.closed then return end
  message.jsonrpc = "2.0"
  if self.hooks.before_write then self.hooks.before_write() end
  self.hooks.write(vim.json.encode(message) .. "\n")
end

---@param method string
---@param params? table an empty object within it is vim.empty_dict()
---@param cb fun(err?: clined.Error, result?: any)
---@return fun() cancel `cb` is not called any more
function Rpc:request(method, params, cb)
  if self.closed then
    vim.schedule(function() cb(self.closed) end)
    return function() end
  end
  self.id = self.id + 1
  local id = self.id
  self.waiting[id] = cb
  self:send({ id = id, method = method, params = object(params) })
  local cancelled = false
  return function()
    if cancelled or not self.waiting[id] then return end
    cancelled = true
    self.waiting[id] = function() end
    self:notify("$/cancelRequest", { id = id })
  end
end

---@param method string
---@param params? table
function Rpc:notify(method, params) self:send({ method = method, params = object(params) }) end

--- Without `before_write`, for what that itself tells.
---@param method string
---@param params table
function Rpc:notify_plain(method, params)
  if not self.closed then self.hooks.write(vim.json.encode({ jsonrpc = "2.0", method = method, params = params }) .. "\n") end
end

--- Takes what was read, in a fast context.
---@param chunk string
function Rpc:feed(chunk)
  local from = 1
  while true do
    local at = chunk:find("\n", from, true)
    if not at then break end
    table.insert(self.begun, chunk:sub(from, at - 1))
    table.insert(self.lines, table.concat(self.begun))
    self.begun, from = {}, at + 1
  end
  if from <= #chunk then table.insert(self.begun, chunk:sub(from)) end
  -- What does not begin as a message may never end as a line.
  local first = self.begun[1] and #self.lines < self.next and self.begun[1]:match("^%s*(%S.*)")
  if first and first:sub(1, 1) ~= "{" then table.insert(self.lines, table.concat(self.begun)) end
  self:later()
end

---@package
function Rpc:later()
  if self.draining or self.next > #self.lines then return end
  self.draining = true
  vim.schedule(function()
    self.draining = false
    self:drain()
  end)
end

---@package
function Rpc:drain()
  local began = vim.uv.hrtime()
  while self.next <= #self.lines and not self.closed do
    local line = self.lines[self.next]
    self.lines[self.next] = false
    self.next = self.next + 1
    if line:find("%S") then self:take(line) end
    if vim.uv.hrtime() - began > patience * 1e6 then break end
  end
  if self.next > #self.lines then
    self.lines, self.next = {}, 1
  end
  self:later()
end

---@package
---@param line string
function Rpc:take(line)
  local ok, message = pcall(vim.json.decode, line, { luanil = { object = true, array = true } })
  if not ok or type(message) ~= "table" then return self.hooks.on_garbled(line:sub(1, 200)) end
  if type(message.method) == "string" then
    if message.id ~= nil then return self:asked_for(message) end
    if message.method == "$/cancelRequest" then return self:withdrawn((message.params or {}).id) end
    return safely(message.method, self.hooks.on_notification, message.method, message.params)
  end
  if message.id == nil then
    -- Without an id only an error makes sense: something that was said here could not be read there.
    if not message.error then return self.hooks.on_garbled(line:sub(1, 200)) end
    return require("clined.log").error("the daemon: " .. vim.inspect(message.error))
  end
  local cb = self.waiting[message.id]
  if not cb then return end
  self.waiting[message.id] = nil
  safely("an answer", cb, message.error, message.result)
end

---@package
function Rpc:asked_for(message)
  local id = message.id
  local answered, cancelled = false, nil
  local function reply(result, err)
    if answered then return end
    answered = true
    self.asked[id] = nil
    if err then return self:send({ id = id, error = err }) end
    if result == nil then result = vim.NIL end
    self:send({ id = id, result = object(result) })
  end
  self.asked[id] = function()
    if cancelled then safely("a withdrawal", cancelled) end
    reply(nil, { code = -32800, message = "withdrawn" })
  end
  cancelled = self.hooks.on_request(message.method, message.params, reply)
end

---@package
function Rpc:withdrawn(id)
  local cancel = id ~= nil and self.asked[id]
  if cancel then cancel() end
end

--- The other side is gone: who waits hears `why`, and what it had asked is withdrawn.
---@param why clined.Error
function Rpc:close(why)
  if self.closed then return end
  self.closed = why
  local waiting, asked = self.waiting, self.asked
  self.waiting, self.asked, self.lines, self.next = {}, {}, {}, 1
  for _, cancel in pairs(asked) do
    cancel()
  end
  for _, cb in pairs(waiting) do
    safely("an answer", cb, why)
  end
end

return M
