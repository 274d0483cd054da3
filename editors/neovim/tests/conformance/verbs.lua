--- What a person can do, verb by verb, each with a front and an action; docs/conformance.md says what they mean.
local hand = require("tests.conformance.hand")

--- Longer than the plugin keeps back what changed, in milliseconds.
local quiet_ms = 400

---@type table<string, fun(self: clined.conformance.Front, a: table)>
local M = {}

-- Opens the list of tasks, and reads it.
local function list(self)
  self.hand:command("Clined history")
  self.history = self.t.wait("the list of tasks", function()
    local list = self.hand:look("history")
    return list ~= vim.NIL and list
  end)
end

local function look(self)
  list(self)
  self.hand:press("q")
  self.hand:until_there("the list to go", "return vim.fn.bufwinid('clined://history') == -1")
end

-- Returns once clined has taken what was done in windows and buffers: the plugin has told it, and answers to what was asked then
-- are there, which come in the same order. The list of tasks is such an answer.
local function taken(self)
  if not self:read().connected then return end
  self.hand:pause(quiet_ms)
  look(self)
end

local function said(seen, text)
  local list = vim.tbl_filter(function(item) return item.kind == "user" and item.text == text end, seen.items)
  return #list, list[#list]
end

-- Does what says something, and waits until it is there and something is made of it.
local function say(self, text, send)
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
local function meant(self, kind, title)
  local first = self:read().pending[1]
  if first and first.kind == kind and first.title:find(title or "", 1, true) then return first end
  error(("no %s with %q in its title waits"):format(kind, title), 0)
end

-- Does what decides once it was read, and waits until it is decided.
local function decide(self, decision, press)
  self.hand:pause(hand.reading_ms)
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

-- Goes to where a decision is made: the view of an edit, for which the user may ask, else the chat.
---@return table? diff
local function face(self, decision)
  local diff = view_of(self:read(), decision.title)
  if not diff then self.hand:to(hand.chat) end
  if not diff and decision.shows then
    self.hand:press("d")
    diff = self:see("the diff", function(seen) return view_of(seen, decision.title) end)
  end
  if diff then self.hand:go(diff.win) end
  return diff
end

-- Leaves out all changes but these, in a view.
local function choose(self, diff, hunks)
  local changes = vim.diff(diff.base, diff.proposed, { result_type = "indices" })
  local out = 0
  for i, change in ipairs(changes) do
    if not vim.list_contains(hunks, i) then
      out = out + 1
      self.hand:press(("%dGgh"):format(math.max(change[3], 1)))
      self.hand:until_there(
        "the change to be left out",
        [[
        local win, words = ...
        for _, side in ipairs(vim.api.nvim_tabpage_list_wins(vim.api.nvim_win_get_tabpage(win))) do
          local bar = vim.api.nvim_eval_statusline(vim.wo[side].winbar, { winid = side, use_winbar = true }).str
          if bar:find(words, 1, true) then return true end
        end]],
        diff.win,
        ("%d of %d left out"):format(out, #changes)
      )
    end
  end
end

function M:restart() self.hand:command("Clined restart") end

function M:prompt(a)
  self.hand:to(hand.input)
  self.hand:write(a.text)
  local send = a.how == "steer" and "<C-g><Esc>" or a.how == "queue" and "<Esc><CR>" or "<C-s><Esc>"
  say(self, a.text, function() self.hand:press(send) end)
end

function M:approve(a)
  local decision = meant(self, "approval", a.title)
  local diff = face(self, decision)
  assert(diff or not a.hunks, "no diff is open in which changes could be left out")
  if a.hunks then choose(self, diff, a.hunks) end
  decide(self, decision, function()
    if not a.always then return self.hand:press(diff and "ga" or "a") end
    self.hand:press(diff and "gA" or "A")
    self.hand:pick()
  end)
end

function M:reject(a)
  local decision = meant(self, "approval", a.title)
  local diff, words = face(self, decision), a.text and a.text ~= ""
  if diff then
    return decide(self, decision, function() self.hand:press(words and "gR" .. hand.keys(a.text) .. "<CR>" or "gr") end)
  end
  decide(self, decision, function()
    if not words then return self.hand:press("r") end
    self.hand:press("R")
    self.hand:until_there("a place for the words", "return vim.api.nvim_buf_get_name(0) == 'clined://input'")
    self.hand:write(a.text)
    self.hand:press("<C-s>")
  end)
end

function M:answer(a)
  local decision = meant(self, "question", a.title)
  if a.option then
    self.hand:to(hand.chat)
    return decide(self, decision, function()
      self.hand:press("o")
      self.hand:pick(a.option)
    end)
  end
  self.hand:to(hand.input)
  self.hand:write(a.text)
  decide(self, decision, function() self.hand:press("<C-s>") end)
end

function M:editDiff(a)
  local decision = meant(self, "approval", vim.fs.basename(a.path))
  assert(face(self, decision), "no diff of " .. a.path .. " is open")
  self.hand:retype(a.text)
  taken(self)
end

function M:cancel()
  self.hand:to(hand.chat)
  self.hand:press("<C-c>")
end

function M:resume()
  self.hand:to(hand.chat)
  self.hand:press("gr")
end

function M:newTask()
  self.hand:command("Clined new")
  self:see("an empty chat", function(seen) return not seen.task end)
end

function M:history() look(self) end

function M:openTask(a)
  list(self)
  for row, task in ipairs(self.history) do
    if task.title:find(a.title, 1, true) then
      self.hand:press(row .. "G<CR>")
      return self:see("the task", function(seen) return seen.task and seen.task.title == task.title and #seen.items > 0 end)
    end
  end
  self.hand:press("q")
  error(("no task in the list has %q in its title"):format(a.title), 0)
end

function M:editMessage(a)
  for _, item in ipairs(self:read().items) do
    if item.kind == "user" and item.text:find(a.title, 1, true) then
      self.hand:to(hand.chat)
      self.hand:press(item.row + 1 .. "Gc")
      self.hand:until_there(
        "the message to be changed",
        [[
        return vim.api.nvim_buf_get_name(0) == "clined://input" and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") == ...
      ]],
        item.text
      )
      self.hand:write(a.text)
      return say(self, a.text, function() self.hand:press("<Esc><CR>") end)
    end
  end
  error(("no message of theirs has %q in it"):format(a.title), 0)
end

function M:type(a)
  self.hand:go(self.hand:windows()[1])
  self.hand:edit(a.path)
  self.hand:retype(a.text)
  taken(self)
end

function M:undo(a)
  self.hand:go(self.hand:windows()[1])
  self.hand:edit(a.path)
  local before = self.hand:look("text", 0)
  self.hand:press("u")
  self.hand:until_there("something to be undone", "return screen.text(0) ~= ...", before)
  taken(self)
end

function M:show(a)
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
  taken(self)
end

return M
