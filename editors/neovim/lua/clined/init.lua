--- clined for configurations: `require("clined")`. All of it may be called at any time, and loads what it needs when it is.
---
--- Owns the promise that these functions stay; what they do is in the modules they call. There is no `setup()` to be called:
--- options are in `vim.g.clined`, see |clined-options|.
local M = {}

--- Opens the chat, or goes to it. `text` is put into its input.
---@param opts? { enter?: boolean, text?: string }
function M.open(opts) require("clined.chat").open(opts or {}) end

--- Closes the chat; what runs goes on.
function M.close() require("clined.chat").close() end

--- Opens the chat, or closes it where it is open.
function M.toggle()
  local chat = require("clined.chat")
  if chat.is_visible() then
    chat.close()
  else
    chat.open({})
  end
end

--- Says something in the shown task, or begins one with it. The answer comes in the chat, which is opened.
---@param text string
---@param cb? fun(err?: clined.Error) hears that it was taken, or why not
function M.ask(text, cb)
  require("clined.chat").open({ enter = false })
  require("clined.task.session").say(text, {}, cb)
end

--- Puts the shown task away: the next words begin another.
function M.new() require("clined.task.session").put_away() end

--- Stops the turn that runs.
---@param cb? fun(err?: clined.Error)
function M.stop(cb) require("clined.task.session").stop(cb) end

--- What clined does, without loading anything for it: `kind` is "off", "starting", "failed", "setup", "asks", "working", "idle" or
--- "error", `text` a few letters, `title` the task it is about or what is wrong.
---@return clined.Status
function M.status()
  if not package.loaded["clined.daemon"] then return { kind = "off", text = "", title = "" } end
  return require("clined.statusline").status()
end

--- The same as a short text for a statusline: `%{%v:lua.require'clined'.statusline()%}`, or as a component of lualine. Empty while
--- clined is not used.
---@return string
function M.statusline()
  if not package.loaded["clined.daemon"] then return "" end
  return require("clined.statusline").text()
end

--- Hears an event, such as "TurnEnd"; see |clined-events|. The function returned ends that.
---@param name clined.EventName
---@param listener fun(data: table)
---@return fun() off
function M.on(name, listener) return require("clined.events").on(name, listener) end

--- Asks the daemon by a method of its protocol, starting it where none runs. `cb` runs on the main loop.
---@param method string such as "clined/task/list"
---@param params? table an empty object within it is vim.empty_dict()
---@param cb fun(err?: clined.Error, result?: any)
---@return fun() cancel `cb` is not called any more
function M.request(method, params, cb) return require("clined.daemon").request(method, params, cb) end

--- Takes vim.g.clined as it is now, for whoever changed it after clined was used. A daemon that runs hears of other settings.
function M.reload() require("clined.daemon").reload() end

return M
