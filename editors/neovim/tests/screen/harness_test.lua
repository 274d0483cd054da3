local t = require("tests.harness")

t.test("a terminal shows a file in colours", function()
  local nvim = t.terminal({
    files = { ["a.lua"] = 'local greeting = "héllo → 世界"\nprint(greeting)\n' },
    args = { "a.lua" },
    columns = 60,
    rows = 12,
  })
  nvim:shows("greeting", "世界")
  nvim:type("Gofirst")
  nvim:press("Escape")
  nvim:shows("first")
  nvim:picture("harness")
end)
