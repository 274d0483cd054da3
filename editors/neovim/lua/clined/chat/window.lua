--- The windows of the chat: the transcript and, below it, the input.
---
--- Owns where they open, their options, and that one does not stay without the other. Knows the buffers by number alone.
local api = vim.api

local M = {}

--- Columns that the chat has beside the text, at least, and that are left to the text. On narrower screens it opens below.
local least, least_left = 56, 52

---@class clined.chat.Buffers
---@field chat integer
---@field input integer

---@param buf integer
---@param tab? integer
---@return integer? win
function M.of(buf, tab)
  tab = tab or api.nvim_get_current_tabpage()
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    if api.nvim_win_get_tabpage(win) == tab then return win end
  end
end

local common = {
  number = false,
  relativenumber = false,
  signcolumn = "no",
  foldcolumn = "0",
  wrap = true,
  linebreak = true,
  list = false,
  spell = false,
  cursorcolumn = false,
  colorcolumn = "",
  scrolloff = 0,
  winfixwidth = true,
  winfixbuf = true,
  diff = false,
  scrollbind = false,
  cursorbind = false,
}

local own = {
  chat = {
    breakindent = true,
    breakindentopt = "list:-1",
    cursorline = false,
    conceallevel = 2,
    concealcursor = "n",
    foldmethod = "manual",
    foldenable = true,
    foldlevel = 0,
    foldtext = "",
    -- Between the chat and the bar of the input is a line, not another bar.
    fillchars = "fold: ,eob: ,stl:─,stlnc:─",
    statuscolumn = "%{%v:lua.require'clined.chat.column'.draw()%}",
    winbar = "%{%v:lua.require'clined.chat.winbar'.draw()%}",
    statusline = "%=",
    winhighlight = "Folded:Normal,StatusLine:WinSeparator,StatusLineNC:WinSeparator",
  },
  input = {
    winfixheight = true,
    cursorline = false,
    foldenable = false,
    statuscolumn = "%#ClinedUserBar#▌ ",
    fillchars = "eob: ",
    winbar = "%{%v:lua.require'clined.chat.input'.bar()%}",
    statusline = " clined ",
  },
}

--- Sets the options of a window that shows one of the buffers, for that buffer alone.
---@param win integer
---@param kind "chat"|"input"
function M.dress(win, kind)
  for _, options in ipairs({ common, own[kind] }) do
    for name, value in pairs(options) do
      vim.wo[win][0][name] = value
    end
  end
end

local function size_of(position, size)
  if position == "below" then return math.max(8, math.floor(size < 1 and vim.o.lines * size or size)) end
  local width = math.max(least, math.floor(size < 1 and vim.o.columns * size or size))
  return math.min(width, vim.o.columns - 20)
end

local function open_chat(buf)
  local chat = require("clined.config").get().chat
  local position = chat.position
  if (position == "right" or position == "left") and vim.o.columns < least + least_left then
    position, chat = "below", { size = 0.6 }
  end
  if position == "tab" then
    vim.cmd("tab split")
    api.nvim_win_set_buf(0, buf)
    return api.nvim_get_current_win()
  end
  local size = size_of(position, chat.size)
  local config = { win = -1, split = position }
  config[position == "below" and "height" or "width"] = size
  local win = api.nvim_open_win(buf, false, config)
  -- Neovim takes the columns from the window beside it alone; those of the others stay equal, as after any split.
  if position ~= "below" and vim.o.equalalways then
    vim.wo[win].winfixwidth = true
    vim.cmd("horizontal wincmd =")
  end
  return win
end

--- Shows both buffers in the current tab page.
---@param buffers clined.chat.Buffers
---@return integer chat, integer input windows
function M.open(buffers)
  local chat = M.of(buffers.chat) or open_chat(buffers.chat)
  local input = M.of(buffers.input)
  if not input then
    input = api.nvim_open_win(buffers.input, false, { win = chat, split = "below", height = require("clined.config").get().chat.input })
  end
  return chat, input
