--- A Neovim of its own, driven over its API.
local M = {}

---@class clined.test.ChildOptions: clined.test.PlaceOptions
---@field place? clined.test.Place one that is there already, for a second Neovim in it
---@field args? string[] further arguments, such as files
---@field config? string Lua that is run as the user's init.lua
---@field env? table<string, string>

---@class clined.test.Child: clined.test.Place
---@field place clined.test.Place
---@field pid integer
---@field private chan integer
---@field private t table
local Child = {}
Child.__index = Child

--- The command line and environment of a Neovim in a place; the plugin is there as a plugin manager would have it.
---@param opts clined.test.ChildOptions
---@param place clined.test.Place
---@return string[] argv, table<string, string> env
function M.command(opts, place)
  local init = vim.fn.tempname() .. ".lua"
  local config = ("vim.opt.runtimepath:prepend(%q)\nvim.g.clined = vim.json.decode(%q)\n%s"):format(
    vim.env.CLINED_TEST_PLUGIN,
    vim.json.encode(place.options):gsub("\n", " "),
    opts.config or ""
  )
  require("tests.harness.place").write(init, config)
  local argv = vim.list_extend({ vim.env.CLINED_TEST_NVIM, "-u", init, "-i", "NONE", "-n" }, opts.args or {})
  return argv,
    vim.tbl_extend("force", vim.fn.environ(), { NVIM = "", NVIM_LOG_FILE = vim.env.CLINED_TEST_ROOT .. "/nvim.log" }, opts.env or {})
end

---@param t table the harness
---@param opts clined.test.ChildOptions
---@return clined.test.Child
function M.start(t, opts)
  local place = opts.place or t.place(opts)
  local argv, env = M.command(opts, place)
  local embedded = vim.list_extend({ argv[1], "--embed", "--headless" }, argv, 2)
  local chan = vim.fn.jobstart(embedded, { rpc = true, cwd = place.work, env = env, clear_env = true })
  assert(chan > 0, "Neovim does not start")
  local child = setmetatable({
    chan = chan,
    t = t,
    place = place,
    pid = vim.fn.jobpid(chan),
    work = place.work,
    model = place.model,
    options = place.options,
  }, Child)
  t.defer(function() child:stop() end)
  child:wait("Neovim to be up", "return vim.v.vim_did_enter == 1")
  child:lua("vim.o.columns, vim.o.lines = 120, 40")
  return child
end

--- Calls a function of its API.
---@param method string such as "nvim_buf_line_count"
function Child:api(method, ...) return vim.rpcrequest(self.chan, method, ...) end

--- Runs Lua in it, with `...` for the arguments, and returns what that returns.
---@param code string
function Child:lua(code, ...) return self:api("nvim_exec_lua", code, { ... }) end

--- Runs an Ex command, and returns what it printed.
---@param command string
---@return string
function Child:cmd(command) return self:api("nvim_exec2", command, { output = true }).output end

--- Presses keys, written as in mappings: "ihello<Esc>". They count as typed.
---@param keys string
function Child:keys(keys)
  local t = self.t
  local left = keys
  while #left > 0 do
    local taken = self:api("nvim_input", left)
    left = left:sub(taken + 1)
    if taken == 0 then t.wait("keys to be read", function() return true end) end
  end
end

--- Waits until Lua in it returns something else than nil and false; returns that.
---@param what string
---@param code string
function Child:wait(what, code, ...)
  local args = { ... }
  return self.t.wait(what, function()
    local value = self:lua(code, unpack(args))
    return value ~= vim.NIL and value
  end)
end

--- Lines of a buffer, by default of the current one.
---@param buf? integer
---@return string[]
function Child:lines(buf) return self:api("nvim_buf_get_lines", buf or 0, 0, -1, false) end

--- Its messages so far.
---@return string
function Child:messages() return self:cmd("messages") end

--- Kills it, as the system would: it can do nothing more.
function Child:kill()
  vim.uv.kill(self.pid, "sigkill")
  vim.fn.jobwait({ self.chan }, self.t.limit)
  self.chan = 0
end

--- Ends it as `:qall!` does, and fails when it reported an error that no test asked about.
function Child:stop()
  if self.chan == 0 or vim.fn.jobwait({ self.chan }, 0)[1] ~= -1 then return end
  local messages = self:messages()
  pcall(vim.rpcnotify, self.chan, "nvim_command", "qall!")
  local ended = vim.fn.jobwait({ self.chan }, 10000)[1] ~= -1
  if not ended then vim.uv.kill(self.pid, "sigkill") end
  self.chan = 0
  if not ended then error("Neovim did not end by :qall!", 0) end
  local problem = require("tests.harness.errors").find(messages)
  if problem then error("Neovim reported: " .. problem, 0) end
end

return M
