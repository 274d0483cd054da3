--- Has buffers read again what was written beside Neovim, without a question and without losing anything.
---
--- Owns nothing but that; a buffer with unsaved changes is left alone.
local M = {}

local group = vim.api.nvim_create_augroup("clined.refresh", { clear = true })

--- Compares a buffer with its file. One without unsaved changes has the file's text then.
---@param buf integer
---@return string? reason why it could not be: "conflict" when both changed, "deleted", or another `v:fcs_reason`
function M.check(buf)
  if not vim.api.nvim_buf_is_loaded(buf) or vim.bo[buf].buftype ~= "" then return end
  local reason
  vim.api.nvim_create_autocmd("FileChangedShell", {
    group = group,
    buffer = buf,
    callback = function()
      local why = vim.v.fcs_reason
      local reads = why ~= "deleted" and not vim.bo[buf].modified
      -- Where the user's own autocommand chose, there is no question either.
      vim.v.fcs_choice = reads and "reload" or ""
      if not reads and why ~= "mode" and why ~= "time" then reason = why end
    end,
  })
  local ok, err = pcall(vim.cmd, { cmd = "checktime", args = { tostring(buf) }, mods = { silent = true } })
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  if not ok then require("clined.log").error("checktime: " .. tostring(err)) end
  return reason
end

--- All files in memory: a command may have changed any.
function M.all()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and not vim.bo[buf].modified then M.check(buf) end
  end
end

return M
