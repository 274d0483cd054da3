--- What the daemon says or asks apart from tasks: `window/showMessage`, `window/showMessageRequest`, `window/logMessage`.
local daemon = require("clined.daemon")

local M = {}

local levels = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO, vim.log.levels.DEBUG }

-- A question, such as whether this folder is trusted. No choice is no decision.
---@param params clined.protocol.ShowMessageRequestParams
---@param reply clined.Reply
local function ask(params, reply)
  local open = true
  vim.ui.select(params.actions or {}, {
    prompt = params.message,
    kind = "clined",
    format_item = function(action) return action.title end,
  }, function(action)
    if open then reply(action) end
  end)
  return function() open = false end
end

function M.attach()
  daemon.handle("window/showMessageRequest", ask)
  daemon.on("window/showMessage", function(params)
    vim.notify("clined: " .. params.message, levels[params.type] or vim.log.levels.INFO, { title = "clined" })
  end)
  daemon.on("window/logMessage", function(params) require("clined.log").info(params.message) end)
end

return M
