--- What an item of the chat looks like: its lines, and what lies on them. Made by the renderers, drawn by chat/transcript.
---
--- Owns the shape and how it is put together. Rows are counted from 0 within the block.
local visible = require("clined.chat.visible")

---@class clined.chat.Mark
---@field row integer
---@field col integer
---@field opts vim.api.keyset.set_extmark

---@class clined.chat.Link what <CR> on a row leads to
---@field path? string
---@field line? integer from 1
---@field text? string a text that is shown whole in a buffer of its own
---@field name? string what that text is
---@field id? string the message that waits there

---@class clined.chat.Block
---@field lines string[]
---@field marks clined.chat.Mark[]
---@field folds { first: integer, last: integer, open?: boolean }[]
---@field markdown clined.chat.Range[] rows that are Markdown
---@field gutter table<integer, "user"|"waiting"> of rows that have a bar beside them
---@field links table<integer, clined.chat.Link>
---@field first "line"|"text" how it begins: lines of calls stand without a blank line between them
---@field last "line"|"text"
---@field item? clined.Item what it shows
---@field inner? clined.chat.Block itself without the blank line above
---@field gap? integer blank lines above
---@field growing? table where the text that grows begins, of the renderer
local Block = {}
Block.__index = Block

local M = {}

---@return clined.chat.Block
function M.new()
  return setmetatable({ lines = {}, marks = {}, folds = {}, markdown = {}, gutter = {}, links = {}, first = "text", last = "text" }, Block)
end

--- The row that the next line will have.
---@return integer
function Block:row() return #self.lines end

---@param row integer
---@param col integer
---@param opts vim.api.keyset.set_extmark
function Block:mark(row, col, opts) table.insert(self.marks, { row = row, col = col, opts = opts }) end

--- Adds a line of pieces, each a text or `{ text, group }`. They must be fit to be shown.
---@param ... string|{ [1]: string, [2]: string? }
---@return integer row
function Block:line(...)
  local row, text = #self.lines, ""
  for _, piece in ipairs({ ... }) do
    if type(piece) == "string" then
      text = text .. piece
    else
      if piece[2] and piece[1] ~= "" then
        self:mark(row, #text, { end_row = row, end_col = #text + #piece[1], hl_group = piece[2], hl_mode = "combine" })
      end
      text = text .. piece[1]
    end
  end
  self.lines[row + 1] = text
  return row
end

--- Adds the lines of a text, behind `indent`.
---@param text string as it came
---@param opts { group?: string, indent?: string, name?: string, most?: integer, from?: "end", keep?: string } at most so many lines, the first of them or the last; `name` is what is shown whole where some is cut
function Block:text(text, opts)
  local lines, short = visible.lines((text:gsub("\n+$", "")))
  local indent, most = opts.indent or "", opts.most or math.huge
  local from, to = 1, #lines
  if #lines > most then
    if opts.from == "end" then
      from = #lines - most + 1
    else
      to = most
    end
  end
  local function left(n, where)
    local row = self:line({ ("%s… %s %s"):format(indent, visible.plural(n, "line"), where), "ClinedCut" })
    if opts.name then self.links[row] = { text = text, name = opts.name } end
  end
  if from > 1 then left(from - 1, "above") end
  for i = from, to do
    local row = self:line(indent, { lines[i], opts.group })
    if short and short[i] and opts.name then self.links[row] = { text = text, name = opts.name } end
  end
  if to < #lines then left(#lines - to, "more") end
end

--- Folds everything from a row to the end of the block.
---@param first integer
---@param open? boolean
function Block:fold(first, open)
  if #self.lines - 1 > first then table.insert(self.folds, { first = first, last = #self.lines - 1, open = open }) end
end

--- Adds another block behind this one.
---@param other clined.chat.Block
function Block:append(other)
  local by = #self.lines
  vim.list_extend(self.lines, other.lines)
  for _, mark in ipairs(other.marks) do
    local opts = mark.opts
    if opts.end_row then opts = vim.tbl_extend("force", opts, { end_row = opts.end_row + by }) end
    self:mark(mark.row + by, mark.col, opts)
  end
  for _, fold in ipairs(other.folds) do
    table.insert(self.folds, { first = fold.first + by, last = fold.last + by, open = fold.open })
  end
  for _, range in ipairs(other.markdown) do
    table.insert(self.markdown, { first = range.first + by, last = range.last + by, open = range.open and range.open + by })
  end
  for row, kind in pairs(other.gutter) do
    self.gutter[row + by] = kind
  end
  for row, link in pairs(other.links) do
    self.links[row + by] = link
  end
  if by == 0 then self.first = other.first end
  self.last = other.last
end

return M
