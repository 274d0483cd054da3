local t = require("tests.harness")
local told = require("tests.harness.told")
local chat = require("clined.chat")
local input = require("clined.chat.input")
local session = require("clined.task.session")

-- The requests of a method that were not answered yet.
local function waiting(method)
  return vim.tbl_filter(function(asked) return asked.method == method end, told.asked)
end

local function fresh()
  session.put_away()
  told.asked = {}
end

t.test("what is said before the new task is there does not begin a second one", function()
  fresh()
  local refused
  session.say("one")
  session.say("two", {}, function(err) refused = err end)
  t.eq(#waiting("clined/task/new"), 1)
  t.eq(refused.code, 1002)
  waiting("clined/task/new")[1].cb(nil, { taskId = "t1" })
  t.eq(session.task_id(), "t1")
  session.say("two")
  t.eq(waiting("clined/task/prompt")[1].params.prompt, { { type = "text", text = "two" } })
end)

t.test("a new task that is put away before it is there is not shown", function()
  fresh()
  session.say("one")
  session.put_away()
  session.say("two")
  local first, second = unpack(waiting("clined/task/new"))
  second.cb(nil, { taskId = "t2" })
  first.cb(nil, { taskId = "t1" })
  t.eq(session.task_id(), "t2")
end)

t.test("a task that is being opened when a daemon starts is opened, and no other", function()
  fresh()
  told.open({ told.said("u1", "One.") })
  told.answers["clined/task/attach"], told.asked = nil, {}
  local opened
  session.open("t2", function(err) opened = err or "opened" end)
  require("clined.events").tell("DaemonState", { kind = "running" })
  local asked = waiting("clined/task/attach")
  t.eq(#asked, 1)
  asked[1].cb(nil, {
    task = { taskId = "t2", title = "", cwd = "/", roots = {}, created = "", updated = "", state = "idle", messages = 0 },
    events = {},
    seq = 0,
    pending = {},
  })
  t.eq({ opened, session.task_id() }, { "opened", "t2" })
end)

t.test("what is not said after all comes back in order, and never into words for another thing", function()
  fresh()
  chat.open()
  told.open({ told.said("u1", "One.") })
  told.event({ type = "state", state = "running" })
  told.event(told.said("u2", "First.", { status = "pending" }), "turn2")
  told.event(told.said("u3", "Second.", { status = "pending" }), "turn3")
  input.set("a draft")
  require("clined.chat.actions").stop()
  local why
  input.ask({ title = "Why?", done = function(text) why = text end })
  waiting("clined/task/cancel")[1].cb(nil, {})
  t.eq(input.text(), "")
  input.set("since it is wrong")
  input.send()
  t.eq({ why, input.text() }, { "since it is wrong", "First.\n\nSecond.\n\na draft" })
end)
