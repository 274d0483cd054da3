--- Cuts a long text of Markdown into sections that mean the same each on its own: the parser is given those in sight alone, and
--- what grows at the end of a long answer costs as much as at the end of a short one.
---
--- Owns where a cut is safe: at a line that begins without indent behind a blank one. One within a block of code is for long ones
--- alone, and the section behind it has the line with which the block opens as well. Pure.
local M = {}

--- Lines that a section has at least; within a block of code; and there, where no line is fit for a cut.
local least, least_code, most_code = 40, 100, 300

---@class clined.chat.Range rows from 0
---@field first integer
---@field last integer
---@field open? integer the row above at which the block of code opens that the section begins in

---@class clined.chat.Section
---@field seen integer lines of the last section that were looked at
---@field fence? string what opened the block of code that is not closed yet
---@field open? integer its row, counted from the first of the section; none where it belongs to a list, whose indent it needs
---@field blank? boolean the line looked at last is blank

---@return clined.chat.Section
function M.new() return { seen = 0 } end

---@param state clined.chat.Section
---@param line string
local function look(state, line)
  local indent, mark, behind = line:match("^(%s*)(```+)([^`]*)$")
  if not mark then
    indent, mark, behind = line:match("^(%s*)(~~~+)(.*)$")
  end
  if not state.fence then
    state.fence, state.open = mark, mark and #indent < 4 and state.seen or nil
  elseif mark and #mark >= #state.fence and mark:byte() == state.fence:byte() and not behind:find("%S") then
    state.fence = nil
  end
  state.blank = not line:find("%S")
end

---@param state clined.chat.Section
---@param line string
local function fits(state, line)
  local good = state.blank and line:find("^%S") ~= nil
  if not state.fence then return good and state.seen >= least end
  return state.open ~= nil and (good and state.seen >= least_code or state.seen >= most_code)
end

--- Cuts the last of these ranges where it can be cut. Its last line may still grow, unless `whole`.
---@param state clined.chat.Section
---@param ranges clined.chat.Range[]
---@param lines string[] of the block
---@param whole? boolean
function M.cut(state, ranges, lines, whole)
  local range = ranges[#ranges]
  while range.first + state.seen + (whole and 0 or 1) <= range.last do
    local row = range.first + state.seen
    local line = lines[row + 1]
    if fits(state, line) then
      local behind = { first = row, last = range.last }
      if state.fence then
        behind.open = range.first + state.open
        state.open = state.open - state.seen
      end
      range.last, range, state.seen = row - 1, behind, 0
      ranges[#ranges + 1] = range
    end
    look(state, line)
    state.seen = state.seen + 1
  end
end

return M
