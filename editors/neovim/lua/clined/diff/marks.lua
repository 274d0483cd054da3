--- What lies on a proposal that is to be decided: hunks that are left out, and in one window, where there is no other side, what
--- it takes away and adds.
local hunks = require("clined.diff.hunks")
local text = require("clined.diff.text")

local M = {}

local space = vim.api.nvim_create_namespace("clined.diff.marks")

--- Lines of what is taken away that are shown of one change.
local most = 200

local function mark(buf, line, opts)
  local last = vim.api.nvim_buf_line_count(buf) - 1
  vim.api.nvim_buf_set_extmark(buf, space, math.max(0, math.min(line, last)), 0, opts)
end

-- Lines of the base above the line where they were.
local function removed(buf, lines, change, group)
  local virtual = {}
  for i = change.from + 1, math.min(change.to, change.from + most) do
    local line = require("clined.chat.visible").text(lines[i]):gsub("\t", (" "):rep(vim.bo[buf].tabstop))
    table.insert(virtual, { { line .. (" "):rep(math.max(0, 300 - #line)), group } })
  end
  if change.to - change.from > most then
    table.insert(virtual, { { ("… %d lines more"):format(change.to - change.from - most), "ClinedCut" } })
  end
  local below = change.new_from >= vim.api.nvim_buf_line_count(buf)
  mark(buf, change.new_from, { virt_lines = virtual, virt_lines_above = not below })
end

-- What Neovim's diff would show, in one window.
local function inline(view)
  local base, now = text.split(view.base), text.split(view:text())
  for _, change in ipairs(text.changes(base, now)) do
    if change.to > change.from then removed(view.buf, base, change, "DiffDelete") end
    for line = change.new_from, change.new_to - 1 do
      mark(view.buf, line, { line_hl_group = "DiffAdd", priority = 50 })
    end
  end
end

local function out(view, hunk)
  local note = { { " left out", "ClinedDiffLeftOut" } }
  if hunk.to == hunk.from then
    local last = vim.api.nvim_buf_line_count(view.buf)
    return mark(view.buf, hunk.from, { virt_lines = { note }, virt_lines_above = hunk.from < last })
  end
  for line = hunk.from, hunk.to - 1 do
    local opts = {
      line_hl_group = "ClinedDiffLeftOut",
      hl_group = "ClinedDiffLeftOut",
      end_row = line + 1,
      hl_eol = true,
      priority = 300,
      strict = false,
    }
    opts.virt_text, opts.virt_text_pos = line == hunk.from and note or { { " ·", "ClinedDiffLeftOut" } }, "right_align"
    mark(view.buf, line, opts)
  end
end

--- Draws them anew.
---@param view clined.DiffView
---@param approval? string that asks about it
---@param placed clined.PlacedHunk[]
---@param alone boolean it is shown without its base
function M.draw(view, approval, placed, alone)
  if not view:is_valid() then return end
  vim.api.nvim_buf_clear_namespace(view.buf, space, 0, -1)
  if alone then inline(view) end
  for _, hunk in ipairs(approval and placed or {}) do
    if not hunk.undone and hunks.is_left_out(approval, hunk.id) then out(view, hunk) end
  end
end

return M
