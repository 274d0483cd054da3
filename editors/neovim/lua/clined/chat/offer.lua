--- What the chat offers while it shows no task: to go on with the one of this folder that was interrupted.
---
--- Owns which that is, as it was when it was looked for last.
local session = require("clined.task.session")

local M = {}

---@type clined.TaskInfo?
local found

---@return clined.TaskInfo?
function M.known() return found end

--- Looks for it, where no task is shown.
---@param changed fun() there is another one, or none
function M.look(changed)
  if session.task_id() then return end
  require("clined.history").interrupted(function(err, task)
    local before = found
    found = not err and task or nil
    if (before and before.taskId) ~= (found and found.taskId) then changed() end
  end)
end

return M
