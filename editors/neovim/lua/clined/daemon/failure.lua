--- What keeps the daemon from running, in words for the user, each with what to do next.
---
--- Owns the sentences; finds nothing out and shows nothing. The sentences begin small and have no full stop.
local M = {}

--- The daemon cannot be asked. It has the shape of an error of JSON-RPC, so that whoever shows errors shows this one alike.
---@class clined.Failure: clined.Error
---@field data { hint: string }

--- JSON-RPC's error; `data.hint` says what to do where the daemon knows.
---@class clined.Error
---@field code integer
---@field message string
---@field data? any

--- How a process ended; `last` is the last line of what went wrong that it wrote to standard error.
---@class clined.Exit
---@field code integer
---@field signal integer
---@field last? string

local restart = ":Clined restart starts it again, and what it was doing can be resumed"
local other_program = 'name another program in vim.g.clined.bin, then :Clined restart (":checkhealth clined" shows what is found)'

---@param problem string
---@param hint string
---@return clined.Failure
function M.new(problem, hint) return { code = -32096, message = problem, data = { hint = hint } } end

---@param exit clined.Exit
---@return string
local function how(exit)
  if exit.signal ~= 0 then return ("it was ended by signal %d"):format(exit.signal) end
  return ("it ended with exit code %d"):format(exit.code)
end

---@param built string where it would be if it were built
---@param repository? string where it can be built
function M.missing(built, repository)
  local make = repository and ("run make in %s, or "):format(repository) or ""
  return M.new(
    ("the clined program was not found: %s is not there, and PATH has none"):format(built),
    make .. "put clined on PATH, or name it in vim.g.clined.bin; then :Clined restart"
  )
end

---@param path string
---@param why string what it is instead
function M.named_but(path, why)
  return M.new(("vim.g.clined.bin names %s, which %s"):format(path, why), "correct vim.g.clined.bin, or leave it out; then :Clined restart")
end

---@param path string
function M.not_executable(path)
  return M.new(path .. " is not executable", ("chmod +x %s, then :Clined restart"):format(vim.fn.shellescape(path)))
end

---@param path string of a file that is there
---@param code string the system's, such as ENOEXEC
---@param why string its words
function M.not_started(path, code, why)
  if code == "EACCES" then return M.not_executable(path) end
  if code == "ENOEXEC" then return M.new(path .. " is no program for this machine", other_program) end
  if code == "ENOENT" then
    return M.new(path .. " needs a loader or interpreter that is not here: it is built for another system", other_program)
  end
  return M.new(("%s could not be started: %s"):format(path, why), other_program)
end

---@param folder string
function M.no_folder(folder)
  return M.new(("the working directory %s is gone"):format(folder), ":cd to one that exists, then :Clined restart")
end

---@param path string
---@param exit clined.Exit
function M.died_starting(path, exit)
  local said = exit.last and ("; it said: " .. exit.last) or ""
  return M.new(("%s could not be started: %s%s"):format(path, how(exit), said), other_program)
end

---@param exit clined.Exit
function M.crashed(exit)
  local said = exit.last and ("; it said last: " .. exit.last) or ""
  return M.new(("clined does not run any more: %s%s"):format(how(exit), said), restart)
end

---@param why string
function M.broken(why)
  return M.new("clined could not be started: " .. why, "correct vim.g.clined, then :Clined restart; :Clined log tells more")
end

---@param path string
function M.silent(path) return M.new(path .. " does not answer", ":Clined restart tries again; :Clined log may tell more") end

--- `said` is the beginning of what it wrote to standard output, where that never was the protocol.
---@param path string
---@param said? string
function M.garbled(path, said)
  if not said then return M.new("what clined says cannot be understood", restart) end
  return M.new(("%s is no clined: it printed %q"):format(path, said), other_program)
end

function M.stopped() return M.new("clined was stopped before it answered", "try again") end

---@param path string
---@param message string the daemon's words
---@param hint? string
function M.refused(path, message, hint) return M.new(("%s could not be started: %s"):format(path, message), hint or other_program) end

---@alias clined.ProtocolRange { min: integer, max: integer }

---@param range clined.ProtocolRange
local function words(range)
  if range.min == range.max then return "version " .. range.min end
  return ("versions %d to %d"):format(range.min, range.max)
end

--- Plugin and program have no version of the protocol in common: says which of the two is the older one.
---@param path string
---@param theirs? clined.ProtocolRange nil where it is no daemon for editors at all
---@param ours clined.ProtocolRange
function M.wrong_protocol(path, theirs, ours)
  local spoken = theirs and words(theirs) or "no version of the protocol that editors speak"
  local older = not theirs or theirs.max < ours.min
  return M.new(
    ("%s speaks %s, this plugin %s"):format(path, spoken, words(ours)),
    older and "update clined (make in the plugin's folder), or name another program in vim.g.clined.bin; then :Clined restart"
      or "update the plugin"
  )
end

return M
