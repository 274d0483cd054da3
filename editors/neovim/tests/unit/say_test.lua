local t = require("tests.harness")
local say = require("clined.say")

t.test("what is said is in :messages whole, a line each", function()
  vim.cmd("messages clear")
  local long = "it's 世界 " .. ("long "):rep(60) .. "end"
  say.warn("short")
  say.warn(long)
  say.error("one\ntwo", "three")
  t.wait("them", function() return vim.fn.execute("messages"):find("three", 1, true) end)
  t.eq(vim.split(vim.trim(vim.fn.execute("messages")), "\n"), { "clined: short", "clined: " .. long, "clined: one two; hint: three" })
end)

t.test("a plugin that shows notifications gets them whole", function()
  local notify, heard = vim.notify, nil
  t.defer(function() vim.notify = notify end)
  vim.notify = function(...) heard = { ... } end
  say.error("what\nfailed", "do that")
  t.wait("it", function() return heard end)
  t.eq(heard, { "clined: what\nfailed; hint: do that", vim.log.levels.ERROR, { title = "clined" } })
end)
