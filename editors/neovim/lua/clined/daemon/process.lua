--- One process of clined: starts it, keeps the end of what it says on standard error, knows how it ended, and ends it.
---
--- Owns the process and its pipes. What is said on them is in rpc.lua. All callbacks run on the main loop but `on_output`.
---
--- By vim.uv and not by vim.system: that one throws instead of telling why, closes the pipes with the process and so loses its
--- last words (0.10), and always hands $NVIM on.
local M = {}

---@class clined.Process
---@field pid integer
---@field package handle uv.uv_process_t
---@field package stdin uv.uv_pipe_t
---@field gone? clined.Exit
local Process = {}
Process.__index = Process

--- Variables that Neovim sets for itself. A Neovim that a command starts is not this one: it would take the wrong runtime, and
--- $NVIM would hand this editor to whatever the model runs.
local own = { NVIM = true, NVIM_LISTEN_ADDRESS = true, NVIM_LOG_FILE = true, VIM = true, VIMRUNTIME = true, MYVIMRC = true }

---@return string[]
local function environment()
  local list = {}
  for key, value in pairs(vim.fn.environ()) do
    if not own[key] then table.insert(list, key .. "=" .. value) end
  end
  return list
end

local longest = 8000 -- bytes of a line that are kept

---@param pipe uv.uv_pipe_t
---@param take fun(line: string)
---@param closed fun()
local function each_line(pipe, take, closed)
  local begun = ""
  pipe:read_start(function(_, chunk)
    if not chunk then
      if begun ~= "" then take(begun) end
      pipe:close()
      return closed()
    end
    local from = 1
    for line, behind in chunk:gmatch("([^\n]*)\n()") do
      begun, from = (begun .. line):sub(1, longest), behind
      if begun:find("%S") then take((begun:gsub("\r$", ""))) end
      begun = ""
    end
    begun = (begun .. chunk:sub(from)):sub(1, longest) -- of a line without end its beginning is enough
  end)
end

-- What went wrong, as far as a line of slog tells; nil for what did not.
---@param line string
---@return string?
local function complaint(line)
  local level, rest = line:match("level=(%u+)%S* (.*)$")
  if not level then return line end
  if level == "DEBUG" or level == "INFO" then return end
  local message, more = rest:match('^msg="(.-[^\\])" ?(.*)$')
  if not message then
    message, more = rest:match("^msg=(%S*) ?(.*)$")
  end
  if not message then return rest end
  return vim.trim(message:gsub('\\"', '"') .. " " .. more)
end

-- Lines for the log, written together: each costs the opening of a file.
---@type string[]
local unlogged = {}
local most_logged = 500 -- at a time; of a flood the rest is counted
local left_out = 0

---@param line string
local function log(line)
  if #unlogged >= most_logged then
    left_out = left_out + 1
    return
  end
  table.insert(unlogged, line)
  if #unlogged > 1 then return end
  vim.schedule(function()
    if left_out > 0 then table.insert(unlogged, ("… %d lines were left out"):format(left_out)) end
    local text = table.concat(unlogged, "\n")
    unlogged, left_out = {}, 0
    require("clined.log").info("daemon: " .. text)
  end)
end

---@class clined.Process.Options
---@field cmd string[]
---@field cwd string
---@field on_output fun(chunk: string) in a fast context
---@field on_exit fun(exit: clined.Exit) it is gone, and its output was read

---@param o clined.Process.Options
---@return clined.Process? process, string? why, string? code such as ENOENT
function M.start(o)
  local stdin, stdout, stderr = assert(vim.uv.new_pipe()), assert(vim.uv.new_pipe()), assert(vim.uv.new_pipe())
  local self = setmetatable({ stdin = stdin }, Process)
  local last, waiting, exit = nil, 3, nil
  local function part_ended()
    waiting = waiting - 1
    if waiting ~= 0 then return end
    vim.schedule(function()
      self.gone = { code = exit.code, signal = exit.signal, last = last }
      o.on_exit(self.gone)
    end)
  end
  local handle, pid, code = vim.uv.spawn(o.cmd[1], {
    args = vim.list_extend({ unpack(o.cmd, 2) }, { "--stdio" }),
    stdio = { stdin, stdout, stderr },
    cwd = o.cwd,
    env = environment(),
    detached = vim.fn.has("win32") == 0, -- signals of the terminal are not for it
    hide = true,
  }, function(status, signal)
    exit = { code = status, signal = signal }
    self.handle:close()
    if not stdin:is_closing() then stdin:close() end
    part_ended()
    -- A child that it left behind may hold the pipes.
    vim.defer_fn(function()
      for _, pipe in ipairs({ stdout, stderr }) do
        if not pipe:is_closing() then
          pipe:close()
          part_ended()
        end
      end
    end, 500)
  end)
  if not handle then
    for _, pipe in ipairs({ stdin, stdout, stderr }) do
      pipe:close()
    end
    return nil, tostring(pid), tostring(code)
  end
  self.handle, self.pid = handle, pid --[[@as integer]]
  stdout:read_start(function(_, chunk)
    if chunk then return o.on_output(chunk) end
    stdout:close()
    part_ended()
    -- Who closed their output cannot be heard any more, though they may live on.
    vim.defer_fn(function() self:kill("sigterm") end, 1000)
  end)
  each_line(stderr, function(line)
    last = complaint(line) or last
    log(line)
  end, part_ended)
  return self
end

---@param text string
function Process:write(text)
  if not self.stdin:is_closing() then self.stdin:write(text) end
end

---@param signal "sigterm"|"sigkill"
function Process:kill(signal)
  if not self.handle:is_closing() then self.handle:kill(signal) end
end

--- Ends it: by itself within `grace` milliseconds, else by force. `on_exit` tells when it is gone.
---@param grace integer
function Process:finish(grace)
  if grace == 0 then self:kill("sigterm") end
  vim.defer_fn(function()
    self:kill("sigterm")
    vim.defer_fn(function() self:kill("sigkill") end, 1000)
  end, grace)
end

--- Waits for its end, in a Neovim that ends itself: the one place where waiting is right.
---@param grace integer milliseconds
function Process:finish_now(grace)
  local function gone() return self.gone ~= nil or self.handle:is_closing() end
  if vim.wait(grace, gone, 5) then return end
  self:kill("sigterm")
  if vim.wait(500, gone, 5) then return end
  self:kill("sigkill")
  vim.wait(200, gone, 5)
end

return M
