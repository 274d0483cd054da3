--- The user's files as the daemon is told of them: `textDocument/didOpen`, `didChange`, `didSave`, `didClose`.
---
--- Owns which buffers those are, and what was told of each. Changes nothing in them.
---
--- Not by a client of vim.lsp: that one tells changes 150 ms late and not before an answer of ours, joins what another client has
--- not been told yet to the text it opens with, and runs everybody's LspAttach for a thing that has no hover. Whole lines need
--- no more than what follows, and are told before anything else is said.
local M = {}

---@class clined.Document
---@field uri string
---@field language string
---@field version integer told last
---@field count integer lines told
---@field ending string of lines, as told
---@field final boolean whether the last line ended with one
---@field first? integer the lines [first, last) that were told are [first, now) by now
---@field last? integer
---@field now? integer
---@field whole? boolean all of it is to be told again
---@field closed? boolean

---@alias clined.Documents.Notify fun(method: string, params: table)

---@type table<integer, clined.Document>
local documents = {}
---@type clined.Documents.Notify?
local notify
---@type integer?
local group
local waiting = false

--- A message may have 64 MiB; of larger files the disk counts.
local largest = 32 * 1024 * 1024

local endings = { unix = "\n", dos = "\r\n", mac = "\r" }

--- The URI under which the daemon knows a buffer; nil for what is no file of the user's.
---@param buf integer
---@return string?
function M.uri_of(buf)
  if not vim.api.nvim_buf_is_valid(buf) or vim.bo[buf].buftype ~= "" then return end
  local name = vim.api.nvim_buf_get_name(buf)
  if name == "" or name:find("^%a[%w+.-]+://") then return end
  return vim.uri_from_fname(name)
end

---@param buf integer
local function wanted(buf)
  if not vim.api.nvim_buf_is_loaded(buf) or not (vim.bo[buf].buflisted or vim.bo[buf].modified) then return end
  local uri = M.uri_of(buf)
  if uri and vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf)) <= largest then return uri end
end

-- Whether the file on disk ends with a line end.
local function ends_on_disk(path)
  local file = io.open(path, "rb")
  if not file then return false end
  local last = file:seek("end", -1) and file:read(1)
  file:close()
  return last == "\n" or last == "\r"
end

-- How lines end, and whether the last one does. 'endofline' does not tell where 'fixendofline' wrote one, and an empty file is one
-- empty line, as is a file that holds nothing but a line end.
---@param buf integer
---@return string ending, boolean final
local function ends(buf)
  local o = vim.bo[buf]
  local ending = endings[o.fileformat] or "\n"
  local empty = vim.api.nvim_buf_line_count(buf) == 1 and vim.api.nvim_buf_get_lines(buf, 0, 1, false)[1] == ""
  if not o.modified and (empty or not o.endofline) then return ending, ends_on_disk(vim.api.nvim_buf_get_name(buf)) end
  if not empty then return ending, o.endofline end
  local none = vim.api.nvim_buf_call(buf, function() return vim.fn.wordcount().bytes == 0 end)
  return ending, o.endofline and not none
end

---@param lines string[]
---@param ending string
---@param final boolean
local function joined(lines, ending, final) return table.concat(lines, ending) .. (final and ending or "") end

-- Versions rise; the end of the last line may change without a change that Neovim counts.
---@param buf integer
---@param doc clined.Document
local function next_version(buf, doc) return math.max(vim.api.nvim_buf_get_changedtick(buf), doc.version + 1) end

---@param buf integer
---@param doc clined.Document
local function text_of(buf, doc)
  doc.ending, doc.final = ends(buf)
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  doc.count = #lines
  doc.first, doc.last, doc.now, doc.whole = nil, nil, nil, nil
  doc.version = next_version(buf, doc)
  return joined(lines, doc.ending, doc.final)
end