end

-- A window that is the last one of its tab page shows another buffer in place of being closed.
local function leave(win)
  if not api.nvim_win_is_valid(win) then return end
  local tab = api.nvim_win_get_tabpage(win)
  local others = vim.tbl_filter(
    function(w) return w ~= win and api.nvim_win_get_config(w).relative == "" end,
    api.nvim_tabpage_list_wins(tab)
  )
  if #others > 0 or #api.nvim_list_tabpages() > 1 then return pcall(api.nvim_win_close, win, true) end
  vim.wo[win].winfixbuf = false
  local files = vim.tbl_filter(function(info) return vim.bo[info.bufnr].buftype == "" end, vim.fn.getbufinfo({ buflisted = 1 }))
  table.sort(files, function(a, b) return a.lastused > b.lastused end)
  local ok = files[1] and pcall(api.nvim_win_set_buf, win, files[1].bufnr)
  if not ok then api.nvim_win_set_buf(win, api.nvim_create_buf(true, false)) end
end

--- Whether another window stands above or below: else a window that is made lower leaves its lines to the command line.
---@param win integer
---@return boolean
function M.is_stacked(win)
  local function look(node, stacked)
    if node[1] == "leaf" then return node[2] == win and stacked end
    for _, inner in ipairs(node[2]) do
      if look(inner, stacked or node[1] == "col") then return true end
    end
    return false
  end
  return look(vim.fn.winlayout(api.nvim_tabpage_get_number(api.nvim_win_get_tabpage(win))), false)
end

--- Takes both away from the current tab page.
---@param buffers clined.chat.Buffers
function M.close(buffers)
  for _, buf in ipairs({ buffers.input, buffers.chat }) do
    local win = M.of(buf)
    if win then leave(win) end
  end
end

--- Neither window stays without the other, whichever way the other went. `:q` in one of the last two ends the tab page, or
--- Neovim, as it would with any other window.
---@param buffers clined.chat.Buffers
---@param group integer
function M.pair(buffers, group)
  local function other(buf) return buf == buffers.chat and buffers.input or buffers.chat end
  for _, buf in ipairs({ buffers.chat, buffers.input }) do
    api.nvim_create_autocmd("QuitPre", {
      group = group,
      buffer = buf,
      callback = function()
        local win = M.of(other(buf))
        -- A second window on the same buffer is the user's own; the pair stays.
        if win and #vim.tbl_filter(function(w) return api.nvim_win_get_buf(w) == buf end, api.nvim_tabpage_list_wins(0)) == 1 then
          pcall(api.nvim_win_close, win, true)
        end
      end,
    })
    api.nvim_create_autocmd("BufWinLeave", {
      group = group,
      buffer = buf,
      callback = function()
        local tab = api.nvim_get_current_tabpage()
        vim.schedule(function()
          if not api.nvim_tabpage_is_valid(tab) or M.of(buf, tab) then return end
          local win = M.of(other(buf), tab)
          if win then leave(win) end
        end)
      end,
    })
  end
end

--- The window for files: the one used last, never one of the chat; a new one where there is none.
---@return integer win
function M.for_files()
  local function fits(win)
    return win ~= 0
      and api.nvim_win_is_valid(win)
      and api.nvim_win_get_config(win).relative == ""
      and not vim.wo[win].winfixbuf
      and not vim.wo[win].diff
      and vim.bo[api.nvim_win_get_buf(win)].buftype == ""
  end
  local last = vim.fn.win_getid(vim.fn.winnr("#"))
  if fits(last) then return last end
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    if fits(win) then return win end
  end
  return api.nvim_open_win(api.nvim_create_buf(true, false), false, { win = -1, split = "left" })
end

--- Draws the lines above the windows again.
function M.redraw_bars() vim.cmd("redrawstatus!") end

return M
