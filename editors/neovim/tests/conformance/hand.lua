--- What a person does with their hands in a Neovim: keys, and a look at what they did. All that is pressed counts as typed.
local M = {}

---@class clined.conformance.Hand
---@field child clined.test.Child
---@field t table the harness
local Hand = {}
Hand.__index = Hand

--- Longer than the plugin takes keys for ones that were not meant for what has just come, in milliseconds.
M.reading_ms = 400

--- The buffers of the chat.
M.chat, M.input = "clined://chat", "clined://input"

---@param t table the harness
---@param child clined.test.Child
---@return clined.conformance.Hand
function M.new(t, child)
  child:lua("package.path = ... .. '/?.lua;' .. package.path screen = require('tests.conformance.screen')", vim.env.CLINED_TEST_PLUGIN)
  return setmetatable({ t = t, child = child }, Hand)
end

--- Presses keys, as mappings write them.
---@param keys string
function Hand:press(keys) self.child:keys(keys) end

--- Calls a function of screen.lua there.
---@param name string
function Hand:look(name, ...) return self.child:lua("return screen[...](select(2, ...))", name, ...) end

--- Waits until Lua there, with `...` for the arguments, says so.
---@param what string
---@param code string
function Hand:until_there(what, code, ...) return self.child:wait(what, code, ...) end

--- Types an Ex command.
---@param command string
function Hand:command(command) self:press("<C-\\><C-n>:" .. M.keys(command) .. "<CR>") end

--- A text as keys. It stands in insert mode, or on the command line.
---@param text string
---@return string
function M.keys(text) return (text:gsub("<", "<lt>"):gsub("\n", "<CR>")) end

--- Goes to a window, in normal mode.
---@param win integer
function Hand:go(win)
  local tab, nr = unpack(
    self.child:lua(
      "local w = ... return { vim.api.nvim_tabpage_get_number(vim.api.nvim_win_get_tabpage(w)), vim.api.nvim_win_get_number(w) }",
      win
    )
  )
  self:press("<C-\\><C-n>")
  if self.child:lua("return vim.fn.tabpagenr()") ~= tab then self:press(tab .. "gt") end
  self:press(nr .. "<C-w>w")
  self:until_there("the window", "return vim.api.nvim_get_current_win() == ... and vim.api.nvim_get_mode().mode == 'n'", win)
end

--- Goes to the window of a buffer.
---@param name string
function Hand:to(name)
  local win = self.child:lua("return vim.fn.win_findbuf(vim.fn.bufnr('^' .. ... .. '$'))[1]", name)
  assert(win ~= vim.NIL, name .. " is not shown")
  self:go(win)
end

--- The windows beside the chat, with files in them.
---@return integer[]
function Hand:windows()
  return self.child:lua([[
    return vim.tbl_filter(function(win)
      local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win))
      return vim.api.nvim_win_get_config(win).relative == "" and not vim.startswith(name, "clined://")
    end, vim.api.nvim_tabpage_list_wins(vim.api.nvim_list_tabpages()[1]))]])
end

--- Opens a file, or goes back to it, in the current window.
---@param path string
function Hand:edit(path)
  local here = "return vim.api.nvim_buf_get_name(0) == vim.fn.getcwd(-1, -1) .. '/' .. ..."
  if self.child:lua(here, path) then return end -- it would be read anew
  self:command("edit " .. path)
  self:until_there(path, here, path)
end

local function lines_of(text) return vim.split((text:gsub("\n$", "")), "\n", { plain = true }) end

--- Makes a text that of the current buffer: what differs is typed anew, line by line.
---@param text string
function Hand:retype(text)
  local old, new = lines_of(self:look("text", 0)), lines_of(text)
  local before, behind = 0, 0
  while before < math.min(#old, #new) and old[before + 1] == new[before + 1] do
    before = before + 1
  end
  while behind < math.min(#old, #new) - before and old[#old - behind] == new[#new - behind] do
    behind = behind + 1
  end
  local gone = #old - before - behind
  local typed = M.keys(table.concat(new, "\n", before + 1, #new - behind))
  if #new == before + behind then
    if gone > 0 then self:press(("%dG%ddd"):format(before + 1, gone)) end
  elseif gone > 0 then
    self:press(("%dG%dcc%s<Esc>"):format(before + 1, gone, typed))
  elseif before > 0 then
    self:press(("%dGo%s<Esc>"):format(before, typed))
  else
    self:press("ggO" .. typed .. "<Esc>")
  end
  if text ~= "" then self:command(text:sub(-1) == "\n" and "setlocal endofline" or "setlocal noendofline") end
  self:until_there("the text to be typed", "return screen.text(0) == ... and vim.api.nvim_get_mode().mode == 'n'", text)
end

--- Writes into the input, in place of what is there, and stays in insert mode.
---@param text string
function Hand:write(text)
  self:press("<C-\\><C-n>ggVGc" .. M.keys(text))
  self:until_there(
    "the words to be typed",
    [[
    return vim.api.nvim_buf_get_name(0) == "clined://input" and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") == ...
  ]],
    text
  )
end

--- Presses nothing for so long. Timers of one Neovim come in the order in which they are due: what the plugin waits for a shorter
--- time for is done then.
---@param ms integer
function Hand:pause(ms)
  self.child:lua("paused = false vim.defer_fn(function() paused = true end, ...)", ms)
  self:until_there("the pause to be over", "return paused")
end

--- What can be chosen in the picker that is open.
---@return string[]
function Hand:choices()
  return self:until_there(
    "something to choose",
    [[
    if vim.api.nvim_win_get_config(0).relative == "" then return end
    local list = {}
    for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
      table.insert(list, line:match("^ %d+  (.*)$"))
    end
    return #list > 0 and list]]
  )
end

--- Chooses from the picker that is open, by what it says; by default the first.
---@param option? string
function Hand:pick(option)
  for i, choice in ipairs(self:choices()) do
    if not option or choice == option then return self:press(tostring(i)) end
  end
  error("there is no choice " .. option, 0)
end

return M
