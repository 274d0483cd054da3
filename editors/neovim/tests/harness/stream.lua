--- Streams events into the chat of this Neovim at a steady pace, while keys are pressed in its input, and measures what each costs.
--- Required before anything of the plugin is, in a Neovim of its own.
---
--- The events go the way of the daemon's from the reading of a pipe on: they are split, decoded, reduced and drawn. A redraw of the
--- screen is a part of each drawing, and of each key.
local told = require("tests.harness.told")

local M = {}

local hrtime = vim.uv.hrtime

-- Milliseconds of CPU time of this process.
local function cpu()
  local used = vim.uv.getrusage()
  return (used.utime.sec + used.stime.sec) * 1e3 + (used.utime.usec + used.stime.usec) / 1e3
end

local rpc = require("clined.daemon.rpc").new({
  write = function() end,
  on_request = function() end,
  on_notification = told.tell,
  on_garbled = function(said) error(said) end,
})

local seq = 1000000
local function event(what)
  seq = seq + 1
  return { taskId = "t1", seq = seq, turnId = "turn1", ts = "2026-05-30T08:00:00.000Z", event = what }
end

---@param what table
local function feed(what) rpc:feed(vim.json.encode({ jsonrpc = "2.0", method = "clined/task/event", params = event(what) }) .. "\n") end

local function sorted(list)
  table.sort(list)
  return list
end

local function middle(list) return list[math.floor(#list / 2) + 1] or 0 end

--- Opens the chat with a task of these events, and begins to write in its input.
---@param events table[]
function M.open(events)
  vim.o.columns, vim.o.lines = 160, 50
  local chat = require("clined.chat")
  chat.open({ enter = false })
  told.open(events, { state = "running" })
  chat.focus_input(true)
end

---@class clined.test.Paced
---@field updates integer
---@field median number milliseconds of its own time that an update takes: a drawing with its redraw, and the events since the one before
---@field worst number
---@field busy number share of the time that Neovim works, in percent
---@field keys integer
---@field key number milliseconds from a key to its sight, the median
---@field slowest number

---@type clined.test.Paced?
M.result = nil

--- Streams for so many milliseconds: `more(i)` gives the ith event.
---@param more fun(i: integer): table
---@param duration integer
function M.run(more, duration)
  local view, class = require("clined.chat.view"), getmetatable(rpc).__index
  local updates, keys, handling = {}, {}, 0
  local flush, take = view.flush, class.take
  function view.flush()
    local began = cpu()
    flush()
    vim.cmd("redraw")
    table.insert(updates, cpu() - began + handling)
    handling = 0
  end
  function class.take(self, line)
    local began = cpu()
    take(self, line)
    handling = handling + cpu() - began
  end
  local due = {} ---@type integer[]
  vim.api.nvim_create_autocmd("TextChangedI", {
    buffer = vim.api.nvim_get_current_buf(),
    callback = function()
      vim.cmd("redraw")
      for _, at in ipairs(due) do
        table.insert(keys, (hrtime() - at) / 1e6)
      end
      due = {}
    end,
  })
  local began, before, told_so_far, pressed = hrtime(), cpu(), 0, 0
  local ticker = assert(vim.uv.new_timer())
  local function over()
    local busy = (cpu() - before) / (hrtime() - began) * 1e8
    sorted(updates)
    sorted(keys)
    M.result = {
      updates = #updates,
      median = middle(updates),
      worst = updates[#updates],
      busy = busy,
      keys = #keys,
      key = middle(keys),
      slowest = keys[#keys],
    }
    view.flush, class.take = flush, take
  end
  -- What is late is made up for, and counts as late: a loop that is not served is what is to be seen.
  ticker:start(1, 5, function()
    local passed = (hrtime() - began) / 1e6
    while told_so_far < passed / 5 and told_so_far < duration / 5 do
      told_so_far = told_so_far + 1
      feed(more(told_so_far))
    end
    while (pressed + 1) * 83 < math.min(passed, duration) do
      pressed = pressed + 1
      table.insert(due, began + pressed * 83 * 1000000)
      vim.api.nvim_input(pressed % 40 == 0 and "<CR>" or "x")
    end
    if passed > duration and #due == 0 then
      ticker:close()
      vim.schedule(over)
    end
  end)
end

return M
