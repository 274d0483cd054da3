--- Follows what the model writes: the line is marked, and the cursor goes along unless the user took it elsewhere.
local M = {}

local space = vim.api.nvim_create_namespace("clined.diff.follow")

---@type table<string, integer> where the cursor was put last, from 1, by view
local put = {}
---@type table<string, integer> the line that was marked last
local marked = {}
---@type table<string, boolean>
local following = {}

--- The text is about to change: where the user is tells whether they follow.
---@param view clined.DiffView
---@param win? integer
function M.before(view, win)
  if not win then
    following[view.id], put[view.id] = true, nil -- who opens it later sees where it is written
    return
  end
  local line = vim.api.nvim_win_get_cursor(win)[1]
  local visual = vim.api.nvim_get_current_win() == win and vim.api.nvim_get_mode().mode ~= "n"
  -- Back at the line that is written means that they want to see it.
  following[view.id] = not visual and (put[view.id] == nil or line == put[view.id] or line == marked[view.id])
end

--- The text changed.
---@param view clined.DiffView
---@param win? integer
function M.after(view, win)
  vim.api.nvim_buf_clear_namespace(view.buf, space, 0, -1)
  if not view.active then return end
  local line = math.max(0, math.min(view.active, vim.api.nvim_buf_line_count(view.buf) - 1))
  vim.api.nvim_buf_set_extmark(view.buf, space, line, 0, { line_hl_group = "ClinedDiffWriting" })
  marked[view.id] = line + 1
  if not win or following[view.id] == false then return end
  put[view.id] = line + 1
  M.look_at(win, line)
end

--- Whether the user followed it to its end.
---@param view clined.DiffView
---@return boolean
function M.followed(view) return following[view.id] ~= false end

--- Puts the cursor of a window on a line, from 0, in view.
---@param win integer
---@param line integer
function M.look_at(win, line)
  local count = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(win))
  vim.api.nvim_win_set_cursor(win, { math.max(1, math.min(line + 1, count)), 0 })
end

---@param view clined.DiffView
function M.forget(view)
  put[view.id], marked[view.id], following[view.id] = nil, nil, nil
end

return M
