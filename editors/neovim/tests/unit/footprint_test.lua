local t = require("tests.harness")
local told = require("tests.harness.told")
local api = vim.api

vim.o.columns, vim.o.lines = 160, 50
vim.cmd("NoMatchParen") -- it leaves autocommands for a moment that does not come here

-- The timers that are not closed.
local timers = {} ---@type table<uv.uv_timer_t, true>
local class = getmetatable(assert(vim.uv.new_timer())).__index
local new_timer, close = vim.uv.new_timer, class.close
function vim.uv.new_timer()
  local timer = assert(new_timer())
  timers[timer] = true
  return timer
end
function class.close(timer, ...)
  timers[timer] = nil
  return close(timer, ...)
end

local chat = require("clined.chat")
local session = require("clined.task.session")
local view = require("clined.chat.view")

-- What Neovim holds, as counts.
local function held()
  collectgarbage()
  local marks = 0
  for _, buf in ipairs(api.nvim_list_bufs()) do
    marks = marks + (api.nvim_buf_is_loaded(buf) and #api.nvim_buf_get_extmarks(buf, -1, 0, -1, {}) or 0)
  end
  return {
    buffers = #api.nvim_list_bufs(),
    windows = #api.nvim_list_wins(),
    autocommands = #api.nvim_get_autocmds({}),
    namespaces = vim.tbl_count(api.nvim_get_namespaces()),
    marks = marks,
  }
end

-- Waits until nothing of ours is on its way.
local function quiet()
  t.settle()
  t.wait("timers to be closed", function() return next(timers) == nil end)
  t.settle()
end

local function task(i)
  session.put_away()
  told.open({
    told.said("u" .. i, "Do it."),
    told.message("m" .. i, "I **look**.\n\n```lua\nlocal x\n```"),
    told.call("c" .. i),
  })
  view.flush()
  vim.cmd("redraw")
end

t.test("opening, closing and other tasks leave nothing behind", function()
  local function round(i)
    chat.open({ enter = i % 2 == 0 })
    task(i)
    chat.close()
  end
  for i = 1, 3 do
    round(i)
    quiet()
  end
  local before = held()
  for i = 4, 203 do
    round(i)
  end
  quiet()
  t.eq(held(), before)
end)

t.test("buffers that are deleted take all along", function()
  local function round()
    chat.open({})
    task(1)
    vim.cmd("bwipeout! " .. vim.fn.bufnr("clined://chat"))
    t.settle()
  end
  round()
  round()
  quiet()
  local before = held()
  for _ = 1, 50 do
    round()
  end
  quiet()
  t.eq(held(), before)
end)

t.test("what is quiet does nothing", function()
  chat.open({})
  task(1)
  told.event({ type = "state", state = "running" })
  told.event({ type = "messageDelta", messageId = "n", partIndex = 0, kind = "text", text = "word" })
  told.event({ type = "state", state = "idle", stopReason = "completed" })
  t.ok(next(timers), "nothing was to be drawn")
  quiet()
end)
