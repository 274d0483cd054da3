local t = require("tests.harness")
local buffers = require("clined.diff.buffers")
local text = require("clined.diff.text")

-- Small texts of few different lines, so that they have much in common. The same on every run.
local function random(seed)
  local state = seed
  return function(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return math.floor(state / 65536) % n
  end
end

local function make(next_number)
  local lines = {}
  local pool = { "", "a", "ab", "äb", "äö", "\tx", "日本", "日", "a\0b", "\r" }
  for _ = 1, next_number(9) do
    table.insert(lines, pool[next_number(#pool) + 1])
  end
  return table.concat(lines, "\n")
end

t.test("changes lead from one text to the other", function()
  for seed = 1, 400 do
    local number = random(seed)
    local a, b = text.split(make(number)), text.split(make(number))
    local got = vim.list_slice(a)
    local changes = text.changes(a, b)
    for i = #changes, 1, -1 do
      local c = changes[i]
      t.ok(text.apply(got, { { startLine = c.from, endLine = c.to, lines = vim.list_slice(b, c.new_from + 1, c.new_to) } }))
    end
    t.eq(got, b, "seed " .. seed)
  end
end)

t.test("edits outside of a text are told", function()
  local lines = { "a", "b" }
  t.ok(not text.apply(lines, { { startLine = 1, endLine = 3, lines = {} } }))
  t.ok(text.apply(lines, { { startLine = 0, endLine = 2, lines = {} }, { startLine = 0, endLine = 0, lines = { "x", "y", "z" } } }))
  t.eq(lines, { "x", "y", "z" })
end)

t.test("a buffer holds a text exactly", function()
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].fixendofline = false
  for seed = 1, 400 do
    local number = random(seed * 7)
    local new = text.plain(make(number))
    buffers.set(buf, new)
    t.eq(buffers.text(buf), new, "seed " .. seed)
  end
end)

t.test("cursor and marks beside a change stay", function()
  vim.cmd("new")
  local buf = vim.api.nvim_get_current_buf()
  t.defer(function() vim.cmd("bwipeout!") end)
  buffers.set(buf, "one\ntwo\nthree\nfour\nfive\n")
  vim.api.nvim_win_set_cursor(0, { 4, 2 })
  vim.api.nvim_buf_set_mark(buf, "a", 2, 1, {})
  buffers.keep_marks(buf, function() buffers.set(buf, "zero\none\ntwo!\nthree\nfour\nfive\nsix\n") end)
  t.eq(vim.api.nvim_win_get_cursor(0), { 5, 2 })
  t.eq(vim.api.nvim_buf_get_mark(buf, "a"), { 3, 1 })
end)

t.test("line ends and marks of the wire", function()
  t.eq(text.plain("\239\187\191a\r\nb\r"), "a\nb\r")
  t.eq(text.hash("a\n"), "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7")
end)

t.test("hunks are found in what the user made of a proposal", function()
  local base, proposed = "a\nb\nc\nd\ne\n", "A\nb\nc\nx\ny\ne\n"
  local found = {
    { id = "1.1", startLine = 0, endLine = 1, newStartLine = 0, newEndLine = 1 },
    { id = "1.2", startLine = 3, endLine = 4, newStartLine = 3, newEndLine = 5 },
  }
  local function place(now)
    return vim.tbl_map(function(h) return { h.from, h.to, h.undone } end, require("clined.diff.hunks").place(found, base, proposed, now))
  end
  t.eq(place(proposed), { { 0, 1, false }, { 3, 5, false } })
  -- What stands right at a hunk is a part of it.
  t.eq(place("new\n" .. proposed), { { 0, 2, false }, { 4, 6, false } })
  t.eq(place("A\nb\nnew\nc\nx\ny\ne\n"), { { 0, 1, false }, { 4, 6, false } })
  t.eq(place("A\nb\nc\nx\nz\nzz\ne\n"), { { 0, 1, false }, { 3, 6, false } })
  -- Put back by hand what the file has there.
  t.eq(place("A\nb\nc\nd\ne\n"), { { 0, 1, false }, { 3, 4, true } })
  t.eq(place("a\nb\nc\nx\ny\ne\n"), { { 0, 1, true }, { 3, 5, false } })
end)
