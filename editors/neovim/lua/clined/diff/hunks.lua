--- The hunks of an approval in a proposal that the user went on editing: where each is now, and which are left out.
---
--- Owns what the user leaves out, by approval. Draws nothing; the rest is made of texts.
local text = require("clined.diff.text")

local M = {}

---@class clined.PlacedHunk a hunk in the proposed side as it is now; lines from 0, `to` exclusive
---@field id string
---@field from integer
---@field to integer
---@field undone boolean the user put back by hand what the file has there: there is nothing left to take or leave

---@type table<string, table<string, true>> ids of hunks by approval
local left_out = {}

-- Where a boundary between lines is after the changes; within one it goes to that one's side.
local function shift(changes, line, side)
  local by = 0
  for _, c in ipairs(changes) do
    if c.from > line or (c.from == line and side == "start" and c.from == c.to) then break end
    if line < c.to then return side == "end" and c.from < line and c.new_to or c.new_from end
    if c.to == line and c.from == line and side == "end" then return c.new_to end
    by = c.new_to - c.to
  end
  return line + by
end

local function same(a, from, to, b, new_from, new_to)
  if to - from ~= new_to - new_from then return false end
  for i = 1, to - from do
    if a[from + i] ~= b[new_from + i] then return false end
  end
  return true
end

--- Finds the hunks, which count in `proposed`, in what the user made of it.
---@param hunks clined.protocol.Hunk[]
---@param base string
---@param proposed string
---@param now string
---@return clined.PlacedHunk[]
function M.place(hunks, base, proposed, now)
  if now == proposed then
    return vim.tbl_map(function(h) return { id = h.id, from = h.newStartLine, to = h.newEndLine, undone = false } end, hunks)
  end
  local old, after = text.split(base), text.split(now)
  local changes = text.changes(text.split(proposed), after)
  return vim.tbl_map(function(h)
    local from = shift(changes, h.newStartLine, "start")
    local to = math.max(from, shift(changes, h.newEndLine, "end"))
    return { id = h.id, from = from, to = to, undone = same(old, h.startLine, h.endLine, after, from, to) }
  end, hunks)
end

--- The ids of all hunks of an approval.
---@param params clined.protocol.ApprovalRequestParams
---@return string[]
function M.all(params)
  local ids = {}
  for _, file in ipairs(params.subject.files or {}) do
    for _, hunk in ipairs(file.hunks or {}) do
      table.insert(ids, hunk.id)
    end
  end
  return ids
end

---@param approval string
---@param hunk string
---@return boolean
function M.is_left_out(approval, hunk) return left_out[approval] ~= nil and left_out[approval][hunk] or false end

---@param approval string
---@param hunk string
---@param out boolean
function M.leave_out(approval, hunk, out)
  left_out[approval] = left_out[approval] or {}
  left_out[approval][hunk] = out or nil
end

--- The ids of the hunks that are kept; nil for all of them, for then nothing needs to be said.
---@param params clined.protocol.ApprovalRequestParams
---@return string[]?
function M.kept(params)
  local all = M.all(params)
  local kept = vim.tbl_filter(function(id) return not M.is_left_out(params.approvalId, id) end, all)
  return #kept < #all and kept or nil
end

---@param approval string that is decided
function M.forget(approval) left_out[approval] = nil end

return M
