--- What the daemon says or asks apart from tasks: `window/showMessage`, `window/showMessageRequest`, `window/logMessage`.
---
--- Owns that these reach the user, who is not interrupted by a question while they type. No choice is no decision.
local daemon = require("clined.daemon")
local visible = require("clined.chat.visible")

local M = {}

local levels = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO, vim.log.levels.DEBUG }

-- The daemon's own messages begin with its name, or not.
---@param text string
---@return string
local function shown(text)
  local plain = table.concat((visible.lines(text)), "\n")
  return vim.startswith(plain, "clined: ") and plain or "clined: " .. plain
end

---@param params clined.protocol.ShowMessageParams|clined.protocol.ShowMessageRequestParams
local function show(params) require("clined.say").tell(shown(params.message), levels[params.type] or vim.log.levels.INFO) end

-- A question, such as whether the settings of this folder are trusted. What it is about may be many lines, for which no picker has
-- room: they are shown before.
---@param params clined.protocol.ShowMessageRequestParams
---@param reply clined.Reply
local function ask(params, reply)
  local open = true
  require("clined.decisions.idle").when(function()
    if not open then return end
    show(params)
    local opts = {
      prompt = visible.line(shown(params.message):match("[^\n]*"), 200),
      format_item = function(action) return visible.line(action.title, 200) end,
      kind = "clined",
    }
    require("clined.decisions.pick").select(params.actions or {}, opts, function(action) reply(action) end)
  end)
  return function() open = false end
end

--- Answers and hears the daemon from now on.
function M.attach()
  daemon.handle("window/showMessageRequest", ask)
  daemon.on("window/showMessage", show)
  daemon.on("window/logMessage", function(params) require("clined.log").info(params.message) end)
end

return M
