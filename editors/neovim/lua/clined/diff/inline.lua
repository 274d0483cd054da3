--- A proposal in the window of its file: the proposed side alone, with what it takes away as virtual lines.
---
--- Owns which window that is, and gives it back as it was.
local M = {}

---@class clined.DiffInline
---@field win integer
---@field buf integer what the window showed before
---@field at table of winsaveview
---@field here integer the window where the user was
---@field winbar string

---@type table<string, clined.DiffInline> by the id of the view
local shown = {}

local function set(win, name, value) vim.api.nvim_set_option_value(name, value, { win = win, scope = "local" }) end

-- The window of the file, else that of the user unless it is one of ours, else any other with a file.
local function find(view)
  local file = require("clined.diff.buffers").find(view.path)
  local best
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local buf = vim.api.nvim_win_get_buf(win)
    local fits = vim.bo[buf].buftype == "" and vim.api.nvim_win_get_config(win).relative == "" and not vim.wo[win].winfixbuf
    if fits and buf == file then return win end
    if fits and (not best or win == vim.api.nvim_get_current_win()) then best = win end
  end
  return best
end

local function split()
  vim.cmd("topleft vertical new")
  vim.bo.bufhidden = "wipe"
  return vim.api.nvim_get_current_win()
end

---@param view clined.DiffView
function M.show(view)
  local place = shown[view.id]
  if place and vim.api.nvim_win_is_valid(place.win) then
    vim.api.nvim_win_set_buf(place.win, view.buf)
    return vim.api.nvim_set_current_win(place.win)
  end
  -- Files of one call come one after the other.
  for _, other in ipairs(require("clined.diff.views").of_call(view.params.toolCallId)) do
    if other ~= view then M.close(other) end
  end
  local here = vim.api.nvim_get_current_win()
  local win = find(view) or split()
  local at = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  local winbar = vim.api.nvim_get_option_value("winbar", { win = win, scope = "local" })
  shown[view.id] = { win = win, buf = vim.api.nvim_win_get_buf(win), at = at, here = here, winbar = winbar }
  vim.api.nvim_win_set_buf(win, view.buf)
  set(win, "winbar", ("%%{%%v:lua.require'clined.diff.bar'.proposal(%q)%%}"):format(view.id))
  vim.api.nvim_set_current_win(win)
end

---@param view clined.DiffView
---@return integer?
function M.win(view)
  local place = shown[view.id]
  if place and vim.api.nvim_win_is_valid(place.win) and vim.api.nvim_win_get_buf(place.win) == view.buf then return place.win end
end

function M.drawn() end

---@param view clined.DiffView
---@return boolean
function M.close(view)
  local place = shown[view.id]
  shown[view.id] = nil
  if not place or not vim.api.nvim_win_is_valid(place.win) then return false end
  local inside = vim.api.nvim_get_current_win() == place.win
  set(place.win, "winbar", place.winbar ~= "" and place.winbar or nil)
  if vim.api.nvim_win_get_buf(place.win) ~= view.buf then return false end
  if inside then vim.cmd("stopinsert") end
  if vim.api.nvim_buf_is_valid(place.buf) then
    vim.api.nvim_win_set_buf(place.win, place.buf)
    vim.api.nvim_win_call(place.win, function() vim.fn.winrestview(place.at) end)
  else -- a window that was made for it
    pcall(vim.api.nvim_win_close, place.win, true)
  end
  if inside and vim.api.nvim_win_is_valid(place.here) then vim.api.nvim_set_current_win(place.here) end
  return inside
end

--- Proposals whose window shows something else by now, or is gone.
---@return clined.DiffView[]
function M.left()
  local views = {}
  for id in pairs(shown) do
    local view = require("clined.diff.views").get(id)
    if not view then
      shown[id] = nil
    elseif not M.win(view) then
      M.close(view)
      table.insert(views, view)
    end
  end
  return views
end

return M
