--- Connecting a model: what is set up, what is found, and keeping the user's choice.
---
--- Owns no questions (setup/ask.lua asks them) and talks to no network: the daemon does. A choice is kept in the user's own
--- settings file, so that it holds for every editor and the terminal; a key goes to the daemon, which keeps it in the system's
--- keyring. Nothing here logs, shows or remembers a key.
local daemon = require("clined.daemon")
local events = require("clined.events")

local M = {}

---@class clined.Choice
---@field provider string
---@field baseUrl string
---@field model string
---@field secret? string an API key that was typed

---@type clined.protocol.SetupStatus?
local last

---@param status? clined.protocol.SetupStatus
local function became(status)
  last = status
  events.tell("Setup", status or {})
end

--- What is known of it; nil before it was asked for in this run of the daemon. The event "Setup" tells each answer.
---@return clined.protocol.SetupStatus?
function M.known() return last end

---@param cb fun(err?: clined.Error, status?: clined.protocol.SetupStatus)
local function keep(cb)
  return function(err, status)
    if not err then became(status) end
    cb(err, status)
  end
end

local function nothing() end

--- Whether a turn could start, by the settings and keys as they are now.
---@param cb? fun(err?: clined.Error, status?: clined.protocol.SetupStatus)
function M.status(cb) daemon.request("clined/setup/status", {}, keep(cb or nothing)) end

--- The model servers on this machine.
---@param cb fun(err?: clined.Error, servers?: clined.protocol.FoundServer[])
function M.discover(cb)
  daemon.request("clined/setup/discover", {}, function(err, result) cb(err, result and result.servers) end)
end

--- Has the scripted model answer, which needs no key; or, with `stop`, no more.
---@param stop? boolean
---@param cb? fun(err?: clined.Error, status?: clined.protocol.SetupStatus)
function M.demo(stop, cb) daemon.request("clined/setup/demo", { stop = stop or nil }, keep(cb or nothing)) end

--- What an endpoint offers; what went wrong is a `problem` with a `hint`.
---@param place clined.protocol.ModelListParams
---@param cb fun(err?: clined.Error, result?: clined.protocol.ModelListResult)
function M.models(place, cb) daemon.request("clined/model/list", place, cb) end

-- The settings file is changed by the program itself, which keeps its comments and order; one key after the other.
---@param found clined.Found
---@param changes string[][]
---@param cb fun(problem?: string)
local function write(found, changes, cb)
  local change = table.remove(changes, 1)
  if not change then return cb() end
  local cmd = vim.list_extend(vim.list_extend({}, found.cmd), vim.list_extend({ "config" }, change))
  vim.system(
    cmd,
    { text = true },
    vim.schedule_wrap(function(ended)
      if ended.code == 0 then return write(found, changes, cb) end
      cb(vim.trim(ended.stderr ~= "" and ended.stderr or ("clined config ended with code " .. ended.code)):gsub("^clined: ", ""))
    end)
  )
end

---@param choice clined.Choice
---@param before? clined.protocol.SetupStatus
---@param cb fun(problem?: string)
local function write_choice(choice, before, cb)
  local found, why = require("clined.daemon.find").program(require("clined.config").get().bin)
  if not found then return cb(assert(why).message) end
  local function set(key, value, default) return value == default and { "unset", key } or { "set", key, value } end
  local changes = {
    set("provider", choice.provider, "openai"),
    set("baseUrl", choice.baseUrl, ""),
    set("model", choice.model),
  }
  -- "keyring" names the key of this place, so that one of the environment does not come before what the user typed. Where none was
  -- typed, what the settings say of the same place stays.
  local same = before and before.provider == choice.provider and before.baseUrl == choice.baseUrl
  if choice.secret or not same then table.insert(changes, set("apiKey", choice.secret and "keyring" or "", "")) end
  write(found, changes, cb)
end

-- Says so when a turn would talk to something else than what was just chosen.
---@param status clined.protocol.SetupStatus
---@param choice clined.Choice
---@return string?
local function overruled(status, choice)
  if not status.configured then return ("%s; hint: %s"):format(status.problem or "a turn could not start yet", status.hint or "") end
  if status.model == choice.model and (status.baseUrl or "") == choice.baseUrl then return end
  return ("saved, but other settings come first: tasks use %s at %s; hint: look at vim.g.clined.settings, plan and act in your settings, and CLINED_ variables"):format(
    status.model or "another model",
    status.baseUrl or status.provider
  )
end

--- Keeps a choice: the key with the daemon, the rest in the user's settings.
---@param choice clined.Choice
---@param cb fun(problem?: string, note?: string) a note is for the user, though it was saved
function M.choose(choice, cb)
  local function saved(problem)
    if problem then return cb(problem) end
    M.demo(true, function(err, status)
      if err or not status then return cb(err and err.message) end
      cb(nil, overruled(status, choice))
    end)
  end
  local before = last
  if not choice.secret then return write_choice(choice, before, saved) end
  local account = { provider = choice.provider, baseUrl = choice.baseUrl, secret = choice.secret }
  daemon.request("clined/account/login", account, function(err)
    if err then return cb(err.message) end
    write_choice(choice, before, saved)
  end)
end

--- Asks the user for a model, step by step.
---@param cb? fun(done: boolean)
function M.run(cb) require("clined.setup.ask").run(cb or nothing) end

-- While it is asked which model, nobody else asks.
local asking = false

--- For what needs a model: where none is set up, one is connected first.
---@param go fun() a turn can start, or the daemon tells why not
---@param left fun() the user left it, and nothing was said
function M.before(go, left)
  local function look(err, status)
    if err or status.configured then return go() end
    if asking then return left() end
    asking = true
    M.run(function(done)
      asking = false
      if done then
        go()
      else
        left()
      end
    end)
  end
  if last and last.configured then return go() end
  M.status(look)
end

events.on("DaemonState", function(state)
  if state.kind == "running" then return M.status() end
  if last then became(nil) end
end)

return M
