--- Puts a text into a file as the user would: into its buffer as one step of undo, then written with all that the user has
--- Neovim do on `:write`. Where that fails, file and buffer are as they were.
---
--- Owns loading, changing and writing the buffer of a file. Asks no questions, moves no cursor, and opens no window.
local buffers = require("clined.diff.buffers")
local refresh = require("clined.diff.refresh")

local M = {}

-- An error of Neovim without where it came from.
local function words(err)
  local line = tostring(err):match("[^\n]*")
  return (line:gsub("^.-Vim%b():", ""):gsub("^Vim:", ""))
end

-- Loads a file that is not open, as a buffer that is not listed. A swap file of another Neovim asks nothing.
local function load(path)
  local before = buffers.find(path)
  local buf = before or vim.fn.bufadd(path)
  local shortmess = vim.o.shortmess
  vim.opt.shortmess:append("A")
  local ok, err = pcall(vim.fn.bufload, buf)
  vim.o.shortmess = shortmess
  if ok and vim.api.nvim_buf_is_loaded(buf) then return buf end
  if not before then pcall(vim.api.nvim_buf_delete, buf, { force = true }) end
  return nil, words(err)
end

-- Makes the folders of a file; those that were made, the innermost first.
local function make_folders(path)
  local made, dir = {}, vim.fs.dirname(path)
  while dir and not vim.uv.fs_stat(dir) do
    table.insert(made, dir)
    dir = vim.fs.dirname(dir)
  end
  if #made > 0 then vim.fn.mkdir(made[1], "p") end
  return made
end

local function write(buf)
  local fixeol = vim.bo[buf].fixendofline
  vim.bo[buf].fixendofline = false -- the last line is as it was shown
  local ok, err = pcall(vim.api.nvim_buf_call, buf, function()
    -- What `!` overrides was looked at before; it would be asked about.
    vim.cmd({ cmd = "write", bang = true, mods = { silent = true } })
  end)
  if vim.api.nvim_buf_is_valid(buf) then vim.bo[buf].fixendofline = fixeol end
  return ok, err
end

-- Whether the encoding of the buffer has all characters.
local function can_encode(buf, new)
  local encoding = vim.bo[buf].fileencoding
  if encoding == "" or encoding:match("^u[tc][fs]") then return true end
  return vim.iconv(vim.iconv(new, "utf-8", encoding) or "", encoding, "utf-8") == new
end

---@param buf integer
---@param before string
---@param new string
---@return clined.protocol.DiffSaveResult
local function change(buf, before, new)
  local seq = vim.api.nvim_buf_call(buf, function() return vim.fn.undotree().seq_cur end)
  buffers.break_undo(buf)
  local done, err = pcall(buffers.keep_marks, buf, function() buffers.set(buf, new) end)
  if done then
    done, err = write(buf)
    if done and not vim.api.nvim_buf_is_valid(buf) then return { userText = new, finalText = new } end
  end
  if not done then
    pcall(vim.api.nvim_buf_call, buf, function() vim.cmd({ cmd = "undo", count = seq, mods = { silent = true } }) end)
    if buffers.text(buf) ~= before then pcall(buffers.set, buf, before) end
    return { error = words(err) }
  end
  buffers.break_undo(buf)
  return { userText = new, finalText = buffers.text(buf) }
end

---@param path string
---@param base string
---@param new string
---@return clined.protocol.DiffSaveResult
local function save(path, base, new)
  local open = buffers.loaded(path)
  local buf, err = open, nil
  if not buf then
    buf, err = load(path)
  end
  if not buf then return { error = err } end
  local reason = refresh.check(buf)
  local before = buffers.text(buf)
  local function result()
    if not buffers.same(before, base) then return { text = before } end
    if reason == "conflict" or reason == "changed" then return { error = "the file on the disk is another than its buffer" } end
    if not vim.bo[buf].modifiable then return { error = "its buffer is not modifiable" } end
    if vim.bo[buf].readonly then return { error = "its buffer is read-only" } end
    if not can_encode(buf, new) then
      return { error = "the file is in " .. vim.bo[buf].fileencoding .. ", which has not all characters" }
    end
    return change(buf, before, new)
  end
  local answer = result()
  if not open and not answer.userText and vim.api.nvim_buf_is_valid(buf) then pcall(vim.api.nvim_buf_delete, buf, { force = true }) end
  return answer
end

--- Saves a text in place of `base`.
---@param path string
---@param base string what the file's buffer is to have now
---@param new string
---@param create boolean the file may be a new one
---@return clined.protocol.DiffSaveResult
function M.save(path, base, new, create)
  local there = vim.uv.fs_stat(path) ~= nil
  if not there and not create then return { error = "the file is not there any more" } end
  if there and not vim.uv.fs_access(path, "W") then return { error = "the file is read-only" } end
  local ok, made = pcall(make_folders, path)
  if not ok then return { error = words(made) } end
  local done, result = pcall(save, path, base, new)
  if not done then result = { error = words(result) } end
  if not result.userText then
    -- It would be a part of it. Of a link that led nowhere that is where it leads: the link is the user's.
    local part = not there and vim.uv.fs_realpath(path)
    if part then pcall(vim.uv.fs_unlink, part) end
    for _, dir in ipairs(made) do
      pcall(vim.uv.fs_rmdir, dir)
    end
  end
  return result
end

return M
