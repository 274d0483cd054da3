local t = require("tests.harness")

local loosens = { [".clined/settings.json"] = '{"autoApprove": {"command": true}, "model": "a\\u001b[31mb"}' }

t.test("settings of a workspace that allow more are asked about, with all that they want", function()
  t.here({ files = loosens })
  local said, asked = {}, nil
  vim.notify = function(text) table.insert(said, text) end
  vim.ui.select = function(items, opts, cb) asked = { items, opts, cb } end
  require("clined.daemon").ready(function() end)
  t.wait("the question", function() return asked end)
  t.has(asked[2].prompt, "until you trust them")
  t.ok(not asked[2].prompt:find("\n"))
  t.has(said, "autoApprove.command")
  t.eq(vim.tbl_map(asked[2].format_item, asked[1]), { "Trust these settings", "Not now" })
  asked[3](asked[1][1])
  t.wait("the answer", function() return table.concat(said):find("hold from now on", 1, true) end)
  t.ok(not table.concat(said):find("\27"))
end)

t.test("nothing is asked while the user types", function()
  local nvim = t.child({ files = loosens })
  nvim:lua([[
    vim.ui.select = function() asked = true end
    vim.notify = function() end
    require("clined.daemon").ready(function() end)
  ]])
  nvim:keys("i")
  nvim:wait("it to run", "return require('clined.daemon').state().kind == 'running'")
  nvim:keys("typing")
  nvim:lua("require('clined.daemon').request('clined/config/get', {}, function() answered = true end)")
  nvim:wait("an answer behind the question", "return answered")
  t.eq(nvim:lua("return asked"), vim.NIL)
  nvim:keys("<Esc>")
  nvim:wait("the question", "return asked")
end)
