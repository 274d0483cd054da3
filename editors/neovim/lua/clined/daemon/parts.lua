--- The parts of the plugin that answer the daemon: loaded before a process is told what the editor can do. Each has `attach()`,
--- which is called once, before the first process starts, and says by `daemon.handle` what it answers.
local M = {}

local names = {
  "clined.edits",
  "clined.messages",
  "clined.setup",
  "clined.task.session",
  "clined.decisions",
  "clined.diff",
  "clined.editor",
}

local loaded = false

--- Loads them once. A part that cannot be loaded is missing in what the daemon is told, and in the log.
function M.load()
  if loaded then return end
  loaded = true
  for _, name in ipairs(names) do
    local ok, part = xpcall(require, debug.traceback, name)
    if not ok and part:find(("module '%s' not found"):format(name), 1, true) then
      require("clined.log").info(name .. " is not there yet")
    elseif not ok then
      require("clined.log").error(part)
    elseif type(part) == "table" and part.attach then
      part.attach()
    end
  end
end

return M
