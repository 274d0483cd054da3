--- Whether what a key would decide about has stood there long enough to be meant. What is pressed right after another decision took
--- the place of one, or a diff came by itself, was for what stood there before.
---
--- Owns when that was. Who maps keys that decide asks here.
local M = {}

--- Milliseconds; the VS Code extension has the same.
M.pause = 350

local since = -math.huge

--- Something else stands now where keys decide.
function M.moved() since = vim.uv.hrtime() / 1e6 end

--- Whether a key that decides is meant; says so if not.
---@return boolean
function M.press()
  if vim.uv.hrtime() / 1e6 - since >= M.pause then return true end
  require("clined.say").info("that came only just now: look at it, then decide")
  return false
end

return M
