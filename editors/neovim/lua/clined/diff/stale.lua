--- What a session file brings back of proposals: empty windows with their names. Neovim stores them, whatever their buffers are.
---
--- Owns nothing; proposals that are open stay.
local M = {}

--- Takes the buffers of no proposal away, with their windows and tabs.
function M.close()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local kind = vim.api.nvim_buf_get_name(buf):match("^clined://(%a+)/")
    local stale = kind == "proposal" or kind == "base" or kind == "patch"
    if stale and not require("clined.diff.views").of_buffer(buf) then pcall(vim.api.nvim_buf_delete, buf, { force = true }) end
  end
end

return M
