--- The highlight groups of clined's buffers.
---
--- Owns which there are. Each only links to a group that every colour scheme has; a scheme or a configuration may set its own.
local M = {}

---@class clined.Highlight
---@field name string
---@field link string
---@field desc string for the help

--- In the order of the help.
---@type clined.Highlight[]
M.list = {
  { name = "ClinedUser", link = "NormalFloat", desc = "what you said" },
  { name = "ClinedUserBar", link = "Title", desc = "the bar beside it" },
  { name = "ClinedWaiting", link = "Comment", desc = "what you said and the model has not heard yet" },
  { name = "ClinedThought", link = "Comment", desc = "reasoning" },
  { name = "ClinedDone", link = "DiagnosticOk", desc = "the sign of a call that was made" },
  { name = "ClinedRunning", link = "DiagnosticInfo", desc = "the sign of one that runs, and what is being done" },
  { name = "ClinedFailed", link = "DiagnosticError", desc = "the sign of one that failed, and errors" },
  { name = "ClinedDenied", link = "DiagnosticWarn", desc = "the sign of one that was refused, and warnings" },
  { name = "ClinedCall", link = "Function", desc = "what a call does: Read, Run, Edit" },
  { name = "ClinedPath", link = "Directory", desc = "paths that can be gone to" },
  { name = "ClinedCommand", link = "String", desc = "commands and expressions" },
  { name = "ClinedFigure", link = "Comment", desc = "figures, hints and other words beside" },
  { name = "ClinedOutput", link = "Comment", desc = "what a command prints and a tool answers" },
  { name = "ClinedLabel", link = "Label", desc = "names of the parts of a call" },
  { name = "ClinedAdded", link = "Added", desc = "lines that a change adds" },
  { name = "ClinedRemoved", link = "Removed", desc = "lines that it takes away" },
  { name = "ClinedHunk", link = "Identifier", desc = "where in the file they are" },
  { name = "ClinedDiffWriting", link = "CursorLine", desc = "the line of a proposal that the model writes" },
  { name = "ClinedDiffLeftOut", link = "Comment", desc = "changes of a proposal that you leave out" },
  { name = "ClinedDecision", link = "DiagnosticWarn", desc = "the title of what is to be decided" },
  { name = "ClinedKey", link = "Special", desc = "keys that do something" },
  { name = "ClinedTitle", link = "Title", desc = "titles" },
  { name = "ClinedTodo", link = "Normal", desc = "steps of the checklist" },
  { name = "ClinedTodoDone", link = "Comment", desc = "those that are done" },
  { name = "ClinedGutter", link = "NonText", desc = "signs of folds beside the text" },
  { name = "ClinedCut", link = "NonText", desc = "marks where something is left out" },
  { name = "ClinedPlaceholder", link = "NonText", desc = "the hint in an empty input" },
  { name = "ClinedBar", link = "WinBar", desc = "the line above the chat" },
  { name = "ClinedBarDim", link = "WinBarNC", desc = "figures in it" },
}

--- Sets those that nobody else has set; again after each change of the colour scheme.
function M.set()
  for _, group in ipairs(M.list) do
    vim.api.nvim_set_hl(0, group.name, { link = group.link, default = true })
  end
end

local group

--- Sets them now and whenever a scheme clears them.
function M.setup()
  if group then return end
  group = vim.api.nvim_create_augroup("clined.highlight", { clear = true })
  vim.api.nvim_create_autocmd("ColorScheme", { group = group, callback = M.set })
  M.set()
end

return M
