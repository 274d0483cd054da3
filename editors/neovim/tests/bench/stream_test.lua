local t = require("tests.harness")

-- Words as models write them, with what Markdown makes of some.
local words = [[
  local list = { "The ", "price ", "is ", "taken ", "from ", "`a.go:3`", ", ", "**rounded**", " and ", "then ", "shown.", "\n\n",
    "- ", "each ", "line ", "of ", "it\n", "- ", "once\n\n", "### ", "What ", "follows\n\n", "As ", "[told](b.go) ", "before. " }
  local function word(i) return list[(i - 1) % #list + 1] end
  local function text(bytes)
    local all, size, i = {}, 0, 0
    while size < bytes do
      i = i + 1
      all[i] = word(i)
      size = size + #all[i]
    end
    return table.concat(all)
  end
  local code = { "local ", "function ", "price", "(", "item", ") ", "\n  ", "return ", "item", ".", "price ", "* ", "1.19 ", "-- tax\n", "end\n", "\n" }
  local function delta(text, id) return { type = "messageDelta", messageId = id or "m", partIndex = 0, kind = "text", text = text } end
]]

-- How late a timer of this Neovim is at worst meanwhile, which does nothing else: what the machine takes away from everybody.
---@param during fun(): table
---@return table result, number late in milliseconds
local function beside(during)
  local last, late = vim.uv.hrtime(), 0
  local ticker = assert(vim.uv.new_timer())
  ticker:start(5, 5, function()
    local now = vim.uv.hrtime()
    late, last = math.max(late, (now - last) / 1e6 - 5), now
  end)
  local result = during()
  ticker:close()
  return result, late
end

-- Streams 200 events a second into a task of these items, and presses a key each 83 ms: `before` and `more` are Lua for the Neovim
-- in which that happens, which gives the items and the ith event. Updates are measured in that Neovim's own time.
---@param what string
---@param before string
---@param more string
local function measure(what, before, more)
  local nvim = t.child()
  nvim:lua(
    "package.path = ... .. '/?.lua;' .. package.path stream, told = require('tests.harness.stream'), require('tests.harness.told')",
    vim.env.CLINED_TEST_PLUGIN
  )
  nvim:lua(words .. "stream.open((function() " .. before .. " end)())")
  nvim:wait("writing", "return vim.api.nvim_get_mode().mode == 'i'")
  local result, late = beside(function()
    nvim:lua(words .. "local function more(i) " .. more .. " end stream.run(more, 4000)")
    return nvim:wait("the end of the stream", "return stream.result")
  end)
  t.figure(what .. ", an update", result.median, 5, "ms")
  t.figure(what .. ", the slowest update", result.worst, 50, "ms")
  t.figure(what .. ", of Neovim's time", result.busy, 30, "%")
  t.figure(what .. ", a key", result.key, math.ceil(10 + late), "ms")
  t.figure(what .. ", the slowest key", result.slowest, math.ceil(50 + late), "ms")
end

t.test("words stream in", function() measure("words", "return { told.said('u', 'Go on.') }", "return delta(word(i))") end)

t.test(
  "a message of 200 kB grows",
  function()
    measure(
      "a message of 200 kB",
      "return { told.said('u', 'Go on.'), told.message('m', text(200000), { status = 'in_progress' }) }",
      "return delta(word(i))"
    )
  end
)

t.test(
  "a long block of code grows",
  function()
    measure(
      "a long block of code",
      [[
      local all = {}
      for i = 1, 20000 do all[i] = code[(i - 1) % #code + 1] end
      return { told.said('u', 'Go on.'), told.message('m', 'So:\n\n```lua\n' .. table.concat(all), { status = 'in_progress' }) }
    ]],
      "return delta(code[(i - 1) % #code + 1])"
    )
  end
)

t.test(
  "one line without end grows",
  function()
    measure(
      "one line",
      "return { told.said('u', 'Go on.'), told.message('m', ('word '):rep(20000), { status = 'in_progress' }) }",
      "return delta('word ')"
    )
  end
)

t.test(
  "reasoning streams in",
  function()
    measure(
      "reasoning",
      "return { told.said('u', 'Go on.'), told.message('m', '', { content = { { type = 'thought', text = text(100000) } }, status = 'in_progress' }) }",
      "return { type = 'messageDelta', messageId = 'm', partIndex = 0, kind = 'thought', text = word(i) }"
    )
  end
)

local many = [[
  local all = { told.said('u', 'Go on.') }
  for i = 1, 1250 do
    table.insert(all, told.message('a' .. i, text(300)))
    table.insert(all, told.call('r' .. i))
    table.insert(all, told.call('e' .. i, { name = 'replace_in_file', kind = 'edit', title = 'Edit a.go', diff = '--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n-x\n+y\n z\n' }))
    table.insert(all, told.call('x' .. i, { name = 'execute_command', kind = 'command', title = 'Run make', args = '{"command":"make"}', output = 'The command succeeded.\nOutput:\nok\n' }))
  end
]]

t.test(
  "words stream into a task of 5,000 items",
  function() measure("words after 5,000 items", many .. "return all", "return delta(word(i))") end
)

t.test(
  "a command prints behind 5,000 items",
  function()
    measure(
      "output after 5,000 items",
      many
        .. "table.insert(all, told.call('c', { name = 'execute_command', kind = 'command', title = 'Run make', args = '{\"command\":\"make\"}', status = 'in_progress', output = '' })) return all",
      "return { type = 'toolCallDelta', toolCallId = 'c', output = ('%d: compiled one more of the files\\n'):format(i) }"
    )
  end
)

t.test(
  "a command prints 10 MB",
  function()
    measure(
      "output of 10 MB",
      "return { told.said('u', 'Go on.'), told.call('c', { name = 'execute_command', kind = 'command', title = 'Run make', args = '{\"command\":\"make\"}', status = 'in_progress', output = '' }) }",
      "return { type = 'toolCallDelta', toolCallId = 'c', output = ('%d: compiled one more of the files\\n'):format(i):rep(360) }"
    )
  end
)

t.test(
  "a file is written",
  function()
    measure(
      "arguments",
      "return { told.said('u', 'Go on.'), told.call('c', { name = 'write_to_file', kind = 'edit', args = '{\"path\":\"a.go\",\"content\":\"' .. ('x := 1\\\\n'):rep(30000), status = 'pending' }) }",
      "return { type = 'toolCallDelta', toolCallId = 'c', argsText = 'x := 1\\\\n' }"
    )
  end
)
