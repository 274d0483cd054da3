local t = require("tests.harness")
local args = require("clined.chat.args")
local words = require("clined.chat.words")

-- What stands in the line of a call: verb, target, figure.
local function line(call)
  local w = words.of(vim.tbl_extend("keep", call, { name = "", status = "completed" }))
  return { w.verb, w.target, w.figure }
end

t.test("calls are told in words", function()
  t.eq(line({ name = "read_file", args = '{"path":"a.go"}', output = "a.go, 12 lines\n1 | x" }), { "Read", "a.go", "12 lines" })
  t.eq(line({ name = "read_file", args = '{"path":"a.go"}', output = "a.go, lines 3-9 of 80\n" }), { "Read", "a.go", "3–9" })
  t.eq(line({ name = "read_file", args = '{"files":[{"path":"a"},{"path":"b"}]}' }), { "Read", "2 files" })
  t.eq(
    line({ name = "search_files", args = '{"regex":"a.*b","path":"src"}', output = "Found 1 match\n" }),
    { "Search", "a.*b", "in src, 1 match" }
  )
  t.eq(line({ name = "search_files", args = '{"regex":"x","path":"."}', output = "No matches" }), { "Search", "x", "no matches" })
  t.eq(
    line({ name = "list_files", args = '{"path":"."}', locations = { "/w/shop" }, output = "/w/shop (2 entries)" }),
    { "List", "shop", "2 entries" }
  )
  t.eq(
    line({ name = "execute_command", args = '{"command":"make\\ntest"}', output = "The command failed with exit code 2.\nOutput:\n" }),
    { "Run", "make test", "exit 2" }
  )
  t.eq(
    line({ name = "execute_command", args = '{"command":"x"}', output = "The command succeeded (exit code 0, 5.3s)." }),
    { "Run", "x", "5.3s" }
  )
  t.eq(line({ name = "mcp_1", server = "weather", tool = "today" }), { "weather", "today" })
  t.eq(
    line({ name = "ask_followup_question", args = '{"question":"Which **one**?"}', output = "<answer>\nThe first\n</answer>" }),
    { "Ask", "Which one?", "→ The first" }
  )
  t.eq(line({ name = "later_tool", title = "Ponder the orb" }), { "Ponder", "the orb" })
  t.eq(line({ name = "no_tool", args = '{"a":"b"}' }), { "no_tool", "b" })
  t.eq(
    line({ name = "apply_patch", args = '{"input":"*** Begin Patch\\n*** Update File: a.go\\n*** Add File: b.go\\n"}' }),
    { "Edit", "2 files" }
  )
end)

t.test("what the model writes is told as far as it is written", function()
  local call = { name = "write_to_file", status = "pending", args = '{"path":"src/a' }
  t.eq(line(call), { "Write", "src/a" })
  call.args = [[{"path":"src/a\u00e]]
  t.eq(line(call), { "Write", "src/a" })
  call.args = [[{"path":"src/\"a.go","content":"x\ny]]
  t.eq(line(call), { "Write", 'src/"a.go' })
end)

t.test("lines are counted on from where the last count ended", function()
  local text = [[{"content":"a\nb\\nc\n\]]
  local lines, at = args.written(text)
  t.eq({ lines, at }, { 2, #text })
  t.eq({ args.written(text .. "n", at, lines) }, { 3, #text + 2 })
end)

t.test("arguments that are none do no harm", function()
  for _, text in ipairs({ "", "[1]", "null", "nope", '{"a":', '"x"', "{}" }) do
    t.eq((args.whole(text)), {})
  end
  t.eq((args.whole('{"a":null,"b":[1,2]}')), { b = { 1, 2 } })
end)

t.test("a diff has as many lines as its hunks say", function()
  local diff =
    "--- a/x.lua\n+++ b/x.lua\n@@ -3,3 +3,3 @@ f\n same\n--- old comment\n+++ new comment\n\n@@ -20 +20,2 @@\n-a\n+b\n+c\n\\ No newline at end of file\n--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+z\n"
  local kinds = {}
  for row in words.rows(diff) do
    table.insert(kinds, row.kind:sub(1, 1))
  end
  t.eq(table.concat(kinds), "hhhsrashraanhhha")
  t.eq({ words.count(diff) }, { 4, 2, 4 })
end)

t.test("control calls are quiet unless they fail", function()
  t.eq(words.quiet({ callKind = "control", status = "completed", name = "attempt_completion" }), true)
  t.eq(words.quiet({ callKind = "control", status = "failed", name = "attempt_completion" }), false)
  t.eq(words.reason({ status = "denied", output = "<feedback>\nuse tabs\n</feedback>" }), "“use tabs”")
  t.eq(words.reason({ status = "failed", callKind = "read", output = "Error: no such file\nmore" }), "no such file")
end)
