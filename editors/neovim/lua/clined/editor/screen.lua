--- What the user sees, read from windows and buffers: the active file with what is selected, the files in view, the listed ones.
---
--- Clined's own windows count as nothing: behind a diff of a proposal, which has a tab of its own, lies what the user had before.
local M = {}

local api = vim.api

--- The URI of a buffer that is a file, also of one that is yet to be written; nil for all else.
M.uri = require("clined.daemon.documents").uri_of

---@param buf integer
local function is_ours(buf) return vim.startswith(api.nvim_buf_get_name(buf), "clined://") end

local function is_float(win) return api.nvim_win_get_config(win).relative ~= "" end

---@return boolean
function M.is_visual() return vim.list_contains({ "v", "V", "\22" }, api.nvim_get_mode().mode:sub(1, 1)) end

-- The window with a file, and the tab page without a proposal, where the user was last.
---@type integer?, integer?
local last_win, last_tab

local function has_proposal(tab)
  return vim.iter(api.nvim_tabpage_list_wins(tab)):any(function(win)
    local name = api.nvim_buf_get_name(api.nvim_win_get_buf(win))
    return vim.startswith(name, "clined://proposal/") or vim.startswith(name, "clined://base/")
  end)
end

--- To be called when a window or a tab page is left.
function M.left()
  local win, tab = api.nvim_get_current_win(), api.nvim_get_current_tabpage()
  if not has_proposal(tab) then
    last_tab = tab
    if M.uri(api.nvim_win_get_buf(win)) and not is_float(win) then last_win = win end
  end
end

local function position(line, character) return { line = line, character = character } end

-- What is selected, 0-based with the end exclusive, by lines as the daemon uses them.
local function selection()
  if not M.is_visual() then return end
  local from, to = vim.fn.getpos("v"), vim.fn.getpos(".")
  if from[2] > to[2] or (from[2] == to[2] and from[3] > to[3]) then
    from, to = to, from
  end
  local first, last = from[2] - 1, to[2] - 1
  if api.nvim_get_mode().mode:sub(1, 1) == "V" then return { start = position(first, 0), ["end"] = position(last + 1, 0) } end
  return { start = position(first, from[3] - 1), ["end"] = position(last, to[3]) }
end

local function active(tab)
  local current = api.nvim_get_current_win()
  local uri = M.uri(api.nvim_win_get_buf(current))
  if uri and not is_float(current) then
    local range = selection()
    return { uri = uri, selections = range and { range } or nil }
  end
  -- In the chat, a terminal or a picker: the file before that.
  if last_win and api.nvim_win_is_valid(last_win) and api.nvim_win_get_tabpage(last_win) == tab then
    local before = M.uri(api.nvim_win_get_buf(last_win))
    if before then return { uri = before } end
  end
end

-- Each file once, with all parts of it that are in view.
local function visible(tab)
  local list, at = {}, {}
  for _, win in ipairs(api.nvim_tabpage_list_wins(tab)) do
    local buf = api.nvim_win_get_buf(win)
    local uri = M.uri(buf)
    if uri then
      if not at[uri] then
        at[uri] = { uri = uri, ranges = {} }
        table.insert(list, at[uri])
      end
      local first, last = vim.fn.line("w0", win), vim.fn.line("w$", win)
      table.insert(at[uri].ranges, { start = position(first - 1, 0), ["end"] = position(last, 0) })
    end
  end
  return list
end

-- What other editors have as tabs are the listed buffers here.
local function tabs()
  local list = {}
  for _, buf in ipairs(api.nvim_list_bufs()) do
    local uri = vim.bo[buf].buflisted and not is_ours(buf) and M.uri(buf)
    if uri then table.insert(list, { uri = uri, dirty = vim.bo[buf].modified or nil }) end
  end
  return list
end

--- The members `active`, `visible` and `tabs` of a state. `before` is the state told last.
---@param before? clined.protocol.EditorState
---@return clined.protocol.EditorState
function M.read(before)
  local tab = api.nvim_get_current_tabpage()
  if has_proposal(tab) then
    if not (last_tab and api.nvim_tabpage_is_valid(last_tab)) then
      return { active = before and before.active, visible = before and before.visible or {}, tabs = tabs() }
    end
    tab = last_tab
  end
  return { active = active(tab), visible = visible(tab), tabs = tabs() }
end

return M
