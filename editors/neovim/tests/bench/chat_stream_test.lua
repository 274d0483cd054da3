local t = require("tests.harness")
local told = require("tests.harness.told")

-- A task of so many items, as they come.
local function events(count)
  local list = {}
  for i = 1, count do
    if i % 10 == 1 then
      table.insert(list, told.said("u" .. i, "Question " .. i))
    elseif i % 3 == 0 then
      table.insert(
        list,
        told.message("m" .. i, ("Text **bold** `code` %d.\n\n```lua\nlocal x = %d\n```\n\n- a\n- b\n"):format(i, i):rep(3))
      )
    else
      table.insert(list, told.call("c" .. i))
    end
  end
  return list
end

local function timed(run)
  local began = vim.uv.hrtime()
  run()
  return (vim.uv.hrtime() - began) / 1e6
end

-- What an update costs that stands for seven deltas, as at 200 a second and 30 updates.
local function updates(name, most, step)
  local took = {}
  for i = 1, 200 do
    for _ = 1, 7 do
      step(i)
    end
    table.insert(
      took,
      timed(function()
        require("clined.chat.view").flush()
        vim.cmd("redraw")
      end)
    )
  end
  t.figure(name, t.median(took), most, "ms")
end

for _, count in ipairs({ 200, 5000 }) do
  t.test(("updates of a task of %d items leave typing smooth"):format(count), function()
    vim.o.columns, vim.o.lines = 200, 50
    local chat = require("clined.chat")
    require("clined.task.session").put_away()
    chat.close()
    told.open(events(count))
    local opened = timed(function()
      chat.open({ enter = false })
      vim.cmd("redraw")
    end)
    if count == 200 then t.figure("opening a task of 200 items", opened, 50, "ms") end
    local of = (" of %d items"):format(count)
    told.event({ type = "state", state = "running" })
    updates(
      "text that streams into a task" .. of,
      8,
      function(i)
        told.event({
          type = "messageDelta",
          messageId = "s" .. count,
          partIndex = 0,
          kind = "text",
          text = i % 12 == 0 and "\n\n" or "word ",
        })
      end
    )
    local run = { name = "execute_command", kind = "command", status = "in_progress", args = '{"command":"make"}', output = "" }
    told.event(told.call("r" .. count, run))
    updates(
      "output of a command in a task" .. of,
      8,
      function(i) told.event({ type = "toolCallDelta", toolCallId = "r" .. count, output = ("line %d\n"):format(i) }) end
    )
  end)
end
