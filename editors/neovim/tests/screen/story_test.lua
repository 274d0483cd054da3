-- What a user sees from the first start on: the demo, a command that runs, the end of Neovim in the middle of it, and what is wrong.
local t = require("tests.harness")

local quick = "require('clined.decisions.steady').pause = 0"

for _, size in ipairs({ { 200, 50 }, { 80, 24 } }) do
  t.test(("the demo tells the weather at %d columns, with no model set up before"):format(size[1]), function()
    local nvim = t.terminal({ columns = size[1], rows = size[2], options = { settings = { discover = {} } }, config = quick })
    nvim:type(":Clined\r")
    nvim:shows("No model is connected yet", "gd", "gs")
    nvim:picture(("story-%d-begin"):format(size[1]))
    nvim:type("iWhat is the weather in New York tomorrow?")
    nvim:press("C-s")
    nvim:shows("Which model shall clined use?", "The demo")
    nvim:picture(("story-%d-model"):format(size[1]))
    nvim:press("Escape")
    nvim:shows("▌ What is the weather in New York tomorrow?", "No model is connected yet")
    nvim:type("gd")
    nvim:hides("No model is connected yet")
    nvim:press("C-s")
    nvim:shows("get_forecast", "-74.006", "[a] allow", "A decision waits", "gR say why")
    nvim:type("ga")
    nvim:shows("76°F", "done", "What next?")
    nvim:picture(("story-%d-weather"):format(size[1]))
  end)
end

t.test("a command prints as it runs; after the end of Neovim the next one offers to go on", function()
  local command = "echo $((6 * 7)) so far; while [ ! -e go ]; do sleep 0.05; done"
  local nvim = t.terminal({
    config = quick,
    files = { ["a.txt"] = "as it was\n" },
    args = { "a.txt" },
    script = ("reply\n  call execute_command %s\nreply\n  call attempt_completion %s\n"):format(
      vim.json.encode({ command = command, requires_approval = false }),
      vim.json.encode({ result = "It went on." })
    ),
  })
  nvim:type(":Clined ask Wait for it.\r")
  nvim:shows("Run echo", "[a] allow")
  nvim:type(":Clined allow\r")
  nvim:shows("42 so far", "Working")
  nvim:picture("story-command")
  vim.uv.kill(nvim:pid(), "sigkill")
  local next_one = t.terminal({ place = nvim.place, config = quick })
  next_one:type(":Clined\r")
  next_one:shows("Interrupted, nothing is lost", "Wait for it.", ":Clined resume")
  next_one:picture("story-interrupted")
  next_one:type(":Clined resume\r")
  next_one:shows("It went on.", "done")
  next_one:picture("story-resumed")
end)

t.test("unsaved words are what the model reads, and paths complete", function()
  local nvim = t.terminal({
    files = { ["notes.txt"] = "saved words\n" },
    args = { "notes.txt" },
    script = 'reply\n  call read_file {"path":"notes.txt"}\nreply\n  expect contains unsaved words\n  call attempt_completion {"result":"I read it."}\n',
  })
  nvim:shows("saved words")
  nvim:type("ccunsaved words")
  nvim:press("Escape")
  nvim:type(":Clined\r")
  nvim:shows("What shall we work on?")
  nvim:type("iRead not")
  nvim:press("Tab")
  nvim:shows("Read notes.txt")
  nvim:press("C-s")
  nvim:shows("I read it.", "unsaved words")
  nvim.model.done()
  t.eq(t.read(nvim.work .. "/notes.txt"), "saved words\n")
end)

t.test("its health is told on one screen", function()
  local nvim = t.terminal({ columns = 80, rows = 40, script = "" })
  nvim:type(":checkhealth clined\r")
  nvim:shows("clined", "OK", "fake-model")
  nvim:picture("story-health")
end)
