--- The buffer in which one writes to clined: what it is for now, its history, its height.
---
--- Owns its text and purpose. Usually it says something to the task; for a while it may be for another thing (why something is
--- refused, an answer, a message that is changed, words for a command that waits), and what was written stays until that is done.
local session = require("clined.task.session")
local visible = require("clined.chat.visible")

local api = vim.api
local M = {}

local ns = api.nvim_create_namespace("clined.input")

---@class clined.chat.Purpose
---@field title string what it is for: "Refuse: why?"
---@field text? string what it begins with
---@field empty? boolean nothing may be said, too
---@field done fun(text: string)

local buf ---@type integer?
local purpose ---@type clined.chat.Purpose?
local set_aside = "" -- what was written before there was a purpose
local at ---@type integer? where in the history
local draft = "" -- what was written before the history was walked through

---@return string
function M.text() return buf and table.concat(api.nvim_buf_get_lines(buf, 0, -1, false), "\n") or "" end

local function cursor_to_end()
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    local last = api.nvim_buf_line_count(buf)
    api.nvim_win_set_cursor(win, { last, #api.nvim_buf_get_lines(buf, last - 1, last, false)[1] })
  end
end

---@param text string
function M.set(text)
  if not buf then return end
  api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, "\n", { plain = true }))
  vim.bo[buf].modified = false
  cursor_to_end()
  M.changed()
end

local function joined(above, below)
  if not above:find("%S") then return below end
  return below:find("%S") and above:gsub("\n*$", "") .. "\n\n" .. below or above
end

--- Puts a text behind what is written.
---@param text string
function M.add(text) M.set(joined(M.text(), text)) end

--- Gives back what was not said after all, in front of what was written meanwhile.
---@param text string
function M.give_back(text)
  if purpose then
    set_aside = joined(text, set_aside)
  else
    M.set(joined(text, M.text()))
  end
end

-- What is to be decided first in the shown task.
---@return clined.Decision?
local function decides()
  local task = session.current()
  for _, decision in ipairs(task and require("clined.decisions").list() or {}) do
    if decision.taskId == task.info.taskId then return decision end
  end
end

-- The question that what is said now would answer.
---@return clined.Decision?
local function question()
  local decision = decides()
  return decision and decision.kind == "question" and decision or nil
end

local function press(name)
  for _, key in ipairs(require("clined.keys").of("input")) do
    if key.name == name then return key.lhs end
  end
end

---@return string what, string? group, string[][] hints pairs of a key's name and what it does
local function about()
  if purpose then return visible.line(purpose.title, 120), "ClinedDecision", { { "send", "done" }, { "stop", "leave" } } end
  if question() then return "Your answer", "ClinedDecision", { { "send", "answer" } } end
  if decides() then
    return "A decision waits", "ClinedDecision", { { "allow", "allow" }, { "refuse", "refuse" }, { "refuse_with", "say why" } }
  end
  if session.working() then return "Working", "ClinedRunning", { { "send", "after" }, { "steer", "now" }, { "stop", "stop" } } end
  return "Say", "ClinedBarDim", { { "send", "send" }, { "help", "keys" } }
end

--- For 'winbar' of the input.
---@return string
function M.bar()
  local what, group, hints = about()
  local pieces = {}
  for _, hint in ipairs(hints) do
    local lhs = press(hint[1])
    if lhs then table.insert(pieces, ("%%#ClinedKey#%s%%#ClinedBarDim# %s"):format(lhs:gsub("%%", "%%%%"), hint[2])) end
  end
  return ("%%#%s# %s%%<%%#ClinedBarDim#%%=%s "):format(group, what:gsub("%%", "%%%%"), table.concat(pieces, "  "))
end

local function hint()
  if purpose or question() then return "" end
  if not session.current() then return "What shall be done?" end
  return session.working() and "Said when the turn ends" or "What next?"
end

--- The text changed: its height, and the hint where there is none.
function M.changed()
  if not buf then return end
  local text = M.text()
  api.nvim_buf_clear_namespace(buf, ns, 0, -1)
  if text == "" then
    api.nvim_buf_set_extmark(buf, ns, 0, 0, { virt_text = { { hint(), "ClinedPlaceholder" } }, virt_text_pos = "overlay" })
  end
  local least = require("clined.config").get().chat.input
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    if vim.wo[win].winfixheight and require("clined.chat.window").is_stacked(win) then
      local lines = api.nvim_win_text_height(win, {}).all
      local most = math.max(least, math.floor(vim.o.lines * 0.4))
      local height = math.min(math.max(least, lines), most) + (vim.wo[win].winbar ~= "" and 1 or 0)
      if api.nvim_win_get_height(win) ~= height then api.nvim_win_set_height(win, height) end
    end
  end
