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

local function told(err) require("clined.say").failed(err) end

-- Lines of the current buffer as they go to the model: where they are, and a fence that nothing in them ends.
---@param range { first: integer, last: integer }
local function quoted(range)
  local lines = vim.api.nvim_buf_get_lines(0, range.first - 1, range.last, false)
  local name = vim.api.nvim_buf_get_name(0)
  local path = name ~= "" and vim.fn.fnamemodify(name, ":.") or "the buffer"
  local fence = "```"
  for _, line in ipairs(lines) do
    local ticks = line:match("^%s*(`+)")
    if ticks and #ticks >= #fence then fence = ("`"):rep(#ticks + 1) end
  end
  local place = range.first == range.last and ("%s:%d"):format(path, range.first) or ("%s:%d-%d"):format(path, range.first, range.last)
  return ("%s\n%s%s\n%s\n%s\n"):format(place, fence, vim.bo.filetype, table.concat(lines, "\n"), fence)
end

local function open(args)
  local text = args.range and quoted(args.range) or nil
  require("clined.chat").open({ text = text })
end

-- What stands behind the subcommand, with the lines of its range.
local function words(args) return args.range and args.text .. "\n\n" .. quoted(args.range) or args.text end

-- The answer comes in the chat, which is opened.
local function say(text)
  require("clined.chat").open({ enter = false })
  require("clined.chat").say(text)
end

local function set_mode(mode)
  return function(args)
    local text = args.text ~= "" and words(args) -- now: another buffer may be the current one then
    require("clined.task.session").set_option("mode", mode, function(err)
      if err then return told(err) end
      if text then say(text) end
    end)
  end
end

--- In the order of the help. `:Clined` alone opens the chat.
---@type clined.Subcommand[]
M.list = {
  { name = "open", desc = "open the chat, or go to it; a range goes along", run = open },
  {
    name = "new",
    args = "[text]",
    desc = "begin a new task; what runs goes on",
    run = function(args)
      require("clined.task.session").put_away()
      if args.text == "" then return open(args) end
      say(words(args))
    end,
  },
  {
    name = "ask",
    args = "{text}",
    desc = "say something, in the task that is open or in a new one; a range goes along",
    run = function(args)
      if args.text == "" then return open(args) end
      say(words(args))
    end,
  },
  { name = "stop", desc = "stop what runs", run = function() require("clined.chat.actions").stop() end },
  { name = "plan", args = "[text]", desc = "plan first: nothing is changed", run = set_mode("plan") },
  { name = "act", args = "[text]", desc = "carry things out", run = set_mode("act") },
  {
    name = "model",
    args = "[id]",
    desc = "choose the model",
    run = function(args) require("clined.models").choose(args.text ~= "" and args.text or nil) end,
    complete = function() return require("clined.models").known() end,
  },
  { name = "history", args = "[words]", desc = "the tasks so far", run = function(args) require("clined.history").open(args.text) end },
  { name = "resume", desc = "go on with what was interrupted", run = function() require("clined.history").resume() end },
  { name = "rules", desc = "what is allowed from now on; take some of it back", run = function() require("clined.rules").open() end },
  { name = "log", desc = "what happened inside, for whoever looks for a fault", run = function() require("clined.logs").open() end },
  { name = "allow", desc = "allow what is asked", run = function() require("clined.decisions.command").allow() end },
  {
    name = "refuse",
    args = "[text]",
    desc = "refuse it, with these words for the model",
    run = function(args) require("clined.decisions.command").refuse(args.text ~= "" and args.text or nil) end,
  },
  { name = "restart", desc = "start the daemon anew", run = function() require("clined.daemon").restart(told) end },
  { name = "setup", desc = "connect a model", run = function() require("clined.setup").run() end },
  {
    name = "export",
    args = "[file]",
    desc = "write the task as Markdown",
    run = function(args) require("clined.history").export(args.text) end,
    complete = function(lead) return vim.fn.getcompletion(lead, "file") end,
  },
}

---@param name string
---@return clined.Subcommand?
local function named(name)
  for _, sub in ipairs(M.list) do
    if sub.name == name then return sub end
  end
end

---@param args vim.api.keyset.create_user_command.command_args
function M.run(args)
  local name, text = args.args:match("^(%S*)%s*(.-)%s*$")
  local sub = named(name == "" and "open" or name)
  if not sub then
    local words = table.concat(vim.tbl_map(function(s) return s.name end, M.list), ", ")
    return require("clined.say").error(("there is no :Clined %s"):format(name), "one of " .. words)
  end
  local range = args.range > 0 and { first = args.line1, last = args.line2 } or nil
  sub.run({ text = text, range = range })
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local name, rest = line:match("^.-Clined%s+(%S+)%s+(.*)$")
  local words = {}
  if name then
    local sub = named(name)
    words = sub and sub.complete and sub.complete(rest) or {}
  else
    words = vim.tbl_map(function(s) return s.name end, M.list)
  end
  return vim.tbl_filter(function(w) return vim.startswith(w, lead) end, words)
end

return M
