--- Where proposals are shown: in a tab or in one window, as the user set it.
local follow = require("clined.diff.follow")

local M = {}

---@type table<string, "tab"|"inline"> how a proposal is shown, by id
local layout = {}

local function of(view) return require("clined.diff." .. (layout[view.id] or "tab")) end

--- Whether a proposal has no other side beside it.
---@param view clined.DiffView
---@return boolean
function M.alone(view) return layout[view.id] == "inline" end

--- Shows a proposal and goes to it.
---@param view clined.DiffView
function M.show(view)
  layout[view.id] = layout[view.id] or require("clined.config").get().diff.layout
  of(view).show(view)
end

---@param view clined.DiffView
---@return integer?
function M.win(view) return layout[view.id] and of(view).win(view) or nil end

---@param view clined.DiffView
function M.before_draw(view) follow.before(view, M.win(view)) end

---@param view clined.DiffView
function M.drawn(view)
  if layout[view.id] then of(view).drawn(view) end
  follow.after(view, M.win(view))
end

--- Takes a proposal off the screen; the user is where they were before. Tells whether they were in it.
---@param view clined.DiffView
---@return boolean
function M.close(view) return layout[view.id] ~= nil and of(view).close(view) end

---@param view clined.DiffView
function M.forget(view)
  layout[view.id] = nil
  follow.forget(view)
end

--- Tidies up where the user closed a window. Returns the proposals that are not shown any more.
---@return clined.DiffView[]
function M.left()
  local views = require("clined.diff.tab").left()
  return vim.list_extend(views, require("clined.diff.inline").left())
end

return M
