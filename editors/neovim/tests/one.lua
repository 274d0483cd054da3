-- Runs one file of tests in this Neovim, or only the test that CLINED_TEST_ONLY names; "?" lists them. run.lua starts it.
package.path = vim.env.CLINED_TEST_PLUGIN .. "/?.lua;" .. package.path

local results = assert(io.open(vim.env.CLINED_TEST_RESULTS, "a"))
local function tell(result)
  results:write(vim.json.encode(result), "\n")
  results:flush()
end

local function run()
  local t = require("tests.harness")
  local only = vim.env.CLINED_TEST_ONLY
  local loaded, why = xpcall(dofile, debug.traceback, vim.env.CLINED_TEST_FILE)
  if not loaded then
    tell({ name = "the file", problem = why })
    return
  end
  for _, test in ipairs(t.tests) do
    if only == "?" then
      tell({ name = test.name, listed = true })
    elseif not only or only == test.name then
      local ok, problem = xpcall(test.run, debug.traceback)
      local after = t.clean_up()
      tell({ name = test.name, problem = not ok and problem or after, figures = t.figures })
      t.figures = {}
    end
  end
end

-- Once it is up, as what a user does is done.
vim.schedule(function()
  local ok, err = xpcall(run, debug.traceback)
  if not ok then tell({ name = "all of it", problem = tostring(err) }) end
  results:close()
  vim.cmd("silent! %bwipeout!")
  vim.cmd("qall!")
end)
