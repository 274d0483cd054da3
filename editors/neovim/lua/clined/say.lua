--- Sentences for the user outside of the chat, by `vim.notify` with the title "clined".
local M = {}

local function notify(text, level)
  vim.schedule(function() vim.notify("clined: " .. text, level, { title = "clined" }) end)
end

---@param text string
function M.info(text) notify(text, vim.log.levels.INFO) end

---@param text string
function M.warn(text) notify(text, vim.log.levels.WARN) end

--- What failed, and what to do next.
---@param problem string
---@param hint? string
function M.error(problem, hint) notify(hint and hint ~= "" and ("%s; hint: %s"):format(problem, hint) or problem, vim.log.levels.ERROR) end

return M
