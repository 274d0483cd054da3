--- The buffer of the chat, as a row of blocks: which lines are whose, and how one is replaced without touching the others.
---
--- Owns the buffer's text, its marks and the folds in every window that shows it. Knows nothing of tasks: chat/view says what is
--- drawn. Nobody else writes into the buffer; should somebody, `intact` tells.
local api = vim.api

local M = {}

local ns = api.nvim_create_namespace("clined.chat")

---@class clined.chat.Transcript
---@field buf integer
---@field blocks clined.chat.Block[]
---@field private lines? integer how many the blocks have
---@field private starts? integer[] the first row of each block; made when it is asked for
---@field tick integer the buffer's changedtick as it was left
local Transcript = {}
Transcript.__index = Transcript

---@param buf integer
---@return clined.chat.Transcript
function M.new(buf) return setmetatable({ buf = buf, blocks = {}, tick = -1 }, Transcript) end

--- Whether the buffer is as it was left.
---@return boolean
function Transcript:intact() return api.nvim_buf_get_changedtick(self.buf) == self.tick end

-- The rows of the blocks' first lines, counted when first asked for after a change.
local function starts(self)
  if not self.starts then
    local row, all = 0, {}
    for i, block in ipairs(self.blocks) do
      all[i] = row
      row = row + #block.lines
    end
    self.starts = all
  end
  return self.starts
end

-- A block has so many lines more than when `known` was counted: what stands behind it moves.
---@param self clined.chat.Transcript
---@param at integer
---@param more integer
---@param known? integer[]
local function moved(self, at, more, known)
  self.lines = self:height() + more
  for i = at + 1, known and more ~= 0 and #known or 0 do
    known[i] = known[i] + more
  end
end

--- The row of a block's first line, from 0.
---@param at integer
---@return integer
function Transcript:row(at) return starts(self)[at] or self:height() end

--- Lines that the blocks have. A buffer has a line even when they have none.
---@return integer
function Transcript:height() return self.lines or 0 end

--- The block at a row, and the row within it.
---@param row integer from 0
---@return integer? at, integer? inside
function Transcript:find(row)
  if row < 0 or row >= self:height() then return end
  local all, low, high = starts(self), 1, #self.blocks
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if all[middle] <= row then
      low = middle
    else
      high = middle - 1
    end
  end
  -- Of blocks without lines, which begin there too, it is the one with the row.
  while #self.blocks[low].lines == 0 do
    low = low - 1
  end
  return low, row - all[low]
end

