--- What the proposals have of an approval: what the user made of them, and whether they see them.
local front = require("clined.diff.front")
local hunks = require("clined.diff.hunks")
local screen = require("clined.diff.screen")
local views = require("clined.diff.views")

local M = {}

---@param params clined.protocol.ApprovalRequestParams
---@return clined.DiffView[]
local function of_params(params)
  local list = {}
  for _, file in ipairs(params.subject.files or {}) do
    local view = views.get(file.diffId)
    if view then table.insert(list, view) end
  end
  return list
end

--- What the proposals have of an approval.
---@param params clined.protocol.ApprovalRequestParams
---@return { edited: boolean, hunks: integer, left_out: integer }
function M.of(params)
  local edited = vim.iter(of_params(params)):any(function(view) return view:is_edited() end)
  local all, kept = hunks.all(params), hunks.kept(params)
  return { edited = edited, hunks = #all, left_out = kept and #all - #kept or 0 }
end

--- Tells the daemon all that the user made of the proposals of an approval so far.
---@param params clined.protocol.ApprovalRequestParams
function M.flush(params)
  for _, view in ipairs(of_params(params)) do
    view:flush()
  end
end

--- Whether a proposal of an approval is before the user's eyes.
---@param params clined.protocol.ApprovalRequestParams
---@return boolean
function M.is_seen(params)
  return vim.iter(of_params(params)):any(function(view)
    local win = screen.win(view)
    return win ~= nil and vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage()
  end)
end

--- Whether one is, or will be once they pause.
---@param params clined.protocol.ApprovalRequestParams
---@return boolean
function M.shows(params)
  return vim.iter(of_params(params)):any(function(view) return screen.win(view) ~= nil or front.will_show(view) end)
end

return M
