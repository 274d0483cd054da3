--- The chat before there is a task: what one can do here, or how a model is connected.
local Block = require("clined.chat.render.block")
local sentence = require("clined.chat.render.notice").sentence
local visible = require("clined.chat.visible")

local M = {}

local function row(block, keys, text)
  block:line("  ", { keys, "ClinedKey" }, (" "):rep(math.max(1, 10 - vim.fn.strdisplaywidth(keys))), text)
end

---@param block clined.chat.Block
---@param setup clined.protocol.SetupStatus
local function connect(block, setup, key)
  block:line({ "No model is connected yet", "ClinedTitle" })
  -- The daemon's hint is for the terminal: the keys say here what to do.
  if setup.model and setup.problem then block:line({ sentence(setup.problem), "ClinedFigure" }) end
  block:line("")
  row(block, key("setup"), "connect one: on this machine, or by URL and key")
  row(block, key("demo"), "try the demo: a scripted model, nothing to set up")
end

---@param key fun(name: string): string
---@return clined.chat.Block
function M.draw(key)
  local block = Block.new()
  block:line("")
  local interrupted = require("clined.chat.offer").known()
  if interrupted then
    block:line({ "Interrupted, nothing is lost: ", "ClinedDecision" }, visible.line(interrupted.title, 200))
    row(block, ":Clined resume", "goes on with it")
    block:line("")
  end
  local setup = require("clined.setup").known()
  if setup and not setup.configured then
    connect(block, setup, key)
    return block
  end
  block:line({ "What shall we work on?", "ClinedTitle" })
  block:line({ "I read and edit files, run commands and use your MCP servers. What changes something asks first.", "ClinedFigure" })
  block:line("")
  local input = {}
  for _, k in ipairs(require("clined.keys").of("input")) do
    input[k.name] = k.lhs
  end
  row(block, input.send or "", "says what you wrote below")
  if input.mode then row(block, input.mode, "plan first, or act") end
  if input.complete then row(block, input.complete, "completes paths of files") end
  row(block, ":Clined", "with a selection takes those lines along")
  row(block, ":Clined history", "the tasks so far")
  row(block, key("help"), "all keys")
  if setup and setup.demo then
    block:line("")
    block:line({ "The demo answers. Ask it: What is the weather in New York tomorrow?", "ClinedFigure" })
  end
  return block
end

return M
