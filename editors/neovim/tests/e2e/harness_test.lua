local t = require("tests.harness")

t.test("a child is driven by keys, Lua and commands", function()
  local nvim = t.child({ files = { ["a.txt"] = "one\n" }, args = { "a.txt" } })
  t.eq(nvim:lines(), { "one" })
  nvim:keys("Itwo <Esc>")
  nvim:wait("the keys", "return vim.api.nvim_get_current_line() == 'two one'")
  nvim:cmd("write")
  t.eq(t.read(nvim.work .. "/a.txt"), "two one\n")
end)

t.test("the daemon and the model are there", function()
  local here = t.here({ script = 'reply\n  hold first\n  call attempt_completion {"result":"hello"}\n' })
  t.eq(vim.g.clined.settings.baseUrl, here.model.url)
  local run = vim.system(
    { t.bin, "run", "--cwd", here.work, "--base-url", here.model.url, "--model", "fake-model", "greet" },
    { text = true }
  )
  here.model.held("first")
  t.eq(#here.model.requests(), 1)
  here.model.release("first")
  local ended = run:wait(t.limit)
  t.has(ended.stdout, "hello")
  here.model.done()
end)

t.test("a child is killed", function()
  local nvim = t.child()
  nvim:kill()
  t.fails(function() nvim:lua("return 1") end, "channel")
end)
