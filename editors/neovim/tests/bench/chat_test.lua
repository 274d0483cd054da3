local t = require("tests.harness")

-- Opening it for the first time, with all that it loads, until it is drawn: milliseconds of Neovim's own time, which other work of
-- the machine adds little to.
local open = [[
  local function own()
    local used = vim.uv.getrusage()
    return (used.utime.sec + used.stime.sec) * 1e3 + (used.utime.usec + used.stime.usec) / 1e3
  end
  local began = own()
  vim.cmd("Clined")
  vim.cmd("redraw")
  return own() - began
]]

t.test("the chat is there at once", function()
  local took = {}
  for _ = 1, 11 do
    local nvim = t.child()
    table.insert(took, nvim:lua(open))
    nvim:stop()
  end
  t.figure("opening the chat", t.median(took), 50, "ms")
end)