end

--- Uses the input for another thing, until it is done or left.
---@param new clined.chat.Purpose
function M.ask(new)
  if not purpose then set_aside = M.text() end
  purpose, at = new, nil
  M.set(new.text or "")
  require("clined.chat.window").redraw_bars()
  require("clined.chat").focus_input(true)
end

--- Leaves the purpose; what was written before it is there again.
---@return boolean left
function M.leave()
  if not purpose then return false end
  purpose = nil
  M.set(set_aside)
  set_aside = ""
  require("clined.chat.window").redraw_bars()
  return true
end

local function answer_or_say(text, how)
  require("clined.chat.prompts").add(text)
  local asked = question()
  M.set("")
  if asked and how ~= "steer" then
    return require("clined.decisions").answer(asked.id, { text = text }, function(counts)
      if not counts then M.give_back(text) end
    end)
  end
  M.say(text, how)
end

--- Says a text to the task, after a model was connected where there is none. What cannot be said is in the input again.
---@param text string
---@param how? "queue"|"steer"
function M.say(text, how)
  local function back() M.give_back(text) end
  local function go()
    session.say(text, { how = how }, function(err)
      if not err then return end
      back()
      require("clined.say").error(err.message, err.data and err.data.hint)
    end)
  end
  if session.working() then return go() end
  require("clined.setup").before(go, back)
end

--- Says what is written.
---@param how? "queue"|"steer"
function M.send(how)
  local text = vim.trim(M.text())
  at = nil
  if purpose then
    if text == "" and not purpose.empty then return end
    local done = purpose.done
    M.leave()
    return done(text)
  end
  if text == "" then return end
  answer_or_say(text, how or "queue")
  require("clined.chat").scroll_to_end()
end

-- A step through the history from its end, where the cursor cannot go further up or down.
local function step(by, lhs)
  local cursor = api.nvim_win_get_cursor(0)
  local edge = by < 0 and 1 or api.nvim_buf_line_count(buf)
  local prompts = require("clined.chat.prompts").list()
  local to = (at or #prompts + 1) + by
  local walks = vim.fn.pumvisible() == 0 and cursor[1] == edge and to >= 1 and (at ~= nil or by < 0) and not purpose
  if not walks then return api.nvim_feedkeys(vim.keycode(lhs), "ni", false) end
  if not at then draft = M.text() end
  at = to <= #prompts and to or nil
  M.set(at and prompts[at] or draft)
end

---@return table<string, fun()>
local function actions()
  local chat = require("clined.chat.actions")
  return {
    send = function() M.send() end,
    send_line = function() M.send() end,
    steer = function() M.send("steer") end,
    stop = function()
      if not M.leave() then chat.stop() end
    end,
    older = function() step(-1, press("older")) end,
    newer = function() step(1, press("newer")) end,
    mode = chat.mode,
    allow = chat.allow,
    allow_always = chat.allow_always,
    refuse = chat.refuse,
    refuse_with = chat.refuse_with,
    setup = chat.setup,
    demo = chat.demo,
    complete = function() require("clined.chat.complete").key(press("complete")) end,
    close = function()
      if not M.leave() then require("clined.chat").close() end
    end,
    help = function() require("clined.chat.help").open("input") end,
  }
end

--- Begins to own a buffer.
---@param new integer
---@param group integer
function M.start(new, group)
  buf = new
  vim.bo[buf].omnifunc = "v:lua.require'clined.chat.complete'.omni"
  require("clined.keys").attach(buf, "input", actions())
  api.nvim_create_autocmd(
    { "TextChanged", "TextChangedI", "TextChangedP", "BufWinEnter" },
    { group = group, buffer = buf, callback = M.changed }
  )
  api.nvim_create_autocmd({ "WinResized", "VimResized" }, { group = group, callback = M.changed })
end

--- The buffer is gone; its text is lost with it.
function M.stop()
  buf, purpose, at = nil, nil, nil
end

return M
