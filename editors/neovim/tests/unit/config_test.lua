local t = require("tests.harness")
local config = require("clined.config")

t.test("without options all defaults hold, and nobody can change them", function()
  local one = config.check(nil)
  t.eq(one, config.defaults)
  one.chat.size = 7
  one.settings.model = "x"
  t.eq(config.check(nil), config.defaults)
  t.ok(config.defaults.chat.size ~= 7)
end)

t.test("what is given is laid over the defaults", function()
  local given = { chat = { position = "left" }, settings = { model = "m", autoApprove = { edit = true } }, bin = { "a", "b" } }
  local got, problems = config.check(given)
  t.eq(problems, {})
  t.eq(got.chat, vim.tbl_extend("force", config.defaults.chat, { position = "left" }))
  t.eq(got.settings, given.settings)
  t.eq(got.bin, { "a", "b" })
  t.eq(got.diff, config.defaults.diff)
end)

t.test("a function that returns them is called", function()
  t.eq(config.check(function() return { notify = false } end).notify, false)
  local got, problems = config.check(function() error("my fault") end)
  t.eq(got, config.defaults)
  t.has(problems, "my fault")
end)

local wrong = {
  { "text", "must be a table" },
  { { chta = {} }, "chta is no option; did you mean chat?" },
  { { unheard = 1 }, "unheard is no option" },
  { { chat = { positon = "left" } }, "did you mean chat.position?" },
  { { chat = "left" }, "chat must be a table" },
  { { chat = { position = "middle" } }, 'chat.position must be one of "right", "left", "below", "tab"' },
  { { chat = { size = 0 } }, "chat.size must be a number above 0" },
  { { bin = "" }, "bin must be a path" },
  { { bin = {} }, "bin must be a path" },
  { { bin = { 1 } }, "bin must be a path" },
  { { notify = "yes" }, "notify must be a boolean" },
  { { keys = { chat = { alow = "y" } } }, '"alow"' },
  { { keys = { chat = { allow = "" } } }, 'a key or false for "allow"' },
  { { 1, 2 }, "1 is no option" },
}

for _, case in ipairs(wrong) do
  t.test("what is wrong is told, and the default holds: " .. case[2], function()
    local got, problems = config.check(case[1])
    t.has(problems, case[2])
    t.eq(got, config.defaults)
  end)
end

t.test("one wrong option spoils no other", function()
  local got, problems = config.check({ notify = "yes", select = false, chat = { size = -1, input = 5 } })
  t.eq(#problems, 2)
  t.eq(got.select, false)
  t.eq(got.chat.input, 5)
  t.eq(got.chat.size, config.defaults.chat.size)
end)

t.test("what is wrong is said once, until the options are read anew", function()
  local said = {}
  local notify = vim.notify
  t.defer(function()
    vim.notify, vim.g.clined = notify, nil
    config.reload()
  end)
  vim.notify = function(text) table.insert(said, text) end
  vim.g.clined = { notify = "yes" }
  config.reload()
  config.get()
  config.get()
  t.settle()
  t.eq(#said, 1)
  t.has(said[1], ":help clined-options")
  vim.g.clined = { notify = false }
  t.eq(config.get().notify, true)
  config.reload()
  t.eq(config.get().notify, false)
end)

t.test("the log keeps what is said, and begins anew when it is long", function()
  local log = require("clined.log")
  vim.fn.delete(vim.fs.dirname(log.path()), "rf")
  log.info("one")
  log.error("two\nlines")
  t.ok(t.read(log.path()):find("^%d+%-%d+%-%d+T%d+:%d+:%d+Z INFO one\n%S+ ERROR two\nlines\n$"))
  t.write(log.path(), ("x"):rep(4 * 1024 * 1024 + 1))
  log.info("three")
  t.ok(t.read(log.path()):find("^%S+ INFO three\n$"))
  t.eq(#t.read(log.path() .. ".old"), 4 * 1024 * 1024 + 1)
end)
