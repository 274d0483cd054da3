--- Texts in buffers: how a buffer holds a text exactly, and the buffers of files.
---
--- Owns the way between a text and lines with 'endofline', and putting a text into a buffer with as few edits as it takes, so
--- that cursors, marks and folds beside them stay. Writes nothing to the disk and knows no views.
local text = require("clined.diff.text")

local M = {}

--- The lines that a buffer has for a text, and its 'endofline'.
---@param lines string[] of the text; may be the very table that is returned
---@return string[] lines, boolean eol
function M.held(lines)
  if #lines > 1 and lines[#lines] == "" then return vim.list_slice(lines, 1, #lines - 1), true end
  return lines, false
end

--- The text of a buffer. Of an empty buffer it is empty, though Neovim has one line in it.
---@param buf integer
---@return string
function M.text(buf)
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  if #lines == 1 and lines[1] == "" then return M.is_empty(buf) and "" or "\n" end
  return text.plain(text.join(lines) .. (vim.bo[buf].endofline and "\n" or ""))
end

--- Whether a buffer with one empty line would be written as no bytes at all.
---@param buf integer
---@return boolean
function M.is_empty(buf)
  if not vim.bo[buf].endofline then return true end
  return vim.api.nvim_buf_call(buf, function() return vim.fn.wordcount().bytes end) == 0
end

-- The bytes that two lines have in common at their beginning, and at their end beyond that; no character is cut.
local function common(a, b)
  local most = math.min(#a, #b)
  local first = 0
  while first < most and a:byte(first + 1) == b:byte(first + 1) do
    first = first + 1
  end
  while first > 0 and ((a:byte(first + 1) or 0) >= 0x80 or (b:byte(first + 1) or 0) >= 0x80) and a:byte(first) >= 0x80 do
    first = first - 1
  end
  return first
end

local function common_end(a, b, most)
  local last = 0
  while last < most and a:byte(#a - last) == b:byte(#b - last) do
    last = last + 1
  end
  while last > 0 and a:byte(#a - last + 1) >= 0x80 and a:byte(#a - last + 1) < 0xc0 do
    last = last - 1
  end
  return last
end

-- Lines in place of others: without what is alike at the ends of the first and the last.
local function replace(buf, old, new, line)
  local first = common(old[1], new[1])
  local last_old, last_new = old[#old], new[#new]
  local most = math.min(#last_old - (#old == 1 and first or 0), #last_new - (#new == 1 and first or 0))
  local last = common_end(last_old, last_new, most)
  local lines = vim.list_slice(new)
  lines[#lines] = last_new:sub(1, #last_new - last)
  lines[1] = lines[1]:sub(first + 1)
  vim.api.nvim_buf_set_text(buf, line, first, line + #old - 1, #last_old - last, lines)
end

--- Makes `lines` those of a buffer that has `before`, by edits of what differs.
---@param buf integer
---@param before string[]
---@param lines string[]
function M.put(buf, before, lines)
  if #lines == 1 and lines[1] == "" then return vim.api.nvim_buf_set_lines(buf, 0, -1, false, {}) end
  local changes = text.changes(before, lines)
  for i = #changes, 1, -1 do
    local c = changes[i]
    local new = vim.list_slice(lines, c.new_from + 1, c.new_to)
    if c.from == c.to or #new == 0 then
      vim.api.nvim_buf_set_lines(buf, c.from, c.to, true, new)
    else
      replace(buf, vim.list_slice(before, c.from + 1, c.to), new, c.from)
    end
  end
end

--- Makes a text a buffer's.
---@param buf integer
---@param new string
function M.set(buf, new)
  local lines, eol = M.held(text.split(new))
  if new == "\n" then -- a line that has nothing, but is there
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "" })
  else
    M.put(buf, vim.api.nvim_buf_get_lines(buf, 0, -1, false), lines)
  end
  vim.bo[buf].endofline = eol or new == "" or new == "\n" -- an empty file has no line that could lack its end
end

local space = vim.api.nvim_create_namespace("clined.diff.buffers")

--- Changes a buffer so that the user's marks in lines that are changed stay, too: older Neovims drop them.
---@param buf integer
---@param change fun()
function M.keep_marks(buf, change)
  local kept = {}
  for _, mark in ipairs(vim.fn.getmarklist(buf)) do
    local name, line, col = mark.mark:match("^'(%l)$"), mark.pos[2], math.max(mark.pos[3] - 1, 0)
    local id = name and vim.api.nvim_buf_set_extmark(buf, space, line - 1, col, { strict = false })
    if id then kept[name] = id end
  end
  local ok, err = pcall(change)
  for name, id in pairs(kept) do
    local at = vim.api.nvim_buf_get_extmark_by_id(buf, space, id, {})
    if vim.api.nvim_buf_get_mark(buf, name)[1] == 0 and at[1] and at[1] < vim.api.nvim_buf_line_count(buf) then
      vim.api.nvim_buf_set_mark(buf, name, at[1] + 1, at[2], {})
    end
  end
  vim.api.nvim_buf_clear_namespace(buf, space, 0, -1)
  if not ok then error(err, 0) end
end

--- Whether a buffer has a text. Neovim shows an empty file as a line without anything.
---@param now string of the buffer
---@param wanted string
---@return boolean
function M.same(now, wanted) return now == wanted or ((now == "" or now == "\n") and (wanted == "" or wanted == "\n")) end

--- Begins a new step of undo in a buffer.
---@param buf integer
function M.break_undo(buf)
  vim.api.nvim_buf_call(buf, function() vim.cmd("noautocmd let &g:undolevels = &g:undolevels") end)
end

---@param path string
---@return string
local function real(path) return vim.uv.fs_realpath(path) or path end

--- The buffer of a file, loaded or not.
---@param path string
---@return integer?
function M.find(path)
  local exact, wanted = nil, nil
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buf)
    if vim.bo[buf].buftype == "" and name ~= "" then
      if name == path then
        exact = buf
        break
      end
      if vim.fs.basename(name) == vim.fs.basename(path) then wanted = wanted or (real(name) == real(path) and buf or nil) end
    end
  end
  return exact or wanted
end

--- As `find`, of those whose text is in memory.
---@param path string
---@return integer?
function M.loaded(path)
  local buf = M.find(path)
  return buf and vim.api.nvim_buf_is_loaded(buf) and buf or nil
end

return M
