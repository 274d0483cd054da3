--- Cuts a long text of Markdown into sections that mean the same each on its own: the parser is given those in sight alone, and
--- what grows at the end of a long answer costs as much as at the end of a short one.
---
--- Owns where a cut is safe: at a line that begins without indent behind a blank one, outside of a block of code. Pure.
local M = {}

--- Lines that a section has at least.
local least = 40

---@class clined.chat.Section
---@field seen integer lines of the last section that were looked at
---@field fence? string what opened the block of code that is not closed yet
---@field blank? boolean the line looked at last is blank

---@return clined.chat.Section
function M.new() return { seen = 0 } end

---@param state clined.chat.Section
---@param line string
local function look(state, line)
  local mark, behind = line:match("^%s*(```+)([^`]*)$")
  if not mark then
    mark, behind = line:match("^%s*(~~~+)(.*)$")
  end
  if not state.fence then
    state.fence = mark
  elseif mark and #mark >= #state.fence and mark:byte() == state.fence:byte() and not behind:find("%S") then
    state.fence = nil
  end
  state.blank = not line:find("%S")
end

--- Cuts the last of these ranges where it can be cut. Its last line may still grow, unless `whole`.
---@param state clined.chat.Section
---@param ranges { first: integer, last: integer }[] rows from 0
---@param lines string[] of the block
---@param whole? boolean
function M.cut(state, ranges, lines, whole)
  local range = ranges[#ranges]
  while range.first + state.seen + (whole and 0 or 1) <= range.last do
    local row = range.first + state.seen
    local line = lines[row + 1]
    if state.seen >= least and state.blank and not state.fence and line:find("^%S") then
      local behind = { first = row, last = range.last }
      range.last, range, state.seen = row - 1, behind, 0
      ranges[#ranges + 1] = range
    end
    look(state, line)
    state.seen = state.seen + 1
  end
end

return M
