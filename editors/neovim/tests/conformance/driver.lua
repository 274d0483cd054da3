-- A driver of the conformance program: answers each line of standard input with one, and works a Neovim of its own with the plugin
-- in it. `neovim` starts it.
--
-- Owns that Neovim and its folder, which lies beside the workspace. They end with the input, or with this process: a Neovim that is
-- driven over its standard streams ends when they do, and clined with it.
local plugin = assert(vim.uv.fs_realpath(vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, "S").source:sub(2))))))
package.path = plugin .. "/?.lua;" .. package.path
local world = require("tests.harness.world")

local slot = arg[1] or "0.12"

---@type clined.conformance.Front?
local front
local root, harness

local function start(action)
  root = vim.fs.dirname(action.workspace) .. "/neovim"
  world.enter(root, plugin, slot)
  harness = require("tests.harness")
  front = require("tests.conformance.front").open(harness, action)
end

---@param line string
---@return table reply
local function perform(line)
  local action = vim.json.decode(line, { luanil = { object = true } })
  if action.verb == "start" then
    start(action)
    return { ok = true }
  end
  assert(front, "it was not started")
  if action.verb == "state" then return { ok = true, state = front:state(action.after or -1) } end
  local verb = assert(require("tests.conformance.verbs")[action.verb], ("the verb %q is unknown"):format(action.verb))
  verb(front, action)
  return { ok = true }
end

local lines, rest, ended = {}, "", false
vim.fn.stdioopen({
  on_stdin = function(_, data)
    if #data == 1 and data[1] == "" then
      ended = true
      return
    end
    data[1] = rest .. data[1]
    rest = table.remove(data)
    vim.list_extend(lines, data)
  end,
})

while true do
  vim.wait(2 ^ 31 - 1, function() return ended or #lines > 0 end, 5)
  if #lines == 0 then break end
  local ok, reply = xpcall(
    perform,
    function(err) return { ok = false, error = type(err) == "string" and debug.traceback(err) or vim.inspect(err) } end,
    table.remove(lines, 1)
  )
  io.stdout:write(vim.json.encode(reply), "\n")
  io.stdout:flush()
end

local problem = harness and harness.clean_up() or nil
local left = root and world.outlived(root) or nil
for _, what in pairs({ problem, left }) do
  io.stderr:write(what, "\n")
end
os.exit((problem or left) and 1 or 0)
