--- The chat: a transcript that one reads and an input that one writes in.
---
--- Owns both buffers. They are made when first needed and stay while the chat is closed.
local events = require("clined.events")
local input = require("clined.chat.input")
local keys = require("clined.keys")
local say = require("clined.say")
local view = require("clined.chat.view")
local window = require("clined.chat.window")

local api = vim.api
local M = {}

---@type clined.chat.Buffers?
local buffers
local group ---@type integer

-- A session file brings a buffer of that name back, empty: it is taken.
---@param name string
---@param filetype string
local function make(name, filetype)
  local buf = vim.fn.bufnr("^" .. name .. "$")
  if buf < 0 then
    buf = api.nvim_create_buf(false, true)
    api.nvim_buf_set_name(buf, name)
  end
  local bo = vim.bo[buf]
  bo.buftype, bo.bufhidden, bo.swapfile, bo.buflisted, bo.modeline = "nofile", "hide", false, false, false
  bo.modifiable, bo.undolevels = filetype ~= "clined", filetype == "clined" and -1 or bo.undolevels
  -- What wraps of an item of a list stands below its text.
  bo.formatlistpat = [[^\s*\%([-*+]\|\d\+[.)]\)\s\+]]
  bo.filetype = filetype
  return buf
end

local function stop()
  view.stop()
  input.stop()
  api.nvim_del_augroup_by_id(group)
  for _, buf in pairs(buffers or {}) do
    vim.schedule(function() pcall(api.nvim_buf_delete, buf, { force = true }) end)
  end
  if buffers then require("clined.chat.markdown").stop(buffers.chat) end
  buffers = nil
end

-- Each window that shows one of the buffers is dressed for it, whoever opened it.
local function watch(own)
  api.nvim_create_autocmd("BufWinEnter", {
    group = group,
    buffer = own.chat,
    callback = function()
      window.dress(api.nvim_get_current_win(), "chat")
      view.shown(api.nvim_get_current_win())
    end,
  })
  api.nvim_create_autocmd("BufWinEnter", {
    group = group,
    buffer = own.input,
    callback = function() window.dress(api.nvim_get_current_win(), "input") end,
  })
  api.nvim_create_autocmd("WinScrolled", {
    group = group,
    callback = function()
      for win in pairs(vim.v.event) do
        win = tonumber(win)
        if win and api.nvim_win_is_valid(win) and api.nvim_win_get_buf(win) == own.chat then return view.scrolled() end
      end
    end,
  })
  api.nvim_create_autocmd("TabEnter", { group = group, callback = function() vim.schedule(view.seen) end })
  api.nvim_create_autocmd("WinResized", { group = group, callback = function() view.seen() end })
  for _, buf in pairs(own) do
    api.nvim_create_autocmd("BufUnload", {
      group = group,
      buffer = buf,
      callback = function()
        if buffers == own then stop() end
      end,
    })
  end
  window.pair(own, group)
end

---@return clined.chat.Buffers
local function ensure()
  if buffers then return buffers end
  require("clined.highlight").setup()
  group = api.nvim_create_augroup("clined.chat", { clear = true })
  local own = { chat = make("clined://chat", "clined"), input = make("clined://input", "clined-input") }
  buffers = own
  watch(own)
  keys.attach(own.chat, "chat", require("clined.chat.actions"))
  view.start(own.chat)
  input.start(own.input, group)
  return own
end

local endings =
  { completed = "is done", plan_presented = "has a plan", error = "failed", needs_user = "needs you", interrupted = "was interrupted" }

-- Who does not see a task hears that its turn ended; who stopped it knows.
events.on("TurnEnd", function(turn)
  local words = endings[turn.stopReason]
  local seen = M.is_visible() and require("clined.task.session").task_id() == turn.taskId
  if not words or seen or not require("clined.config").get().notify then return end
  local title = require("clined.chat.visible").line(turn.title ~= "" and turn.title or "the task", 80)
  if turn.stopReason == "error" then return say.error(("%q %s: %s"):format(title, words, turn.message or ""), turn.hint) end
  say.info(("%q %s"):format(title, words))
end)

--- Shows the chat. With `enter` (the default) the cursor goes to the input; `text` is put behind what is written there.
---@param opts? { enter?: boolean, text?: string }
function M.open(opts)
  opts = opts or {}
  -- Windows of a session file are there before their buffers are ours.
  local adopted = not buffers
  local own = ensure()
  local there = adopted and window.of(own.chat)
  local chat, write = window.open(own)
  if there then
    window.dress(chat, "chat")
    window.dress(write, "input")
    view.shown(chat)
  end
  view.seen()
  if opts.text and opts.text ~= "" then
    input.add(opts.text)
  else
    input.changed()
  end
  if opts.enter ~= false then M.focus_input() end
  require("clined.daemon").ready(function(err)
    if err then return end
    require("clined.setup").status()
    require("clined.chat.offer").look(view.head_changed)
  end)
end

--- Takes the chat away from the current tab page; what runs goes on.
function M.close()
  if buffers then window.close(buffers) end
end

--- Whether a window of the current tab page shows it.
---@return boolean
function M.is_visible() return buffers ~= nil and window.of(buffers.chat) ~= nil end

--- What is written and not said yet.
---@return string
function M.input_text() return input.text() end

---@param text string
function M.set_input(text)
  ensure()
  input.set(text)
end

--- Goes to the input; with `insert` to go on writing.
---@param insert? boolean
function M.focus_input(insert)
  local own = ensure()
  if not (window.of(own.chat) and window.of(own.input)) then M.open({ enter = false }) end
  api.nvim_set_current_win(window.of(own.input) --[[@as integer]])
  if insert then vim.cmd("startinsert!") end
end

--- Says a text to the task, or in a new one; what cannot be said is in the input.
---@param text string
function M.say(text)
  ensure()
  input.say(text)
end

--- The windows of the chat follow what comes.
function M.scroll_to_end() view.to_end() end

return M
