--- The buffers of a proposal: two that belong to no file. They have the colours and the indentation of the file, but no language
--- server, no formatter and no other plugin is started for them.
---
--- Owns how they are made and filled. Which text they have is clined.diff.view's.
local buffers = require("clined.diff.buffers")

local M = {}

--- Bytes above which a text has no colours, and above which it has none while it is written: each line would be paid for.
local largest, quick = 1024 * 1024, 16 * 1024

local indents =
  { "shiftwidth", "tabstop", "softtabstop", "expandtab", "textwidth", "commentstring", "iskeyword", "autoindent", "smartindent" }

local made = 0

local function named(buf, kind, view)
  made = made + 1
  local path = require("clined.chat.visible").line(vim.fn.fnamemodify(view.target, ":~:."))
  pcall(vim.api.nvim_buf_set_name, buf, ("clined://%s/%d/%s"):format(kind, made, path))
end

-- The type of the file without its event: what hears that event would treat the buffer as a file.
local function speak(buf, view)
  local file = buffers.loaded(view.path)
  local filetype = file and vim.bo[file].filetype
  if not filetype or filetype == "" then
    local ok, found = pcall(vim.filetype.match, { filename = view.target, contents = vim.split(view.params.newText:sub(1, 4096), "\n") })
    filetype = ok and found or nil
  end
  if not filetype then return end
  local ignored = vim.o.eventignore
  vim.o.eventignore = "all"
  vim.bo[buf].filetype = filetype
  for _, name in ipairs(file and indents or {}) do
    vim.bo[buf][name] = vim.bo[file][name]
  end
  vim.o.eventignore = ignored
end

local function colour(buf)
  local filetype = vim.bo[buf].filetype
  local lang = vim.treesitter.language.get_lang(filetype)
  if not lang or not pcall(vim.treesitter.start, buf, lang) then vim.bo[buf].syntax = filetype end
end

-- Texts that are not too large have colours once they are whole.
local function colour_if(buf, most)
  if vim.b[buf].clined_coloured or vim.bo[buf].filetype == "" then return end
  if vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf)) > most then return end
  vim.b[buf].clined_coloured = true
  colour(buf)
end

local function make(kind, view)
  local buf = vim.api.nvim_create_buf(false, true)
  named(buf, kind, view)
  vim.bo[buf].modeline = false
  vim.bo[buf].undolevels = -1
  vim.bo[buf].fixendofline = false
  vim.bo[buf].modifiable = false
  speak(buf, view)
  return buf
end

---@param view clined.DiffView
---@return integer
function M.base(view)
  local buf = make("base", view)
  vim.bo[buf].readonly = true
  return buf
end

---@param view clined.DiffView
---@return integer
function M.buffer(view)
  local buf = make("proposal", view)
  vim.bo[buf].buftype = "acwrite"
  return buf
end

--- Gives a buffer another text; nothing of that can be undone.
---@param buf integer
---@param new string
function M.fill(buf, new)
  local o = vim.bo[buf]
  local modifiable, undolevels, readonly = o.modifiable, o.undolevels, o.readonly
  o.modifiable, o.readonly, o.undolevels = true, false, -1
  local ok, err = pcall(buffers.set, buf, new)
  o.modifiable, o.readonly, o.undolevels, o.modified = modifiable, readonly, undolevels, false
  if not ok then error(err, 0) end
end

---@param buf integer
function M.unlock(buf)
  vim.bo[buf].undolevels = vim.go.undolevels
  vim.bo[buf].modifiable = true
end

--- The text of a buffer is whole, or is still being written.
---@param buf integer
---@param whole boolean
function M.colour(buf, whole) colour_if(buf, whole and largest or quick) end

---@param buf integer
function M.lock(buf)
  vim.bo[buf].modifiable = false
  vim.bo[buf].undolevels = -1
end

return M
