-- Neovim's own vim.notify waits for a key after a sentence that does not fit, and hears nothing meanwhile.
local t = require("tests.harness")

t.test("a sentence that does not fit holds nothing up", function()
  local nvim = t.terminal({
    columns = 60,
    rows = 10,
    config = [[
      vim.schedule(function()
        local say = require("clined.say")
        say.warn("begin " .. ("long "):rep(60) .. "end")
        say.error("another\nof two lines", "do that")
        local timer, ticks = vim.uv.new_timer(), 0
        timer:start(300, 10, vim.schedule_wrap(function()
          ticks = ticks + 1
          vim.fn.writefile({ tostring(ticks) }, "ticks")
        end))
      end)
    ]],
  })
  nvim:shows("clined: another of two lines; hint: do that")
  t.wait("what goes on meanwhile", function()
    local ok, ticks = pcall(t.read, nvim.work .. "/ticks")
    return ok and (tonumber(ticks) or 0) > 5
  end)
end)