-- Folds stay with the lines that stay: what is replaced line by line keeps them, what is more or less goes in or out at the end.
---@param self clined.chat.Transcript
---@param first integer
---@param last integer exclusive
---@param lines string[]
local function write(self, first, last, lines)
  local bo = vim.bo[self.buf]
  bo.modifiable = true
  -- The one line of an empty buffer is no block's.
  if self:height() == 0 then
    first, last = 0, api.nvim_buf_line_count(self.buf)
  end
  local both = math.min(last - first, #lines)
  -- Not by nvim_buf_set_lines: that of 0.12 takes lines that it replaces out of their fold, and puts those that it adds in front of
  -- a fold into it.
  if both > 0 then vim.fn.setbufline(self.buf, first + 1, vim.list_slice(lines, 1, both)) end
  local line = first + both
  if last - line >= api.nvim_buf_line_count(self.buf) then
    api.nvim_buf_set_lines(self.buf, 0, -1, false, {}) -- all of it: no fold is left
  elseif last > line then
    vim.fn.deletebufline(self.buf, line + 1, last)
  elseif #lines > both then
    vim.fn.appendbufline(self.buf, line, vim.list_slice(lines, both + 1))
  end
  bo.modifiable, bo.modified = false, false
end

-- The same for lines whose folds are to go. Where windows look stays.
---@param self clined.chat.Transcript
---@param first integer
---@param last integer exclusive
---@param lines string[]
local function write_anew(self, first, last, lines)
  local views = {}
  for _, win in ipairs(self:windows()) do
    views[win] = api.nvim_win_call(win, vim.fn.winsaveview)
  end
  write(self, last, last, lines)
  if last > first then write(self, first, last, {}) end
  for win, view in pairs(views) do
    api.nvim_win_call(win, function() vim.fn.winrestview(view) end)
  end
end

local function mark(self, block, row, from)
  for _, m in ipairs(block.marks) do
    if m.row >= from then
      local opts = m.opts
      if opts.end_row then opts = vim.tbl_extend("force", opts, { end_row = opts.end_row + row }) end
      api.nvim_buf_set_extmark(self.buf, ns, row + m.row, m.col, opts)
    end
  end
end

---@param win integer
---@param row integer
---@param folds { first: integer, last: integer, open?: boolean }[]
---@param was_open? table<integer, true>
local function fold(win, row, folds, was_open)
  api.nvim_win_call(win, function()
    if vim.wo.foldmethod ~= "manual" then return end
    local all_open = vim.wo.foldlevel > 0
    for _, f in ipairs(folds) do
      vim.cmd(("%d,%dfold"):format(row + f.first + 1, row + f.last + 1))
      if f.open or all_open or (was_open and was_open[f.first]) then vim.cmd(("%dfoldopen"):format(row + f.first + 1)) end
    end
  end)
end

-- Which of the folds that begin within these rows are open, by their place in the block.
local function open_folds(win, row, folds)
  local open
  for _, f in ipairs(folds) do
    local closed = api.nvim_win_call(win, function() return vim.fn.foldclosed(row + f.first + 1) end)
    if closed == -1 then
      open = open or {}
      open[f.first] = true
    end
  end
  return open
end

---@return integer[]
function Transcript:windows() return vim.fn.win_findbuf(self.buf) end

--- Replaces `count` blocks from the `at`th on.
---@param at integer
---@param count integer
---@param blocks clined.chat.Block[]
function Transcript:splice(at, count, blocks)
  if count == 0 and #blocks == 0 then return end
  local row, gone, lines, folds = self:row(at), 0, {}, false
  for i = at, at + count - 1 do
    gone = gone + #self.blocks[i].lines
    folds = folds or #self.blocks[i].folds > 0
  end
  for _, block in ipairs(blocks) do
    vim.list_extend(lines, block.lines)
  end
  -- Marks of lines that go would stay with the line behind them.
  if gone > 0 then api.nvim_buf_clear_namespace(self.buf, ns, row, row + gone) end
  if folds then
    write_anew(self, row, row + gone, lines)
  else
    write(self, row, row + gone, lines)
  end
  local before = self.blocks
  self.blocks = {}
  for i = 1, at - 1 do
    self.blocks[i] = before[i]
  end
  vim.list_extend(self.blocks, blocks)
  for i = at + count, #before do
    table.insert(self.blocks, before[i])
  end
  self.lines, self.starts = self:height() - gone + #lines, nil
  local first, fresh = row, {}
  for _, block in ipairs(blocks) do
    mark(self, block, first, 0)
    for _, f in ipairs(block.folds) do
      table.insert(fresh, { first = first + f.first, last = first + f.last, open = f.open })
    end
    first = first + #block.lines
  end
  if #fresh > 0 then
    for _, win in ipairs(self:windows()) do
      fold(win, 0, fresh)
    end
  end
  self.tick = api.nvim_buf_get_changedtick(self.buf)
end

local function same(a, b) return a == b or vim.deep_equal(a, b) end

--- Draws a block anew. Lines that stay as they are are not touched; folds that were open stay so.
---@param at integer
---@param block clined.chat.Block
function Transcript:set(at, block)
  local old = self.blocks[at]
  if same(old.lines, block.lines) and same(old.marks, block.marks) and same(old.folds, block.folds) then
    self.blocks[at] = block
    return
  end
  local row, windows = self:row(at), self:windows()
  local open = {}
  for _, win in ipairs(windows) do
    open[win] = open_folds(win, row, old.folds)
  end
  api.nvim_buf_clear_namespace(self.buf, ns, row, row + #old.lines)
  local folds = block.folds
  if #old.folds > 0 and not same(old.folds, folds) then
    write_anew(self, row, row + #old.lines, block.lines)
  else
    local from, old_last, last = 0, #old.lines, #block.lines
    while from < old_last and from < last and old.lines[from + 1] == block.lines[from + 1] do
      from = from + 1
    end
    -- Lines that move would take a fold along.
    local moves = #old.folds > 0 and old_last ~= last
    while not moves and old_last > from and last > from and old.lines[old_last] == block.lines[last] do
      old_last, last = old_last - 1, last - 1
    end
    if old_last > from or last > from then write(self, row + from, row + old_last, vim.list_slice(block.lines, from + 1, last)) end
    if #old.folds > 0 then folds = {} end -- they are as they were
  end
  self.blocks[at] = block
  moved(self, at, #block.lines - #old.lines, self.starts)
  mark(self, block, row, 0)
  if #folds > 0 then
    for _, win in ipairs(windows) do
      fold(win, row, folds, open[win])
    end
  end
  self.tick = api.nvim_buf_get_changedtick(self.buf)
end

--- Replaces the lines of a block from a row on. The block has them already.
---@param at integer
---@param row integer within the block
---@param before integer lines that the block had
---@param lines string[]
function Transcript:grow(at, row, before, lines)
  local known = self.starts -- one that is counted now knows the lines
  local first = self:row(at)
  moved(self, at, #self.blocks[at].lines - before, known)
  write(self, first + row, first + before, lines)
  self.tick = api.nvim_buf_get_changedtick(self.buf)
end

--- Makes the folds of all blocks in a window that shows the buffer anew.
---@param win integer
function Transcript:fold(win)
  api.nvim_win_call(win, function() vim.cmd("normal! zE") end)
  local row, all = 0, {}
  for _, block in ipairs(self.blocks) do
    for _, f in ipairs(block.folds) do
      table.insert(all, { first = row + f.first, last = row + f.last, open = f.open })
    end
    row = row + #block.lines
  end
  fold(win, 0, all)
end

--- Forgets all, as after somebody else wrote into the buffer.
function Transcript:clear()
  api.nvim_buf_clear_namespace(self.buf, ns, 0, -1)
  self.blocks, self.lines, self.starts = {}, 0, nil
  write(self, 0, -1, {})
  self.tick = api.nvim_buf_get_changedtick(self.buf)
end

return M
