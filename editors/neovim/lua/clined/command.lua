--- The subcommands of `:Clined`, with their completion.
---
--- Owns which there are, and reading their arguments; what they do is in the modules they call.
local M = {}

---@class clined.Subcommand
---@field name string
---@field args? string for the help: "{text}", "[words]"
---@field desc string for the help
---@field run fun(args: clined.CommandArgs)
---@field complete? fun(lead: string): string[]

---@class clined.CommandArgs
---@field text string what stands behind the subcommand
---@field range? { first: integer, last: integer } lines of the range, 1-based
---@field bang boolean

--- In the order of the help. `:Clined` alone opens the chat.
---@type clined.Subcommand[]
M.list = {}

---@param args vim.api.keyset.create_user_command.command_args
function M.run(args) error("unfinished: " .. args.args) end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  return {}
end

return M
