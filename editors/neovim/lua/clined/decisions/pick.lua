--- Choosing one of a few things. By vim.ui.select where the user has one; Neovim's own would block the editor and all that streams
--- in, so there a small window of ours stands in.
local M = {}

local visible = require("clined.chat.visible")

-- Whether Neovim's own would choose.
local function is_bare()
  local source = debug.getinfo(vim.ui.select, "S").source
  return source == "?" or source:find("vim/ui.lua", 1, true) ~= nil
end

-- What is asked is there whole: as the title, or above the choices where it is longer than the screen is wide.
local function open(lines, title)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = "wipe"
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  local width = vim.fn.strdisplaywidth(title) + 4
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line) + 1)
  end
  width = math.max(1, math.min(width, vim.o.columns - 4))
  local rows = 0
  for _, line in ipairs(lines) do
    rows = rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  local height = math.max(1, math.min(rows, vim.o.lines - 6))
  local win = vim.api.nvim_open_win(buf, true, {
    relative = "editor",
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.floor((vim.o.columns - width) / 2),
    width = width,
    height = height,
    style = "minimal",
    border = "rounded",
    title = " " .. title .. " ",
  })
  vim.wo[win].cursorline = true
  vim.wo[win].wrap = true
  return buf, win
end

--- As vim.ui.select, and never blocks. Each item is one line that is fit to be shown, whatever it came from.
---@generic T
---@param items T[]
---@param opts { prompt: string, format_item?: (fun(item: T): string), kind?: string, by_itself?: boolean } `by_itself`: the user did not ask for it
---@param cb fun(item?: T, index?: integer)
---@return fun()? withdraw closes it, as the user would; there is none for a picker of the user's
function M.select(items, opts, cb)
  local function shown(item) return visible.line((opts.format_item or tostring)(item)) end
  if not is_bare() then
    vim.ui.select(items, vim.tbl_extend("force", opts, { format_item = shown }), cb)
    return
  end
  if #items == 0 then return cb() end
  local lines = {}
  for i, item in ipairs(items) do
    lines[i] = (" %d  %s"):format(i, shown(item))
  end
  local back = vim.api.nvim_get_current_win()
  local prompt, above = visible.line(opts.prompt), 0
  if vim.fn.strdisplaywidth(prompt) + 8 > vim.o.columns then
    lines, above = vim.list_extend({ " " .. prompt, "" }, lines), 2
    prompt = "clined"
  end
  local buf, win = open(lines, prompt)
  vim.cmd("stopinsert")
  vim.api.nvim_win_set_cursor(win, { above + 1, 0 })
  local done = false
  local function finish(i)
    if done then return end
    done = true
    if vim.api.nvim_win_is_valid(win) then vim.api.nvim_win_close(win, true) end
    if i and vim.api.nvim_win_is_valid(back) then vim.api.nvim_set_current_win(back) end
    cb(i and items[i], i)
  end
  local opened = vim.uv.hrtime() / 1e6
  -- What is pressed as it opens was meant for the window below.
  local function choose(i)
    if items[i] == nil then return end
    if vim.uv.hrtime() / 1e6 - opened >= (opts.by_itself and require("clined.decisions.steady").pause or 0) then finish(i) end
  end
  local function map(lhs, fn) vim.keymap.set("n", lhs, fn, { buffer = buf, nowait = true }) end
  map("<CR>", function() choose(vim.api.nvim_win_get_cursor(win)[1] - above) end)
  map("<Esc>", function() finish() end)
  map("q", function() finish() end)
  for i = 1, math.min(#items, 9) do
    map(tostring(i), function() choose(i) end)
  end
  vim.api.nvim_create_autocmd("WinLeave", { buffer = buf, once = true, callback = function() vim.schedule(finish) end })
  return function() finish() end
end

return M
