--- Has buffers read again what was written beside Neovim, without a question and without losing anything.
---
--- Owns nothing but that; a buffer with unsaved changes is left alone.
local M = {}

local group = vim.api.nvim_create_augroup("clined.refresh", { clear = true })

-- Buffers of files that were not there when they were opened. Neovim would ask about those in a dialog, without an event before.
---@type table<integer, true>
local new = {}

-- Reads what somebody else made meanwhile; of unsaved work and a file that came both changed.
local function check_new(buf)
  if not vim.uv.fs_stat(vim.api.nvim_buf_get_name(buf)) then return end
  if vim.bo[buf].modified then return "conflict" end
  local ok, err = pcall(vim.api.nvim_buf_call, buf, function() vim.cmd("silent edit!") end)
  if not ok then require("clined.log").error("edit: " .. tostring(err)) end
end

--- Compares a buffer with its file. One without unsaved changes has the file's text then.
---@param buf integer
---@return string? reason why it could not be: "conflict" when both changed, "deleted", or another `v:fcs_reason`
function M.check(buf)
  if not vim.api.nvim_buf_is_loaded(buf) or vim.bo[buf].buftype ~= "" then return end
  if new[buf] then return check_new(buf) end
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

--- Begins to note which buffers are of files that are not there yet.
function M.attach()
  local function on(events, is)
    vim.api.nvim_create_autocmd(events, { group = group, callback = function(a) new[a.buf] = is end })
  end
  on("BufNewFile", true)
  on({ "BufReadPost", "BufWritePost", "BufWipeout" }, nil)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buf)
    if vim.api.nvim_buf_is_loaded(buf) and name ~= "" and not vim.uv.fs_stat(name) then new[buf] = true end
  end
end

return M
