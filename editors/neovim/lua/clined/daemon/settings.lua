--- The settings of the agent that the user has in `vim.g.clined.settings`, as the daemon is told of them.
---
--- Never defaults, which are the daemon's own to have.
local M = {}

---@type table?
local told

---@return table
local function now()
  local settings = require("clined.config").get().settings or {}
  return next(settings) == nil and vim.empty_dict() or settings
end

--- What a process is started with.
---@return table
function M.first()
  told = vim.deepcopy(now())
  return told
end

--- Tells them where they are others by now.
---@param session clined.Session
function M.tell(session)
  local settings = now()
  if vim.deep_equal(settings, told) then return end
  told = vim.deepcopy(settings)
  session.rpc:notify("workspace/didChangeConfiguration", { settings = { clined = settings } })
end

return M
