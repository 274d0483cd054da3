local t = require("tests.harness")

t.test("equal is equal in depth, and what is not is told", function()
  t.eq({ a = { 1, 2 } }, { a = { 1, 2 } })
  t.fails(function() t.eq({ 1 }, { 2 }) end, "want")
end)

t.test("the plugin is there, and this Neovim is a promised one", function()
  t.eq(vim.fn.exists(":Clined"), 2)
  t.eq(vim.fn.has("nvim-" .. t.slot), 1)
end)

t.test("a wait that is in vain fails with what it waited for", function()
  t.fails(function()
    t.wait("the end of time", function() return false end, 20)
  end, "the end of time")
end)
