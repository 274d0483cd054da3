--- Texts by lines, as the protocol counts them: lines are joined by LF, and a line end at the end is an empty line more.
---
--- Owns these rules; knows no buffers and no windows.
local M = {}

---@class clined.LineChange lines `from` to `to`, exclusive and from 0, of one text became `new_from` to `new_to` of another
---@field from integer
---@field to integer
---@field new_from integer
---@field new_to integer

local mark = "\239\187\191"

--- A text as it goes over the wire: LF, no byte order mark.
---@param text string
---@return string
function M.plain(text)
  if text:sub(1, 3) == mark then text = text:sub(4) end
  if text:find("\r\n", 1, true) then text = text:gsub("\r\n", "\n") end
  return text
end

---@param text string
---@return string[]
function M.split(text) return vim.split(text, "\n", { plain = true }) end

---@param lines string[]
---@return string
function M.join(lines) return table.concat(lines, "\n") end

--- The SHA-256 of a text, in hex.
---@param text string
---@return string
function M.hash(text) return vim.fn.sha256(text) end

-- Replaces lines in place.
local function splice(lines, from, to, by)
  local count, shift = #lines, #by - (to - from)
  table.move(lines, to + 1, count, to + 1 + shift)
  for i = count + shift + 1, count do
    lines[i] = nil
  end
  table.move(by, 1, #by, from + 1, lines)
end

--- Makes edits one after the other, in place. False when one is outside of the text: some were lost before.
---@param lines string[]
---@param edits clined.protocol.LineEdit[]
---@return boolean
function M.apply(lines, edits)
  for _, edit in ipairs(edits) do
    if edit.startLine < 0 or edit.endLine < edit.startLine or edit.endLine > #lines then return false end
    splice(lines, edit.startLine, edit.endLine, edit.lines)
  end
  return true
end

--- The lines in which two texts differ, as one change: what is alike at both ends is left out. Nil when they are the same.
---@param before string[]
---@param after string[]
---@return clined.LineChange?
function M.differing(before, after)
  local most = math.min(#before, #after)
  local from = 0
  while from < most and before[from + 1] == after[from + 1] do
    from = from + 1
  end
  if from == #before and from == #after then return nil end
  local tail = 0
  while tail < most - from and before[#before - tail] == after[#after - tail] do
    tail = tail + 1
  end
  return { from = from, to = #before - tail, new_from = from, new_to = #after - tail }
end

--- What leads from one text to the other, in order.
---@param before string[]
---@param after string[]
---@return clined.LineChange[]
function M.changes(before, after)
  local whole = M.differing(before, after)
  if not whole then return {} end
  local function part(lines, from, to) return from == to and "" or table.concat(lines, "\n", from + 1, to) .. "\n" end
  local a, b = part(before, whole.from, whole.to), part(after, whole.new_from, whole.new_to)
  local diff = vim.text and vim.text.diff or vim.diff
  local found = diff(a, b, { result_type = "indices" }) --[[@as integer[][]?]]
  local changes = {}
  for _, hunk in ipairs(found or {}) do
    local old, old_count, new, new_count = unpack(hunk)
    -- Of no lines the line in front is told.
    local from = whole.from + (old_count == 0 and old or old - 1)
    local new_from = whole.new_from + (new_count == 0 and new or new - 1)
    table.insert(changes, { from = from, to = from + old_count, new_from = new_from, new_to = new_from + new_count })
  end
  return changes
end

--- The line of the new text where the first change is; 0 when there is none.
---@param before string[]
---@param after string[]
---@return integer
function M.first_change(before, after)
  local change = M.differing(before, after)
  return change and change.new_from or 0
end

return M
