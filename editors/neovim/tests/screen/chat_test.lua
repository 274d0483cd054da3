local t = require("tests.harness")

local story = [[
reply
  think The user wants a greeting. First I look at what is there, then I change it.
  text <<END
I will look at the file first, then change **one line**:

1. read `greet.lua:1`, which is the only file here and has all that is needed for what was asked
2. change it

```lua
local function greet(name)
  return "Hello, " .. name -- as it is
end
```
END
  call read_file {"path":"greet.lua"}
  call search_files {"path":".","regex":"greet"}
reply
  text Now the tests.
  call execute_command {"command":"printf 'ok   first\\nok   second\\nFAIL third: want 3, got 4\\n'; exit 2","requires_approval":false}
reply
  call attempt_completion {"result":"Then I leave the tests alone: everybody is greeted by `greet.lua:2`."}
]]

local files = { ["greet.lua"] = 'local function greet(name)\n  return "Hello, " .. name\nend\n\nreturn greet\n' }

local function start(columns, rows, background)
  return t.terminal({
    columns = columns,
    rows = rows,
    files = files,
    args = { "greet.lua" },
    script = story,
    config = ("vim.o.termguicolors, vim.o.background = true, %q\nrequire('clined.decisions.steady').pause = 0"):format(background),
  })
end

for _, look in ipairs({ { 200, 50, "dark" }, { 80, 30, "light" } }) do
  local columns, rows, background = unpack(look)
  local name = ("chat-%d-%s"):format(columns, background)

  t.test(("at %d columns one sees what is done and what is to be decided, %s"):format(columns, background), function()
    local nvim = start(columns, rows, background)
    nvim:type(":Clined\r")
    nvim:shows("What shall we work on?", "Say", "<C-s> send")
    nvim:picture(name .. "-empty")
    nvim:type("iSay hello to everybody.")
    nvim:press("C-s")
    nvim:shows("Run printf", "exit 2", "[a] allow", "[R] refuse", "needs you", "A decision waits")
    if rows > 40 then nvim:shows("▌ Say hello to everybody.", "✓ Read greet.lua  5 lines", "✓ Search greet", "◇ Thought") end
    nvim:picture(name .. "-asks")
    nvim:press("Escape")
    nvim:type("gr")
    nvim:shows("⊘ Run printf", "refused", "Then I leave the tests alone", "What next?")
    nvim:picture(name .. "-refused")
    nvim:type("g?")
    nvim:shows("Keys in the input", "say it")
    nvim:picture(name .. "-help")
    nvim:type("q:Clined history\r")
    nvim:shows("Say hello to everybody.", "just now", "dd delete")
    nvim:picture(name .. "-history")
  end)
end
