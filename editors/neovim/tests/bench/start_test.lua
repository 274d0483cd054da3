local t = require("tests.harness")

-- What a start takes with the plugin in the runtime path, or without: the own time of its file, in milliseconds.
local function sourced()
  local log = vim.fn.tempname()
  local plugin = vim.env.CLINED_TEST_PLUGIN
  local argv = { vim.env.CLINED_TEST_NVIM, "--clean", "--headless", "-i", "NONE", "-n", "--startuptime", log }
  vim.list_extend(argv, { "--cmd", "set runtimepath^=" .. plugin, "-c", "qall!" })
  t.eq(vim.system(argv):wait(t.limit).code, 0)
  local took = 0
  for line in t.read(log):gmatch("[^\n]+") do
    if line:find(plugin, 1, true) then took = took + assert(tonumber(line:match("^%S+%s+(%S+)"))) end
  end
  return t.ok(took > 0 and took, "the plugin was not sourced")
end

t.test("having the plugin costs nothing that is felt at a start", function()
  local took = {}
  for _ = 1, 15 do
    table.insert(took, sourced())
  end
  t.figure("sourcing the plugin", t.median(took), 1, "ms")
end)
