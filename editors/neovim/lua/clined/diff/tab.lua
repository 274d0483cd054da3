--- A proposal in a tab of its own: the base at the left, the proposed side at the right, and Neovim's diff between them. The
--- proposals of one call share a tab.
---
--- Owns these tabs and their windows. What is in the buffers, and what is decided, is not its own.
local M = {}

---@class clined.DiffTab
---@field left integer
---@field right integer
---@field view clined.DiffView that it shows
---@field back integer the window where the user was

--- Texts of more lines than that are compared when they are whole, not at each line that is written.
local many = 5000

---@type table<string, clined.DiffTab> by the id of the call
local tabs = {}

local function set(win, name, value) vim.api.nvim_set_option_value(name, value, { win = win, scope = "local" }) end

---@param tab clined.DiffTab
local function is_whole(tab)
  return vim.api.nvim_win_is_valid(tab.left)
    and vim.api.nvim_win_is_valid(tab.right)
    and vim.api.nvim_win_get_buf(tab.right) == tab.view.buf
end

local function lines_of(view) return vim.api.nvim_buf_line_count(view.buf) + vim.api.nvim_buf_line_count(view.base_buf) end

-- Turns Neovim's diff of both windows on or off, with the user's 'diffopt'.
local function compare(tab, on)
  for _, win in ipairs({ tab.left, tab.right }) do
    if vim.wo[win].diff ~= on then vim.api.nvim_win_call(win, function() vim.cmd(on and "diffthis" or "diffoff") end) end
  end
end

local function bars(tab)
  for side, win in pairs({ base = tab.left, proposal = tab.right }) do
    set(win, "winbar", ("%%{%%v:lua.require'clined.diff.bar'.%s(%q)%%}"):format(side, tab.view.id))
  end
end

local function fill(tab, view)
  if tab.view ~= view then compare(tab, false) end
  tab.view = view
  vim.api.nvim_win_set_buf(tab.left, view.base_buf)
  vim.api.nvim_win_set_buf(tab.right, view.buf)
  bars(tab)
  M.drawn(view)
end

local function open(view)
  local back = vim.api.nvim_get_current_win()
  vim.cmd({ cmd = "sbuffer", args = { tostring(view.base_buf) }, mods = { tab = vim.fn.tabpagenr(), keepalt = true } })
  local left = vim.api.nvim_get_current_win()
  local right = vim.api.nvim_open_win(view.buf, true, { split = "right", win = left })
  local tab = { left = left, right = right, view = view, back = back }
  tabs[view.params.toolCallId] = tab
  fill(tab, view)
end

--- Shows a proposal and goes to it.
---@param view clined.DiffView
function M.show(view)
  local tab = tabs[view.params.toolCallId]
  if not tab or not is_whole(tab) then
    if tab then M.close(tab.view) end
    return open(view)
  end
  if vim.api.nvim_win_get_tabpage(vim.api.nvim_get_current_win()) ~= vim.api.nvim_win_get_tabpage(tab.right) then
    tab.back = vim.api.nvim_get_current_win()
  end
  vim.api.nvim_set_current_win(tab.right)
  if tab.view ~= view then fill(tab, view) end
end

--- The window of the proposed side, where it is shown.
---@param view clined.DiffView
---@return integer?
function M.win(view)
  local tab = tabs[view.params.toolCallId]
  return tab and tab.view == view and is_whole(tab) and tab.right or nil
end

--- Its text is another.
---@param view clined.DiffView
function M.drawn(view)
  local tab = tabs[view.params.toolCallId]
  if not tab or tab.view ~= view or not is_whole(tab) then return end
  local on = view.final or lines_of(view) < many
  local begins = on and not vim.wo[tab.right].diff
  compare(tab, on)
  if begins then vim.api.nvim_win_call(tab.right, function() vim.cmd("silent! diffupdate") end) end
end

-- The last window of Neovim cannot be closed.
local function close_windows(tab)
  if #vim.api.nvim_list_tabpages() == 1 then
    vim.cmd("noautocmd tabnew")
    vim.cmd("tabprevious")
  end
  for _, win in ipairs({ tab.left, tab.right }) do
    if vim.api.nvim_win_is_valid(win) then pcall(vim.api.nvim_win_close, win, true) end
  end
end

--- Takes the tab of a proposal away; the user is where they were before. Tells whether they were in it.
---@param view clined.DiffView
---@return boolean
function M.close(view)
  local tab = tabs[view.params.toolCallId]
  if not tab or tab.view ~= view then return false end
  tabs[view.params.toolCallId] = nil
  local here = vim.api.nvim_get_current_win()
  local inside = here == tab.left or here == tab.right
  if inside then vim.cmd("stopinsert") end
  if vim.api.nvim_win_is_valid(tab.left) or vim.api.nvim_win_is_valid(tab.right) then close_windows(tab) end
  if inside and vim.api.nvim_win_is_valid(tab.back) then vim.api.nvim_set_current_win(tab.back) end
  return inside
end

--- Closes what is left of tabs of which the user closed a half. Returns their proposals.
---@return clined.DiffView[]
function M.left()
  local views = {}
  for _, tab in pairs(tabs) do
    if not is_whole(tab) then table.insert(views, tab.view) end
  end
  for _, view in ipairs(views) do
    local tab = tabs[view.params.toolCallId]
    -- What the user put in place of a side stays, without the diff.
    for win, buf in pairs({ [tab.left] = view.base_buf, [tab.right] = view.buf }) do
      if vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_buf(win) ~= buf then
        vim.api.nvim_win_call(win, function() vim.cmd("diffoff") end)
        set(win, "winbar", nil)
        if win == tab.left then
          tab.left = -1
        else
          tab.right = -1
        end
      end
    end
    M.close(view)
  end
  return views
end

return M
