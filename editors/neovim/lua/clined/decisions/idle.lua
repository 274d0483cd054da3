--- Whether the user is at something just now: then no window takes the place of theirs.
---
--- Owns when it was that they pressed a key, and who waits for them to pause. Opens nothing.
local M = {}

--- Milliseconds without a key after which a window may open.
M.pause = 500

---@type integer?
local listening
local last = 0
---@type fun()[]
local waiting = {}
local timer

local function listen()
  if listening then return end
  listening = vim.on_key(function() last = vim.uv.now() end, vim.api.nvim_create_namespace("clined.idle"))
end

--- Whether keys that are pressed now would do in a window of ours what they were not meant for.
---@return boolean
function M.busy()
  listen()
  local mode = vim.api.nvim_get_mode()
  if mode.blocking or mode.mode ~= "n" or vim.fn.getcmdwintype() ~= "" or vim.fn.reg_recording() ~= "" then return true end
  if vim.api.nvim_win_get_config(0).relative ~= "" then return true end -- a picker, or the like
  return vim.uv.now() - last < M.pause
end

local function look()
  if #waiting == 0 then return timer:stop() end
  if M.busy() then return end
  timer:stop()
  local list = waiting
  waiting = {}
  for _, fn in ipairs(list) do
    local ok, err = xpcall(fn, debug.traceback)
    if not ok then require("clined.log").error("what waited for a pause failed: " .. err) end
  end
end

--- Calls back once the user pauses in normal mode: at once if they do.
---@param fn fun()
function M.when(fn)
  if not M.busy() then return fn() end
  table.insert(waiting, fn)
  timer = timer or assert(vim.uv.new_timer())
  timer:start(100, 100, vim.schedule_wrap(look))
end

--- Begins to hear keys.
function M.attach() listen() end

return M
