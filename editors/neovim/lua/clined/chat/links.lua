--- Goes to what is named in the chat: files, with their lines, in a window for files; texts that are shown cut, whole.
local session = require("clined.task.session")
local visible = require("clined.chat.visible")

local api = vim.api
local M = {}

--- A path and line, of words such as `src/a.go:12:3`, `a.go#L4` or `[a](a.go)`.
---@param word string
---@return string path, integer? line, integer? column
function M.parse(word)
  word = word:match("%]%((.-)%)") or word
  word = word:gsub("^file://", ""):gsub("^[`'\"(%[<*_]+", ""):gsub("[`'\")%]>*_.,;!?]+$", "")
  local path, line, column = word:match("^(.-):(%d+):(%d+)")
  if not path then
    path, line = word:match("^(.-):(%d+)")
  end
  if not path then
    path, line = word:match("^(.-)#L(%d+)")
  end
  return (path or word):gsub(":$", ""), tonumber(line), tonumber(column)
end

---@param path string
---@return string? path that exists
function M.resolve(path)
  if path == "" or path:find("[%z\1-\31]") then return end
  if path == "~" or path:sub(1, 2) == "~/" then path = (vim.uv.os_homedir() or "~") .. path:sub(2) end
  local task = session.current()
  local tries = { path }
  if not path:find("^/") and not path:find("^%a:[/\\]") then
    tries = { vim.fn.getcwd() .. "/" .. path }
    if task then table.insert(tries, 1, task.info.cwd .. "/" .. path) end
  end
  for _, try in ipairs(tries) do
    if vim.uv.fs_stat(try) then return try end
  end
end

-- The word under the cursor; blanks in it are found by the backticks around it.
local function under_cursor()
  local line, column = api.nvim_get_current_line(), api.nvim_win_get_cursor(0)[2] + 1
  local from = 1
  while true do
    local first, last = line:find("`[^`]+`", from)
    if not first then break end
    if column >= first and column <= last then return line:sub(first + 1, last - 1) end
    from = last + 1
  end
  local first, last = column, column
  while first > 1 and not line:sub(first - 1, first - 1):find("[%s|]") do
    first = first - 1
  end
  while last < #line and not line:sub(last + 1, last + 1):find("[%s|]") do
    last = last + 1
  end
  return line:sub(first, last)
end

--- Bytes above which a file is not read by itself: the editor would stand still meanwhile.
local largest = 200 * 1024 * 1024

-- Why a path is not gone to. Neovim would wait for what a device or a pipe says, and read some names in its own way ("term://").
---@param path string
---@return string?
local function unfit(path)
  local stat = vim.uv.fs_stat(path)
  if not stat then return end
  if stat.type ~= "file" and stat.type ~= "directory" then return "it is no file" end
  local real = vim.uv.fs_realpath(path) or path
  if real:find("^/proc/") or real:find("^/sys/") or real:find("^/dev/") then return "it is no file of a disk" end
  if stat.size > largest then return ("it has %d MB; open it yourself by :edit"):format(stat.size / 1024 / 1024) end
end

-- A path from the root as Neovim's buffers have it: nothing in it can be taken for a name with a protocol.
local function whole(path) return (vim.fn.fnamemodify(path, ":p"):gsub("//+", "/")) end

-- The same as the user would name it, unless that looks like a protocol: a folder may be called "term:".
local function short(path)
  local name = vim.fn.fnamemodify(path, ":.")
  return name:find("^[%w+.-]+:") and path or name
end

--- Goes to a file.
---@param path string
---@param line? integer from 1
---@param column? integer from 1
function M.go(path, line, column)
  path = whole(path)
  local problem = unfit(path)
  if problem then return require("clined.say").info(("%q is not opened"):format(visible.line(path, 200)) .. ": " .. problem) end
  local win = require("clined.chat.window").for_files()
  api.nvim_set_current_win(win)
  local ok, err = pcall(function()
    local target = require("clined.diff.buffers").find(path) or vim.fn.bufadd(short(path))
    vim.bo[target].buflisted = true
    if target == api.nvim_get_current_buf() then return end
    -- What is unsaved and cannot be hidden keeps its window, without a question.
    local stays = vim.bo.modified and not vim.o.hidden and not vim.o.autowriteall and #vim.fn.win_findbuf(api.nvim_get_current_buf()) == 1
    vim.cmd[stays and "sbuffer" or "buffer"](tostring(target))
  end)
  if not ok then return require("clined.say").error("the file could not be opened", tostring(err):match("E%d+:.*") or tostring(err)) end
  if line then
    vim.cmd("normal! m'")
    local last = api.nvim_buf_line_count(0)
    api.nvim_win_set_cursor(0, { math.max(1, math.min(line, last)), math.max(0, (column or 1) - 1) })
    vim.cmd("normal! zvzz")
  end
end

--- Shows a text whole, in a buffer of its own.
---@param text string
---@param name string
---@param filetype? string
function M.show(text, name, filetype)
  local buf = api.nvim_create_buf(false, true)
  api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(require("clined.chat.visible").text(text), "\n", { plain = true }))
  vim.bo[buf].modifiable, vim.bo[buf].bufhidden, vim.bo[buf].modeline = false, "wipe", false
  if filetype then vim.bo[buf].filetype = filetype end
  local win = api.nvim_open_win(buf, true, { win = require("clined.chat.window").for_files(), split = "below" })
  vim.wo[win].winbar = " " .. name:gsub("%%", "%%%%")
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buf, nowait = true, desc = "clined: close" })
end

--- Goes to what is under the cursor: a path that is written there, else what the row is about.
---@param link? clined.chat.Link
---@return boolean went
function M.follow(link)
  if link and link.text then
    M.show(link.text, link.name or "", link.name == "the diff" and "diff" or nil)
    return true
  end
  local word, line, column = M.parse(under_cursor())
  local path = M.resolve(word)
  if path then
    if link and link.path and M.resolve(link.path) == path then line = line or link.line end
    M.go(path, line, column)
    return true
  end
  if not link or not link.path then return false end
  path = M.resolve(link.path)
  if not path then
    require("clined.say").info(("there is no %q"):format(link.path))
    return true
  end
  M.go(path, link.line)
  return true
end

return M
