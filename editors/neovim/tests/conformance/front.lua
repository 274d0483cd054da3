--- A Neovim with the plugin as a front of the conformance program: each verb is what a person does there, and the state is what they
--- see. hand.lua has how they do it, screen.lua what they read.
local hand = require("tests.conformance.hand")

local M = {}

--- How long `state` waits for a change, and between two looks, in milliseconds.
local state_ms, look_ms = 1000, 40

--- Longer than the plugin keeps back what changed, and than it takes keys for ones that were not meant, in milliseconds.
local quiet_ms, reading_ms = 400, 400

-- Typing gives what was typed, and there is room for all words.
local habits = [[
vim.o.autoindent, vim.o.columns, vim.o.lines = false, 200, 60
]]

local formatter = [[
vim.api.nvim_create_autocmd("BufWritePre", {
  callback = function()
    local view = vim.fn.winsaveview()
    vim.cmd([=[keepjumps keeppatterns %s/\s\+$//e]=])
    vim.fn.winrestview(view)
    vim.bo.endofline = true
  end,
})
]]

---@class clined.conformance.Front
---@field t table the harness
---@field hand clined.conformance.Hand
---@field history table[]
---@field notices string[]
---@field rev integer
---@field last string
---@field ruled? { of: table, rules: string[] }
local Front = {}
Front.__index = Front

--- Opens a folder in a fresh Neovim, and the chat in it.
---@param t table the harness
---@param action table
---@return clined.conformance.Front
function M.open(t, action)
  local place = { work = action.workspace, options = { bin = action.clined } }
  local child = t.child({ place = place, config = habits .. (action.format and formatter or "") })
  child:lua("vim.o.columns, vim.o.lines = 200, 60")
  local self = setmetatable({ t = t, hand = hand.new(t, child), history = {}, notices = {}, rev = 0, last = "" }, Front)
  self.hand:command("Clined")
  self.hand:until_there("the chat", "return vim.fn.bufwinid('clined://chat') > 0 and vim.fn.bufwinid('clined://input') > 0")
  return self
end

--- What a person sees now.
function Front:read() return self.hand:look("read") end

--- The state once it is another than `after`, or after a second.
---@param after integer
function Front:state(after)
  local limit, state = vim.uv.hrtime() + state_ms * 1e6, nil
  repeat
    if state then vim.wait(look_ms) end
    state = self:now()
    local text = vim.json.encode(state)
    if text ~= self.last then
      self.last, self.rev = text, self.rev + 1
    end
    state.rev = self.rev
  until self.rev ~= after or vim.uv.hrtime() >= limit
  return state
end

function Front:now()
  local seen = self:read()
  local first = seen.pending[1]
  if first and not first.shows and vim.list_contains(first.options, "always …") then
    vim.list_extend(first.options, self:rules(first))
    seen.pending[1].options = first.options
  end
  local function note(words)
    if not vim.list_contains(self.notices, words) then table.insert(self.notices, words) end
  end
  for _, message in ipairs(seen.messages) do
    if vim.startswith(message, "clined: ") then note(message) end
  end
  vim.tbl_map(note, seen.troubles)
  for _, list in ipairs({ seen.items, seen.diffs, seen.pending }) do
    for _, one in ipairs(list) do
      one.row, one.win, one.shows = nil, nil, nil -- for who goes there
    end
  end
  return {
    connected = seen.connected or false,
    notices = self.notices,
    task = seen.task,
    items = seen.items,
    pending = seen.pending,
    history = self.history,
    diffs = seen.diffs,
    buffers = seen.buffers,
    faults = { require("tests.harness.errors").find(table.concat(seen.messages, "\n")) },
  }
end

--- Waits until what is seen is so.
---@generic T
---@param what string
---@param ok fun(seen: table): T?
---@return T
function Front:see(what, ok)
  return self.t.wait(what, function() return ok(self:read()) end)
end

--- Returns once clined has taken what was done in windows and buffers: the plugin has told it, and answers to what was asked then
--- are there, which come in the same order. The list of tasks is such an answer.
function Front:taken()
  if not self:read().connected then return end
  self.hand:pause(quiet_ms)
  self:look()
end

--- Opens the list of tasks, and reads it.
function Front:list()
  self.hand:command("Clined history")
  self.history = self.t.wait("the list of tasks", function()
    local list = self.hand:look("history")
    return list ~= vim.NIL and list
  end)
end

function Front:look()
  self:list()
  self.hand:press("q")
  self.hand:until_there("the list to go", "return vim.fn.bufwinid('clined://history') == -1")
end

local function said(seen, text)
  local list = vim.tbl_filter(function(item) return item.kind == "user" and item.text == text end, seen.items)
  return #list, list[#list]
end

-- Does what says something, and waits until it is there and something is made of it.
function Front:say(text, send)
  local before = said(self:read(), text)
  send()
  self:see(("%q to be said"):format(text), function(seen)
    if #seen.troubles > 0 then error(table.concat(seen.troubles, "; "), 0) end
    local times, last = said(seen, text)
    if times <= before then return end
    return last.status == "pending" or (seen.task and seen.task.status ~= "completed") or seen.items[#seen.items] ~= last
  end)
end

-- What is asked first, if it is the one that is meant.
function Front:meant(kind, title)
  local first = self:read().pending[1]
  if first and first.kind == kind and first.title:find(title or "", 1, true) then return first end
  error(("no %s with %q in its title waits"):format(kind, title), 0)
end

-- Does what decides once it was read, and waits until it is decided.
function Front:decide(decision, press)
  self.hand:pause(reading_ms)
  press()
  self:see("the decision to be made", function(seen) return not vim.deep_equal(seen.pending[1], decision) end)
  self.hand:press("<C-\\><C-n>")
end

-- The view of what an approval would change, where one is open.
local function view_of(seen, title)
  for _, diff in ipairs(seen.diffs) do
    if title:find(vim.fs.basename(diff.path), 1, true) then return diff end
  end
end

--- Goes to where a decision is made: the view of an edit, for which the user may ask, else the chat.
---@return table? diff
function Front:face(decision)
  local diff = view_of(self:read(), decision.title)
  if not diff then self.hand:to(hand.chat) end
  if not diff and decision.shows then
    self.hand:press("d")
    diff = self:see("the diff", function(seen) return view_of(seen, decision.title) end)
  end
  if diff then self.hand:go(diff.win) end
  return diff
end

--- The rules that an approval offers to store, which stand in a window that is opened for it, and closed again.
---@return string[]
function Front:rules(decision)
  if self.ruled and vim.deep_equal(self.ruled.of, decision) then return self.ruled.rules end
  self.hand:to(hand.chat)
  self.hand:pause(reading_ms)
  self.hand:press("A")
  local rules = self.hand:choices()
  self.hand:press("<Esc>")
  self.hand:until_there("it to close", "return vim.api.nvim_win_get_config(0).relative == ''")
  self.ruled = { of = vim.deepcopy(decision), rules = rules }
  return rules
end

-- Leaves out all changes but these, in a view.
local function choose(self, diff, hunks)
  local changes = vim.diff(diff.base, diff.proposed, { result_type = "indices" })
  local out = 0
  for i, change in ipairs(changes) do
    if not vim.list_contains(hunks, i) then
      out = out + 1
      self.hand:press(("%dGgh"):format(math.max(change[3], 1)))
      self.hand:until_there("the change to be left out", [[
        local win, words = ...
        for _, side in ipairs(vim.api.nvim_tabpage_list_wins(vim.api.nvim_win_get_tabpage(win))) do
          local bar = vim.api.nvim_eval_statusline(vim.wo[side].winbar, { winid = side, use_winbar = true }).str
          if bar:find(words, 1, true) then return true end
        end]], diff.win, ("%d of %d left out"):format(out, #changes))
    end
  end
end

Front.verbs = {}
local verbs = Front.verbs

function verbs:restart() self.hand:command("Clined restart") end

---@param a table
function verbs:prompt(a)
  self.hand:to(hand.input)
  self.hand:write(a.text)
  local send = a.how == "steer" and "<C-g><Esc>" or a.how == "queue" and "<Esc><CR>" or "<C-s><Esc>"
  self:say(a.text, function() self.hand:press(send) end)
end

---@param a table
function verbs:approve(a)
  local decision = self:meant("approval", a.title)
  local diff = self:face(decision)
  assert(diff or not a.hunks, "no diff is open in which changes could be left out")
  if a.hunks then choose(self, diff, a.hunks) end
  self:decide(decision, function()
    if not a.always then return self.hand:press(diff and "ga" or "a") end
    self.hand:press(diff and "gA" or "A")
    self.hand:pick()
  end)
end

---@param a table
function verbs:reject(a)
  local decision = self:meant("approval", a.title)
  local diff, words = self:face(decision), a.text and a.text ~= ""
  if diff then
    return self:decide(decision, function() self.hand:press(words and "gR" .. hand.keys(a.text) .. "<CR>" or "gr") end)
  end
  self:decide(decision, function()
    if not words then return self.hand:press("r") end
    self.hand:press("R")
    self.hand:until_there("a place for the words", "return vim.api.nvim_buf_get_name(0) == 'clined://input'")
    self.hand:write(a.text)
    self.hand:press("<C-s>")
  end)
end

---@param a table
function verbs:answer(a)
  local decision = self:meant("question", a.title)
  if a.option then
    self.hand:to(hand.chat)
    return self:decide(decision, function()
      self.hand:press("o")
      self.hand:pick(a.option)
    end)
  end
  self.hand:to(hand.input)
  self.hand:write(a.text)
  self:decide(decision, function() self.hand:press("<C-s>") end)
end

---@param a table
function verbs:editDiff(a)
  local decision = self:meant("approval", vim.fs.basename(a.path))
  assert(self:face(decision), "no diff of " .. a.path .. " is open")
  self.hand:retype(a.text)
  self:taken()
end

function verbs:cancel()
  self.hand:to(hand.chat)
  self.hand:press("<C-c>")
end

function verbs:resume()
  self.hand:to(hand.chat)
  self.hand:press("gr")
end

function verbs:newTask()
  self.hand:command("Clined new")
  self:see("an empty chat", function(seen) return not seen.task end)
end

function verbs:history() self:look() end

---@param a table
function verbs:openTask(a)
  self:list()
  for row, task in ipairs(self.history) do
    if task.title:find(a.title, 1, true) then
      self.hand:press(row .. "G<CR>")
      return self:see("the task", function(seen) return seen.task and seen.task.title == task.title and #seen.items > 0 end)
    end
  end
  self.hand:press("q")
  error(("no task in the list has %q in its title"):format(a.title), 0)
end

---@param a table
function verbs:editMessage(a)
  for _, item in ipairs(self:read().items) do
    if item.kind == "user" and item.text:find(a.title, 1, true) then
      self.hand:to(hand.chat)
      self.hand:press(item.row + 1 .. "Gc")
      self.hand:until_there("the message to be changed", [[
        return vim.api.nvim_buf_get_name(0) == "clined://input" and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") == ...
      ]], item.text)
      self.hand:write(a.text)
      return self:say(a.text, function() self.hand:press("<Esc><CR>") end)
    end
  end
  error(("no message of theirs has %q in it"):format(a.title), 0)
end

---@param a table
function verbs:type(a)
  self.hand:go(self.hand:windows()[1])
  self.hand:edit(a.path)
  self.hand:retype(a.text)
  self:taken()
end

---@param a table
function verbs:undo(a)
  self.hand:go(self.hand:windows()[1])
  self.hand:edit(a.path)
  local before = self.hand:look("text", 0)
  self.hand:press("u")
  self.hand:until_there("something to be undone", "return screen.text(0) ~= ...", before)
  self:taken()
end

---@param a table
function verbs:show(a)
  local visible, wanted = a.visible or {}, {}
  local windows = self.hand:windows()
  for i = #windows, 2, -1 do
    self.hand:go(windows[i])
    self.hand:press("<C-w>c")
  end
  self.hand:go(windows[1])
  for _, path in ipairs(vim.list_extend(vim.list_slice(a.tabs or {}), visible)) do
    wanted[path] = true
    self.hand:edit(path)
  end
  for i = #visible, 1, -1 do
    if i < #visible then self.hand:press("<C-w>s") end
    self.hand:edit(visible[i])
  end
  for path in pairs(self:read().buffers) do
    if not wanted[path] then
      self.hand:command("bdelete " .. path)
      self.hand:until_there(path .. " to be closed", "return vim.fn.buflisted(...) == 0", path)
    end
  end
  self:taken()
end

return M
