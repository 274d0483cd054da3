--- Diffs, in a call or in what is to be decided: lines with their colours, each a link to where it is in the file.
local visible = require("clined.chat.visible")
local words = require("clined.chat.words")

local M = {}

local groups = { head = "ClinedFigure", hunk = "ClinedHunk", added = "ClinedAdded", removed = "ClinedRemoved", note = "ClinedFigure" }

---@param block clined.chat.Block
---@param diff string
---@param opts { indent?: string, most?: integer, path?: string, name: string } `path` is the one file that it is about
function M.draw(block, diff, opts)
  local indent, drawn, left = opts.indent or "", 0, 0
  local path
  for row in words.rows(diff) do
    path = row.path or path
    -- Of a single file the head says what the line of the call says.
    if not (opts.path and row.kind == "head") then
      if drawn >= (opts.most or 500) then
        left = left + 1
      else
        drawn = drawn + 1
        local text = visible.text(visible.clip(row.text, visible.longest))
        local at = block:line(indent, { text, groups[row.kind] })
        if row.line then block.links[at] = { path = opts.path or path, line = row.line } end
      end
    end
  end
  if left > 0 then
    local at = block:line({ ("%s… %s more"):format(indent, visible.plural(left, "line")), "ClinedCut" })
    block.links[at] = { text = diff, name = opts.name }
  end
end

return M
