--- A Neovim with the plugin as a front of the conformance program, and what a person sees of it. verbs.lua has what they do, hand.lua
--- how, and screen.lua what can be read.
local hand = require("tests.conformance.hand")

local M = {}

--- How long `state` waits for a change, and between two looks, in milliseconds.
local state_ms, look_ms = 1000, 40

-- Typing gives what was typed.
local habits = "vim.o.autoindent = false\n"

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
  child:lua("vim.o.columns, vim.o.lines = 200, 60") -- room for all words
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

-- What failed in the plugin where no one caught it, or where it was caught and logged.
local function faults(messages)
  local path = vim.env.XDG_STATE_HOME .. "/nvim/clined.nvim.log"
  local log = vim.uv.fs_stat(path) and require("tests.harness.place").read(path) or ""
  return { require("tests.harness.errors").find(table.concat(messages, "\n") .. "\n" .. log) }
end

---@return table state
function Front:now()
  local seen = self:read()
  local first = seen.pending[1]
  if first and not first.shows and vim.list_contains(first.options, "always …") then
    first.options = vim.list_extend(vim.list_slice(first.options), self:rules(first))
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
    faults = faults(seen.messages),
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

--- The rules that an approval offers to store, which stand in a window that is opened for it, and closed again.
---@return string[]
function Front:rules(decision)
  if self.ruled and vim.deep_equal(self.ruled.of, decision) then return self.ruled.rules end
  self.hand:to(hand.chat)
  self.hand:pause(hand.reading_ms)
  self.hand:press("A")
  local rules = self.hand:choices()
  self.hand:press("<Esc>")
  self.hand:until_there("it to close", "return vim.api.nvim_win_get_config(0).relative == ''")
  self.ruled = { of = vim.deepcopy(decision), rules = rules }
  return rules
end

return M
