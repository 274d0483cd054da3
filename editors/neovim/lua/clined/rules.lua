--- What is allowed from now on by an "always", as a list from which rules can be taken away.
local daemon = require("clined.daemon")
local say = require("clined.say")
local visible = require("clined.chat.visible")

local M = {}

---@type clined.List?
local list

local function entry(rule)
  return {
    value = rule,
    pieces = {
      { (" %-10s"):format(rule.scope), "ClinedLabel" },
      { visible.line(rule.pattern, 300), "ClinedCommand" },
      { "  " .. (rule.verdict or "allow"), rule.verdict == "deny" and "ClinedFailed" or "ClinedDone" },
      { "  " .. visible.line(rule.workspace or "", 200), "ClinedFigure" },
    },
  }
end

local function refresh()
  daemon.request("clined/rule/list", vim.empty_dict(), function(err, result)
    if err then return say.failed(err) end
    if list then list:set(vim.tbl_map(entry, result.rules), " Nothing is allowed from now on: everything that changes something asks.") end
  end)
end

local function remove(rule)
  if not rule then return end
  daemon.request("clined/rule/remove", { id = rule.id }, function(err)
    if err then return say.failed(err) end
    say.info(("%s asks again"):format(visible.line(rule.pattern, 200)))
    refresh()
  end)
end

--- Shows them.
function M.open()
  list = require("clined.list").open("clined://rules", { { lhs = "dd", desc = "take it away: it asks again", run = remove } })
  list:set({}, " …")
  refresh()
end

return M