-- What changed, as one edit of whole lines; positions behind the text mean its end.
local function edit(buf, doc)
  local ending, final = ends(buf)
  local first, last, now, count = doc.first, doc.last, doc.now, doc.count
  if doc.whole or ending ~= doc.ending or final ~= doc.final then return { text = text_of(buf, doc) } end
  -- A buffer without any line has an empty one, which is not told of.
  if count + now - last ~= vim.api.nvim_buf_line_count(buf) then return { text = text_of(buf, doc) } end
  local tail = last == count
  if tail and not final and first > 0 then first = first - 1 end -- the end of the line before is a part of it
  local lines = vim.api.nvim_buf_get_lines(buf, first, now, false)
  doc.count = count + now - last
  doc.first, doc.last, doc.now = nil, nil, nil
  doc.version = next_version(buf, doc)
  return {
    range = { start = { line = first, character = 0 }, ["end"] = { line = last, character = 0 } },
    text = joined(lines, ending, #lines > 0 and (final or not tail)),
  }
end

--- Tells what changed since. Before anything else is said this is called by the daemon.
function M.flush()
  waiting = false
  if not notify then return end
  for buf, doc in pairs(documents) do
    if (doc.first or doc.whole) and vim.api.nvim_buf_is_loaded(buf) then
      local change = edit(buf, doc)
      notify("textDocument/didChange", { textDocument = { uri = doc.uri, version = doc.version }, contentChanges = { change } })
    end
  end
end

local function later()
  if waiting then return end
  waiting = true
  vim.schedule(M.flush)
end

---@param doc clined.Document
local function changed(doc, first, last, now)
  if doc.first then
    local grown = doc.now - doc.last
    local behind = math.max(doc.now, last)
    doc.first, doc.last, doc.now = math.min(doc.first, first), behind - grown, behind + now - last
  else
    doc.first, doc.last, doc.now = first, last, now
  end
  later()
end

---@param buf integer
local function close(buf)
  local doc = documents[buf]
  if not doc then return end
  documents[buf], doc.closed = nil, true
  if notify then notify("textDocument/didClose", { textDocument = { uri = doc.uri } }) end
end

---@param buf integer
---@param uri string
local function open(buf, uri)
  ---@type clined.Document
  local doc = { uri = uri, language = vim.bo[buf].filetype, version = 0, count = 0, ending = "\n", final = true }
  local attached = vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, _, first, last, now)
      if doc.closed then return true end
      changed(doc, first, last, now)
    end,
    on_reload = function()
      if doc.closed then return true end
      doc.whole = true
      later()
    end,
    on_detach = function()
      if not doc.closed then close(buf) end
    end,
  })
  if not attached then return end
  documents[buf] = doc
  local text = text_of(buf, doc)
  assert(notify)("textDocument/didOpen", {
    textDocument = { uri = uri, languageId = doc.language, version = doc.version, text = text },
  })
end

--- Brings what the daemon knows of a buffer to what it is: opened, closed, or under another name or in another language.
---@param buf integer
function M.look(buf)
  if not notify then return end
  local uri, doc = wanted(buf), documents[buf]
  if doc and (doc.uri ~= uri or doc.language ~= vim.bo[buf].filetype) then
    M.flush()
    close(buf)
    doc = nil
  end
  if uri and not doc then open(buf, uri) end
end

--- Tells that a buffer was saved.
---@param buf integer
function M.saved(buf)
  M.look(buf)
  local doc = documents[buf]
  if not doc or not notify then return end
  local ending, final = ends(buf)
  if ending ~= doc.ending or final ~= doc.final then doc.whole = true end
  M.flush()
  notify("textDocument/didSave", { textDocument = { uri = doc.uri } })
end

--- What was told of a buffer last, if anything. To be read only.
---@param buf integer
---@return clined.Document?
function M.told(buf) return documents[buf] end

--- The text of a buffer as it is told, with its own line ends.
---@param buf integer
---@return string
function M.text(buf)
  local ending, final = ends(buf)
  return joined(vim.api.nvim_buf_get_lines(buf, 0, -1, false), ending, final)
end

--- The buffer of a document that is told of.
---@param uri string
---@return integer?
function M.buffer_of(uri)
  local path = vim.uri_to_fname(uri) -- URIs may be escaped in several ways
  for buf, doc in pairs(documents) do
    if doc.uri == uri or vim.uri_to_fname(doc.uri) == path then return buf end
  end
end

--- Begins to tell, of all files that are open.
---@param tell clined.Documents.Notify
function M.start(tell)
  notify = tell
  group = vim.api.nvim_create_augroup("clined_documents", { clear = true })
  local events = { "BufReadPost", "BufNewFile", "BufFilePost", "BufEnter", "BufModifiedSet", "FileType" }
  vim.api.nvim_create_autocmd(events, { group = group, callback = function(a) M.look(a.buf) end })
  vim.api.nvim_create_autocmd("BufWritePost", {
    group = group,
    callback = function(a)
      -- `:w other` saves a copy.
      local name = vim.api.nvim_buf_get_name(a.buf)
      if a.match == name or vim.uv.fs_realpath(a.match) == vim.uv.fs_realpath(name) then M.saved(a.buf) end
    end,
  })
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    M.look(buf)
  end
end

--- Ends that: the one who was told is gone.
function M.stop()
  notify = nil
  if group then vim.api.nvim_del_augroup_by_id(group) end
  group = nil
  for _, doc in pairs(documents) do
    doc.closed = true
  end
  documents = {}
end

return M
