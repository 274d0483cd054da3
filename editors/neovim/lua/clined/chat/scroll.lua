--- Where the windows of the chat look: those whose cursor is on the last line follow what comes, any other stays where it is.
local api = vim.api
local M = {}

--- The windows on a buffer whose cursor is on the last line.
---@param buf integer
---@return integer[]
function M.following(buf)
  local windows, last = {}, api.nvim_buf_line_count(buf)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    if api.nvim_win_get_cursor(win)[1] >= last then table.insert(windows, win) end
  end
  return windows
end

-- The first line of a window that has the last one at its lower end.
local function top_for(win, last)
  local top, room = last, api.nvim_win_get_height(win) - (vim.wo[win].winbar ~= "" and 1 or 0)
  room = room - api.nvim_win_text_height(win, { start_row = last - 1, end_row = last - 1 }).all
  while top > 1 do
    local start = vim.fn.foldclosed(top - 1)
    start = start == -1 and top - 1 or start
    room = room - api.nvim_win_text_height(win, { start_row = start - 1, end_row = top - 2 }).all
    if room < 0 then break end
    top = start
  end
  return top
end

--- Goes to the last line. By itself Neovim scrolls no more than it must, so after `more` lines at the end the cursor is enough; after
--- more than that, or less, the first line is found by the height of each, which costs more than all else here. Of another tab page
--- nothing is known but the cursor: that is for when it is seen.
---@param win integer
---@param more? integer
function M.to_end(win, more)
  local buf = api.nvim_win_get_buf(win)
  local last = api.nvim_buf_line_count(buf)
  local length = #api.nvim_buf_get_lines(buf, last - 1, last, false)[1]
  api.nvim_win_set_cursor(win, { last, length > api.nvim_win_get_width(win) - 4 and length or 0 })
  if api.nvim_win_get_tabpage(win) ~= api.nvim_get_current_tabpage() then return end
  if more and more >= 0 and more < api.nvim_win_get_height(win) / 2 then return end
  api.nvim_win_call(win, function()
    local top = top_for(win, last)
    if vim.fn.line("w0") ~= top then vim.fn.winrestview({ topline = top }) end
  end)
end

return M
