--- `workspace/applyEdit`: what the daemon changes in buffers that are open. One edit is one step of undo.
---
--- Owns that alone; diff views write for themselves.
local daemon = require("clined.daemon")
local documents = require("clined.daemon.documents")

local M = {}

local function no(why) return { applied = false, failureReason = why } end

---@param change clined.protocol.DocumentEdit
local function edit(change)
  local buf = documents.buffer_of(change.textDocument.uri)
  if not buf then return no("it is not open") end
  documents.flush()
  local told = documents.told(buf)
  if change.textDocument.version and told and told.version ~= change.textDocument.version then return no("it was changed meanwhile") end
  if not vim.bo[buf].modifiable then return no("its buffer is not modifiable") end
  vim.lsp.util.apply_text_edits(change.edits, buf, daemon.encoding())
  documents.flush()
  return { applied = true }
end

---@param change clined.protocol.DocumentEdit
local function rename(change)
  local from, to = vim.uri_to_fname(change.oldUri), vim.uri_to_fname(change.newUri)
  if vim.uv.fs_lstat(to) then return no("there is a file of the new name") end
  vim.lsp.util.rename(from, to, {})
  local buf = documents.buffer_of(change.newUri)
  if buf then documents.look(buf) end
  return { applied = vim.uv.fs_lstat(from) == nil }
end

-- The file is gone: its buffer goes, too, unless it has unsaved work.
---@param change clined.protocol.DocumentEdit
local function delete(change)
  local buf = documents.buffer_of(change.uri)
  if not buf then return { applied = true } end
  if vim.bo[buf].modified then return no("it has unsaved changes") end
  -- A window that shows it goes on with what it showed before.
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      local before = vim.fn.bufnr("#")
      if before > 0 and before ~= buf and vim.bo[before].buflisted then
        vim.api.nvim_win_set_buf(win, before)
      else
        vim.api.nvim_win_set_buf(win, vim.api.nvim_create_buf(true, false))
      end
    end)
  end
  vim.api.nvim_buf_delete(buf, { force = true })
  return { applied = true }
end

---@param params clined.protocol.ApplyEditParams
---@param reply clined.Reply
local function apply(params, reply)
  local changes = params.edit.documentChanges or {}
  local change = changes[1]
  if #changes ~= 1 then return reply(no("one change at a time")) end
  local perform = change.kind == "rename" and rename or change.kind == "delete" and delete or change.kind == nil and edit or nil
  if not perform then return reply(no("it is not known here how to " .. change.kind)) end
  local ok, result = pcall(perform, change)
  if not ok then
    require("clined.log").error("workspace/applyEdit failed: " .. tostring(result))
    result = no(tostring(result):match("[^\n]*"))
  end
  reply(result)
end

function M.attach() daemon.handle("workspace/applyEdit", apply) end

return M
