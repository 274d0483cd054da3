local t = require("tests.harness")

t.test("each <Plug> that is told of is mapped, and no other", function()
  local told, mapped = {}, {}
  for _, plug in ipairs(require("clined.keys").plugs) do
    for _, mode in ipairs(type(plug.mode) == "table" and plug.mode or { plug.mode }) do
      told[mode .. " " .. ("<Plug>(clined-%s)"):format(plug.name)] = plug.command
    end
  end
  for _, mode in ipairs({ "n", "x", "i", "o", "t" }) do
    for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
      if map.lhs:find("<Plug>(clined-", 1, true) then mapped[mode .. " " .. map.lhs] = map.rhs:match("Clined[^<]*") end
    end
  end
  t.eq(mapped, told)
end)

t.test("nothing of the plugin is loaded before it is used", function()
  local nvim = t.child()
  nvim:lua("return require('clined').status()")
  local loaded = nvim:lua([[return vim.tbl_filter(function(n) return n:find("^clined") end, vim.tbl_keys(package.loaded))]])
  t.eq(loaded, { "clined" })
  t.eq(nvim:lua("return require('clined').statusline()"), "")
end)
