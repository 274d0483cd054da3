local t = require("tests.harness")

-- Opening it for the first time, with all that it loads, until it is drawn; in milliseconds.
local open = [[
  local began = vim.uv.hrtime()
  vim.cmd("Clined")
  vim.cmd("redraw")
  return (vim.uv.hrtime() - began) / 1e6
]]

t.test("the chat is there at once", function()
  local took = {}
  for _ = 1, 5 do
    local nvim = t.child()
    table.insert(took, nvim:lua(open))
    nvim:stop()
  end
  t.figure("opening the chat", t.median(took), 50, "ms")
end)
