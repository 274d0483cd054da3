--- `workspace/applyEdit`: what the daemon changes in buffers that are open. One edit is one step of undo.
---
--- Owns that alone; diff views write for themselves. vim.lsp.util's way takes line ends for what they are not at the end of a text.
local buffers = require("clined.diff.buffers")
local daemon = require("clined.daemon")
local documents = require("clined.daemon.documents")

local M = {}

---@param why string
---@return clined.protocol.ApplyEditResult
local function no(why) return { applied = false, failureReason = why } end

--- Makes edits of LSP, which do not overlap and count bytes, in a text with LF.
---@param text string
---@param edits clined.protocol.TextEdit[]
---@return string
function M.edited(text, edits)
  local starts = { 1 }
  for at in text:gmatch("\n()") do
    table.insert(starts, at)
  end
  ---@param position clined.protocol.Position
  local function offset(position)
    local start, behind = starts[position.line + 1], starts[position.line + 2]
    if not start then return #text + 1 end
    return math.min(start + position.character, behind and behind - 1 or #text + 1)
  end
  local places = {}
  for i, edit in ipairs(edits) do
    places[i] = { from = offset(edit.range.start), to = offset(edit.range["end"]), text = edit.newText, i = i }
  end
  table.sort(places, function(a, b)
    if a.from ~= b.from then return a.from < b.from end
    return a.i < b.i
  end)
  local parts, at = {}, 1
  for _, place in ipairs(places) do
    table.insert(parts, text:sub(at, place.from - 1))
    table.insert(parts, place.text)
    at = math.max(at, place.to)
  end
  table.insert(parts, text:sub(at))
  return table.concat(parts)
end

-- Has Neovim take a buffer for saved whose file has its text already. Nothing is written: a file that is being written can be seen
-- empty. It is read again instead, which hinders nobody, and that is no step of undo. Whoever changes files when they are read or
-- saved has no part in it.
---@param buf integer
local function read_as_is(buf)
  local undoreload, autoread = vim.o.undoreload, vim.bo[buf].autoread
  local seq = vim.api.nvim_buf_call(buf, function() return vim.fn.undotree().seq_cur end)
  vim.o.undoreload, vim.bo[buf].autoread, vim.bo[buf].modified = -1, true, false
  local ok, err = pcall(vim.cmd, { cmd = "checktime", args = { tostring(buf) }, mods = { silent = true, noautocmd = true } })
  vim.o.undoreload, vim.bo[buf].autoread = undoreload, autoread
  if not ok then require("clined.log").error("checktime: " .. tostring(err)) end
  vim.api.nvim_buf_call(buf, function()
    if vim.fn.undotree().seq_cur ~= seq then vim.cmd({ cmd = "undo", count = seq, mods = { silent = true, noautocmd = true } }) end
  end)
  vim.bo[buf].modified = false
end

-- Gives a buffer the name that its file has by now. It is `:saveas` without the writing: after any other way Neovim takes the file
-- for another's, and `:write` fails.
---@param buf integer
---@param to string
local function name_as_is(buf, to)
  local own = vim.api.nvim_create_autocmd("BufWriteCmd", { pattern = "*", callback = function() end })
  local ignored = vim.o.eventignore
  local others = vim.tbl_filter(
    function(event) return not vim.list_contains({ "BufWriteCmd", "BufFilePre", "BufFilePost" }, event) end,
    vim.fn.getcompletion("", "event")
  )
  vim.o.eventignore = table.concat(others, ",")
  local ok, err = pcall(
    vim.api.nvim_buf_call,
    buf,
    function()
      vim.cmd({
        cmd = "saveas",
        args = { to },
        bang = true,
        magic = { file = false, bar = false },
        mods = { silent = true, keepalt = true },
      })
    end
  )
  vim.o.eventignore = ignored
  vim.api.nvim_del_autocmd(own)
  if not ok then error(err, 0) end
end

--- When the disk is looked at, in milliseconds after one another.
local looks = { 50, 100, 200, 400, 800, 1600 }

-- A buffer without unsaved changes was edited, and the daemon then wrote the file itself: once both are alike the buffer is told
-- so, for else Neovim would warn of two versions. What the user types ends that.
---@param buf integer
---@param tick integer
---@param look integer
local function save_once_written(buf, tick, look)
  if not looks[look] then return end
  vim.defer_fn(function()
    if not vim.api.nvim_buf_is_loaded(buf) or not vim.bo[buf].modified or vim.api.nvim_buf_get_changedtick(buf) ~= tick then return end
    local file = io.open(vim.api.nvim_buf_get_name(buf), "rb")
    local disk = file and file:read("*a")
    if file then file:close() end
    if disk ~= documents.text(buf) then return save_once_written(buf, tick, look + 1) end
    read_as_is(buf)
    documents.saved(buf)
  end, looks[look])
end

---@param change clined.protocol.DocumentEdit
---@return clined.protocol.ApplyEditResult
local function edit(change)
  local uri, version = change.textDocument.uri, change.textDocument.version
  local buf = documents.buffer_of(uri)
  if not buf then return no("it is not open") end
  documents.flush()
  local told = documents.told(buf)
  if not told or (version and told.version ~= version) then return no("it was changed meanwhile") end
  if not vim.bo[buf].modifiable then return no("its buffer is not modifiable") end
  local text, edits, clean = documents.text(buf), change.edits or {}, not vim.bo[buf].modified
  if told.ending ~= "\n" then
    text = text:gsub(told.ending, "\n")
    edits = vim.tbl_map(function(e) return { range = e.range, newText = e.newText:gsub(told.ending, "\n") } end, edits)
  end
  buffers.break_undo(buf)
  local new = M.edited(text, edits)
  buffers.set(buf, new)
  -- Of the end of the last line alone Neovim does not say so where 'fixendofline' is set.
  if new ~= text then vim.bo[buf].modified = true end
  buffers.break_undo(buf)
  documents.flush()
  if clean then save_once_written(buf, vim.api.nvim_buf_get_changedtick(buf), 1) end
  return { applied = true }
end

---@param change clined.protocol.DocumentEdit
---@return clined.protocol.ApplyEditResult
local function rename(change)
  local from, to = vim.uri_to_fname(change.oldUri), vim.uri_to_fname(change.newUri)
  local buf = documents.buffer_of(change.oldUri)
  if not buf then return no("it is not open") end
  if vim.bo[buf].modified then return no("it has unsaved changes") end
  if vim.uv.fs_lstat(to) then return no("there is a file of the new name") end
  vim.fn.mkdir(vim.fs.dirname(to), "p")
  local done, why = vim.uv.fs_rename(from, to)
  if not done then return no(tostring(why)) end
  local before = vim.fn.bufnr("#")
  local named, problem = pcall(name_as_is, buf, to)
  if not named then
    vim.uv.fs_rename(to, from)
    return no(tostring(problem))
  end
  -- Neovim keeps a buffer of the old name, as the one before.
  for _, other in ipairs(vim.api.nvim_list_bufs()) do
    if other ~= buf and vim.api.nvim_buf_get_name(other) == from then vim.api.nvim_buf_delete(other, { force = true }) end
  end
  if before > 0 and before ~= buf and vim.api.nvim_buf_is_valid(before) then pcall(vim.fn.setreg, "#", before) end
  documents.look(buf)
  return { applied = true }
end

-- The file is gone: its buffer goes, too, unless it has unsaved work. A window that shows it goes on with what it showed before.
---@param change clined.protocol.DocumentEdit
---@return clined.protocol.ApplyEditResult
local function delete(change)
  local buf = documents.buffer_of(change.uri)
  if not buf then return { applied = true } end
  if vim.bo[buf].modified then return no("it has unsaved changes") end
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    local before = vim.api.nvim_win_call(win, function() return vim.fn.bufnr("#") end)
    local other = before > 0 and before ~= buf and vim.bo[before].buflisted and before or vim.api.nvim_create_buf(true, false)
    vim.api.nvim_win_set_buf(win, other)
  end
  vim.api.nvim_buf_delete(buf, { force = true })
  return { applied = true }
end

---@param params clined.protocol.ApplyEditParams
---@param reply clined.Reply
function M.apply(params, reply)
  local changes = params.edit.documentChanges or {}
  local change = changes[1]
  if #changes ~= 1 then return reply(no("one change at a time")) end
  local perform = change.kind == "rename" and rename or change.kind == "delete" and delete or change.kind == nil and edit or nil
  if not perform then return reply(no("it is not known here how to " .. tostring(change.kind))) end
  local ok, result = pcall(perform, change)
  if not ok then
    require("clined.log").error("workspace/applyEdit failed: " .. tostring(result))
    result = no(tostring(result):match("[^\n]*"))
  end
  reply(result)
end

--- Answers the daemon from now on.
function M.attach() daemon.handle("workspace/applyEdit", M.apply) end

return M
