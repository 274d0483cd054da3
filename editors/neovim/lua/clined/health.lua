--- `:checkhealth clined`: what is there, what is missing, and what to do about each.
---
--- Owns the questions. It waits for the programs that it asks, as a health check may.
local M = {}

local health = vim.health

--- The oldest Neovim that is promised.
local oldest = "0.10"

local function neovim()
  local version = tostring(vim.version())
  if vim.fn.has("nvim-" .. oldest) == 1 then
    health.ok("Neovim " .. version)
  else
    health.error(("Neovim %s is too old"):format(version), "install Neovim " .. oldest .. " or newer")
  end
  for _, name in ipairs({ "markdown", "markdown_inline", "diff" }) do
    if pcall(vim.treesitter.language.inspect, name) then
      health.ok(("the treesitter parser for %s is there"):format(name))
    elseif name == "diff" then
      health.info("there is no treesitter parser for diff: differences are coloured by clined itself")
    else
      health.warn(
        ("there is no treesitter parser for %s: the chat is coloured by syntax"):format(name),
        "Neovim's own packages bring it; with nvim-treesitter: :TSInstall " .. name
      )
    end
  end
end

local function options()
  local _, problems = require("clined.config").check(vim.g.clined)
  for _, problem in ipairs(problems) do
    health.error("vim.g.clined: " .. problem, "the default holds in its place; see :help clined-options")
  end
  if #problems == 0 then health.ok(vim.g.clined == nil and "vim.g.clined is not set: all defaults" or "vim.g.clined is sound") end
end

-- Servers that are asked may be slow.
local limit = 20000

---@param cmd string[]
---@param env? table<string, string>
---@return vim.SystemCompleted?
local function ask(cmd, env)
  local ok, result = pcall(function() return vim.system(cmd, { text = true, timeout = limit, env = env }):wait() end)
  return ok and result or nil
end

---@return string[]? cmd of a program that fits
local function program()
  local found, why = require("clined.daemon.find").program(require("clined.config").get().bin)
  if not found then
    health.error(assert(why).message, why.data.hint)
    return
  end
  local path = table.concat(found.cmd, " ")
  local said = ask(vim.list_extend(vim.list_extend({}, found.cmd), { "version", "--json" }))
  local ok, version = pcall(vim.json.decode, said and said.stdout or "")
  if not ok or type(version) ~= "table" or type(version.protocol) ~= "table" then
    health.error(path .. " is no clined, or it could not be run", {
      said and said.stderr ~= "" and ("it said: " .. vim.trim(said.stderr):sub(1, 200)) or "it said nothing that could be understood",
      "name another program in vim.g.clined.bin, or leave it out",
    })
    return
  end
  health.ok(("clined %s, from %s: %s"):format(version.version, found.from, path))
  local ours, theirs = require("clined.daemon.session").protocol, version.protocol
  if theirs.max < ours.min or theirs.min > ours.max then
    local mismatch = require("clined.daemon.failure").wrong_protocol(path, theirs, ours)
    health.error(mismatch.message, mismatch.data.hint)
    return
  end
  health.ok(("it and this plugin speak version %d of the protocol"):format(math.min(theirs.max, ours.max)))
  return found.cmd
end

-- The daemon as it is; a health check starts none.
local function daemon()
  local loaded = package.loaded["clined.daemon"]
  local state = loaded and loaded.state() or { kind = "stopped" }
  if state.kind == "failed" then
    health.error(state.problem or "", state.hint)
  elseif state.kind == "running" then
    health.ok("it runs")
  else
    health.info("it does not run now: it starts when it is first needed")
  end
end

-- The settings of vim.g.clined as variables of the environment, the one way in which a program that is no daemon takes them.
---@return table<string, string>
local function environment()
  local defaults = require("clined.settings")
  local env = {}
  local function put(key, value)
    local name = "CLINED_" .. key:gsub("%u", "_%0"):gsub("%.", "_"):upper()
    if vim.env[name] == nil then env[name] = type(value) == "table" and vim.json.encode(value) or tostring(value) end
  end
  for key, value in pairs(require("clined.config").get().settings or {}) do
    local group = type(value) == "table" and not vim.islist(value) and key ~= "prices" and type(defaults[key]) == "table"
    if group then
      for name, each in pairs(value) do
        put(key .. "." .. name, each)
      end
    else
      put(key, value)
    end
  end
  return env
end

-- What `clined doctor` finds: settings, model, keys, MCP servers, tasks, shell, sandbox.
---@param cmd string[]
local function doctor(cmd)
  local said = ask(vim.list_extend(vim.list_extend({}, cmd), { "doctor", "--json" }), environment())
  local ok, found = pcall(vim.json.decode, said and said.stdout or "")
  if not ok or type(found) ~= "table" or type(found.checks) ~= "table" then
    health.warn("clined doctor gave no answer", "run it in a terminal: " .. table.concat(cmd, " ") .. " doctor")
    return
  end
  for _, check in ipairs(found.checks) do
    local text = ("%s: %s"):format(check.name, check.text)
    if check.state == "error" then
      health.error(text, check.hint)
    elseif check.state == "warning" then
      health.warn(text, check.hint)
    else
      health.ok(check.hint and ("%s (%s)"):format(text, check.hint) or text)
    end
  end
end

local function programs()
  if vim.fn.executable("git") == 1 then
    health.ok("git is on PATH")
  else
    health.warn("git is not on PATH", "install it: the model is told of branches and changes")
  end
  if vim.fn.executable("rg") == 1 then
    health.ok("rg is on PATH")
  else
    health.info("rg is not on PATH: clined does not need it, but commands that the model runs may")
  end
end

function M.check()
  health.start("clined: Neovim")
  neovim()
  options()
  health.start("clined: the program")
  local cmd = program()
  daemon()
  if cmd then
    health.start("clined: the model and its surroundings")
    doctor(cmd)
  end
  health.start("clined: other programs")
  programs()
  health.info("log of the plugin: " .. require("clined.log").path())
end

return M
