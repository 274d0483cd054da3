local t = require("tests.harness")
local events = require("clined.events")

-- The parts that it asks, as they may be.
local function parts(o)
  local own = {
    ["clined.daemon"] = { state = function() return o.daemon or { kind = "running" } end },
    ["clined.decisions"] = { list = function() return o.asked or {} end },
    ["clined.task.session"] = { known = function() return o.known or {} end, current = function() return o.current end },
    ["clined.setup"] = { known = function() return o.setup end },
  }
  for name, part in pairs(own) do
    local before = package.loaded[name]
    package.loaded[name] = part
    t.defer(function() package.loaded[name] = before end)
  end
  package.loaded["clined.statusline"] = nil
  t.defer(function() package.loaded["clined.statusline"] = nil end)
  local line = require("clined.statusline")
  t.settle()
  return line
end

local cases = {
  { "it is not used", { daemon = { kind = "stopped" } }, "off", "", "" },
  { "it starts", { daemon = { kind = "starting" } }, "starting", "clined: starts", "" },
  { "it failed", { daemon = { kind = "failed", problem = "no\nprogram" } }, "failed", "clined: failed", "no program" },
  { "it waits", {}, "idle", "clined", "" },
  { "it has a task", { current = { info = { title = "Fix" }, state = { state = "idle" } } }, "idle", "clined", "Fix" },
  {
    "it works",
    { known = { a = { state = "running", title = "Fix" }, b = { state = "idle", title = "x" } } },
    "working",
    "clined: working",
    "Fix",
  },
  {
    "it asks",
    { known = { a = { state = "requires_action", title = "Fix" } }, asked = { { taskId = "a" }, { taskId = "a" } } },
    "asks",
    "clined: asks 2",
    "Fix",
  },
  { "there is no model", { setup = { configured = false, problem = "no model is set" } }, "setup", "clined: no model", "no model is set" },
  {
    "the turn failed",
    { current = { info = { title = "Fix" }, state = { state = "idle", stopReason = "error", error = { message = "refused" } } } },
    "error",
    "clined: error",
    "refused",
  },
}

for _, case in ipairs(cases) do
  t.test("the statusline when " .. case[1], function()
    local line = parts(case[2])
    t.eq(line.status(), { kind = case[3], text = case[4], title = case[5] })
    t.eq(line.text(), case[4])
  end)
end

t.test("it follows what happens", function()
  local o = { known = { a = { state = "running", title = "Fix" } } }
  local line = parts(o)
  t.eq(line.text(), "clined: working")
  o.known.a.title = "Fix it"
  events.tell("TaskChange", { what = "info" })
  t.settle()
  t.eq(line.status().title, "Fix it")
  o.known.a.state = "idle"
  events.tell("TurnEnd", { taskId = "a" })
  t.settle()
  t.eq(line.text(), "clined")
end)
