local t = require("tests.harness")
local message = require("clined.chat.render.message")

local function item(text, status)
  return { kind = "message", id = "m", role = "assistant", status = status, content = { { type = "text", text = text } } }
end

-- The first lines of the sections of an answer, and that they are all of it without a gap.
local function cuts(block)
  local first, row = {}, 0
  for _, range in ipairs(block.markdown) do
    t.eq(range.first, row)
    row = range.last + 1
    table.insert(first, block.lines[range.first + 1])
  end
  t.eq(row, #block.lines)
  return first
end

local function paragraph(n) return ("word %d\n"):format(n):rep(45) .. "\n" end

t.test("a long answer is cut between paragraphs", function()
  t.eq(cuts(message.draw(item(paragraph(1) .. paragraph(2) .. "# End\n\nof it", "completed"))), { "word 1", "word 2", "# End" })
  t.eq(cuts(message.draw(item("short\n\ntext", "completed"))), { "short" })
end)

t.test("a long block of code is cut where a thing begins, and each section knows where it opens", function()
  local code = "Such:\n\n```lua\n" .. ("local a\n  .. 1\n\n"):rep(100) .. "```\n\n" .. ("After.\n"):rep(40) .. "\nAll."
  local block = message.draw(item(code, "completed"))
  t.eq(cuts(block), { "Such:", "local a", "local a", "After.", "All." })
  t.eq(vim.tbl_map(function(range) return range.open or false end, block.markdown), { false, 2, 2, false, false })
  local lines = "```\n" .. ("  line\n"):rep(700)
  t.eq(#message.draw(item(lines, "completed")).markdown, 3)
end)

t.test("a block of code, and what belongs to an item of a list, is not cut", function()
  local code = "Such:\n\n```lua\n" .. ("local a\n\nlocal b\n"):rep(30)
  t.eq(cuts(message.draw(item(code .. "```\n\nAfter.", "completed"))), { "Such:", "After." })
  t.eq(cuts(message.draw(item(code .. "~~~\n\n``` no\n\n``\n\nwithin", "completed"))), { "Such:" })
  t.eq(cuts(message.draw(item("````\n" .. ("a\n\n"):rep(40) .. "```\n\nwithin\n````\n\nAfter.", "completed"))), { "````", "After." })
  t.eq(cuts(message.draw(item("```x``` is said\n" .. ("a\n\n"):rep(20) .. "After.", "completed"))), { "```x``` is said", "After." })
  t.eq(cuts(message.draw(item("- one\n" .. ("\n  more of it\n"):rep(50) .. "\n- two", "completed"))), { "- one", "- two" })
end)

t.test("a growing answer is cut as the whole is", function()
  local text = ("# Title\n\nSome words\nin lines.\n\n- a\n- b\n\n```go\nx := 1\n\ny := 2\n```\n\n"):rep(30)
  text = text .. "```go\n" .. ("x := 1\n\n"):rep(200) .. "```\nof it\n"
  for _, step in ipairs({ 1, 7, 500 }) do
    local block = message.draw(item(text:sub(1, 10), "in_progress"))
    for at = 10 + step, #text + step, step do
      t.ok(message.grow(block, item(text:sub(1, at), "in_progress")))
    end
    local anew = message.draw(item(text, "in_progress"))
    t.eq(block.lines, anew.lines)
    t.eq(block.markdown, anew.markdown)
    t.ok(#block.markdown > 8)
  end
end)
