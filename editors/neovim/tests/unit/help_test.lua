local t = require("tests.harness")

local plugin = vim.env.CLINED_TEST_PLUGIN
local text = t.read(plugin .. "/doc/clined.txt")

t.test("the help is what the plugin's own tables and annotations say", function()
  local help = dofile(plugin .. "/../../scripts/neovim/help.lua")
  if help.text(plugin) ~= text then error("doc/clined.txt is old: make help-neovim writes it", 0) end
end)

t.test("each command, key, option, event, group and function is in the help", function()
  local names = {}
  for _, sub in ipairs(require("clined.command").list) do
    table.insert(names, (":Clined-%s*"):format(sub.name))
  end
  for _, key in ipairs(require("clined.keys").list) do
    table.insert(names, ("%-10s %s"):format(key.lhs, key.name))
  end
  for _, plug in ipairs(require("clined.keys").plugs) do
    table.insert(names, ("*<Plug>(clined-%s)*"):format(plug.name))
  end
  for _, event in ipairs(require("clined.events").list) do
    table.insert(names, ("*Clined%s*"):format(event.name))
  end
  for _, group in ipairs(require("clined.highlight").list) do
    table.insert(names, ("*hl-%s*"):format(group.name))
  end
  for name, value in pairs(require("clined.config").defaults) do
    local inner = type(value) == "table" and name ~= "settings" and value or { value }
    for key in pairs(inner) do
      table.insert(names, ("*clined-option-%s%s*"):format(name, type(key) == "string" and "." .. key or ""))
    end
  end
  for name, value in pairs(require("clined")) do
    if type(value) == "function" then table.insert(names, ("*clined.%s()*"):format(name)) end
  end
  for _, name in ipairs(names) do
    t.ok(text:find(name, 1, true), name .. " is not in the help")
  end
  t.ok(#names > 90, "only " .. #names .. " were looked for")
end)

t.test("its tags are found, no two are the same, and no link leads nowhere", function()
  local doc = t.folder({ ["doc/clined.txt"] = text })
  vim.cmd.helptags(doc .. "/doc")
  local tags = {}
  for tag in t.read(doc .. "/doc/tags"):gmatch("([^\t\n]+)\t[^\n]*\n") do
    tags[tag] = true
  end
  for _, tag in ipairs({ "clined", ":Clined", ":Clined-new", "clined-options", "ClinedTurnEnd", "hl-ClinedUser" }) do
    t.ok(tags[tag], "no tag " .. tag)
  end
  vim.opt.runtimepath:prepend(doc)
  for link in text:gmatch("|([^|%s]+)|") do
    if not tags[link] then t.ok(pcall(vim.cmd.help, link), "nothing at |" .. link .. "|") end
  end
end)

t.test("it fits in 80 columns", function()
  for line in text:gmatch("[^\n]+") do
    t.ok(vim.fn.strdisplaywidth(line) <= 80, line)
  end
end)
