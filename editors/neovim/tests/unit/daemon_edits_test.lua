local t = require("tests.harness")
local documents = require("clined.daemon.documents")
local edits = require("clined.edits")

-- Begins to tell somebody who listens to nothing but names.
local function begin(text)
  local path = t.folder() .. "/a.txt"
  t.write(path, text)
  vim.cmd("silent edit " .. path)
  local log = {}
  documents.start(function(method) table.insert(log, method:match("[^/]*$")) end)
  t.defer(function()
    documents.stop()
    vim.cmd("silent! %bwipeout!")
  end)
  return path, vim.api.nvim_get_current_buf(), log
end

local function apply(change)
  local result
  edits.apply({ edit = { documentChanges = { change } } }, function(r) result = r end)
  return result
end

local function at(line, character) return { line = line, character = character } end

local function change(path, list, version)
  local buf = documents.buffer_of(vim.uri_from_fname(path))
  local told = buf and documents.told(buf)
  local changes = vim.tbl_map(function(e) return { range = { start = e[1], ["end"] = e[2] }, newText = e[3] } end, list)
  return apply({ textDocument = { uri = vim.uri_from_fname(path), version = version or told and told.version or 1 }, edits = changes })
end

local cases = {
  { "in the middle", "one\ntwo\nthree\n", { { at(1, 0), at(1, 3), "2" } }, "one\n2\nthree\n" },
  {
    "several, each in its own place",
    "one\ntwo\nthree\n",
    { { at(0, 0), at(0, 1), "O" }, { at(2, 5), at(2, 5), "!" } },
    "One\ntwo\nthree!\n",
  },
  { "two at one place come in their order", "x\n", { { at(0, 0), at(0, 0), "a" }, { at(0, 0), at(0, 0), "b" } }, "abx\n" },
  { "a line more at the end", "one\n", { { at(1, 0), at(1, 0), "two\n" } }, "one\ntwo\n" },
  { "behind a last line that has no end", "one", { { at(0, 3), at(0, 3), "\ntwo" } }, "one\ntwo" },
  { "a last line gets its end", "one", { { at(0, 3), at(0, 3), "\n" } }, "one\n", stays = true },
  { "a last line loses its end", "one\n", { { at(0, 3), at(1, 0), "" } }, "one", stays = true },
  { "all of it goes", "one\ntwo\n", { { at(0, 0), at(2, 0), "" } }, "" },
  { "something into nothing", "", { { at(0, 0), at(0, 0), "one\n" } }, "one\n" },
  { "behind the end means the end", "one\n", { { at(7, 7), at(9, 9), "two\n" } }, "one\ntwo\n" },
  { "bytes are counted", "größe x\n", { { at(0, 8), at(0, 9), "y" } }, "größe y\n" },
  { "lines that end with CR LF", "one\r\ntwo\r\n", { { at(1, 0), at(1, 3), "2\r\n3" } }, "one\r\n2\r\n3\r\n" },
}

for _, case in ipairs(cases) do
  t.test("an edit is made exactly, as one step: " .. case[1], function()
    local path, buf = begin(case[2])
    t.eq(change(path, case[3]), { applied = true })
    t.eq(documents.text(buf), case[4])
    vim.cmd("silent undo")
    if not case.stays then t.eq(documents.text(buf), case[2]) end -- options are not undone
  end)
end

t.test("what was typed before an edit, or is behind it, is undone by itself", function()
  local path, buf = begin("one\n")
  vim.api.nvim_buf_set_lines(buf, 0, 0, false, { "typed" })
  documents.flush()
  t.eq(change(path, { { at(1, 0), at(1, 1), "O" } }), { applied = true })
  vim.api.nvim_buf_set_lines(buf, 0, 0, false, { "later" })
  local seen = {}
  for _ = 1, 3 do
    vim.cmd("silent undo")
    table.insert(seen, documents.text(buf))
  end
  t.eq(seen, { "typed\nOne\n", "typed\none\n", "one\n" })
end)

t.test("a file is known by its URI however that is escaped", function()
  local path = begin("one\n")
  local other = vim.fs.dirname(path) .. "/a (b)~ü.txt"
  t.write(other, "two\n")
  vim.cmd("silent edit " .. vim.fn.fnameescape(other))
  local buf = vim.api.nvim_get_current_buf()
  t.eq(documents.buffer_of("file://" .. vim.fs.dirname(path) .. "/a%20%28b%29%7e%C3%BC.txt"), buf)
  t.eq(documents.buffer_of("file://" .. vim.fs.dirname(path) .. "/a%20(b)~%c3%bc.txt"), buf)
end)

t.test("the cursor stays at its text", function()
  local path = begin("one\ntwo\nthree\n")
  vim.api.nvim_win_set_cursor(0, { 3, 2 })
  t.eq(change(path, { { at(0, 0), at(1, 0), "1\n1.5\n" } }), { applied = true })
  t.eq(vim.api.nvim_win_get_cursor(0), { 4, 2 })
end)

t.test("what was changed meanwhile, or is not open, is not edited", function()
  local path, buf = begin("one\n")
  local version = documents.told(buf).version
  vim.api.nvim_buf_set_lines(buf, 0, 0, false, { "zero" })
  t.has(change(path, { { at(0, 0), at(0, 1), "O" } }, version).failureReason, "changed meanwhile")
  t.eq(documents.text(buf), "zero\none\n")
  t.has(change(path .. "x", {}).failureReason, "not open")
  vim.bo[buf].modifiable = false
  t.has(change(path, { { at(0, 0), at(0, 1), "O" } }).failureReason, "not modifiable")
end)

t.test("unsaved work stays unsaved, and a clean buffer whose file was then written is no longer modified", function()
  local path, buf, log = begin("one\n")
  t.eq(change(path, { { at(0, 0), at(0, 1), "O" } }), { applied = true })
  t.ok(vim.bo[buf].modified)
  t.write(path, "One\n")
  t.wait("the buffer to count as saved", function() return not vim.bo[buf].modified end)
  t.ok(vim.list_contains(log, "didSave"))
  vim.cmd("silent checktime")
  t.eq(t.read(path), "One\n")
  vim.cmd("silent undo")
  t.eq(documents.text(buf), "one\n")
  t.ok(vim.bo[buf].modified)
  vim.cmd("silent write")
  t.eq(t.read(path), "one\n")
end)

t.test("a file that has its text already is not written again", function()
  local path, buf = begin("one\n")
  t.eq(change(path, { { at(0, 0), at(0, 1), "O" } }), { applied = true })
  t.write(path, "One\n")
  local before = vim.uv.fs_stat(path)
  t.wait("the buffer to count as saved", function() return not vim.bo[buf].modified end)
  t.eq(vim.uv.fs_stat(path).ctime, before.ctime)
  -- Names that `:saveas` could read otherwise.
  for _, name in ipairs({ "a b.txt", "50% #1|x.txt", [[q"'`~$HOME[1].txt]], "-w.txt", "+x.txt", "line\nfeed.txt" }) do
    local to = vim.fs.dirname(path) .. "/" .. name
    local was = vim.uv.fs_stat(path).mtime
    t.eq(apply({ kind = "rename", oldUri = vim.uri_from_fname(path), newUri = vim.uri_from_fname(to) }), { applied = true }, name)
    t.eq(vim.api.nvim_buf_get_name(buf), to)
    t.eq(vim.uv.fs_stat(to).mtime, was, name)
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, { name:gsub("\n", " ") .. "!" })
    vim.cmd("silent write")
    t.eq(t.read(to), name:gsub("\n", " ") .. "!\n")
    path = to
  end
end)

t.test("an open file is moved with its buffer, which can be written and undone", function()
  local path, buf, log = begin("one\n")
  vim.cmd("silent normal! ix")
  vim.cmd("silent write")
  local to = vim.fs.dirname(path) .. "/sub/b.txt"
  local formatted
  vim.api.nvim_create_autocmd("BufWritePre", { callback = function() formatted = true end })
  t.eq(apply({ kind = "rename", oldUri = vim.uri_from_fname(path), newUri = vim.uri_from_fname(to) }), { applied = true })
  t.eq(vim.api.nvim_buf_get_name(0), to)
  t.eq(vim.api.nvim_get_current_buf(), buf)
  t.eq(vim.uv.fs_stat(path), nil)
  t.eq(t.read(to), "xone\n")
  t.eq(vim.list_slice(log, #log - 1), { "didClose", "didOpen" })
  t.eq(documents.buffer_of(vim.uri_from_fname(to)), buf)
  t.eq(formatted, nil)
  t.eq(vim.tbl_filter(function(b) return vim.api.nvim_buf_get_name(b) == path end, vim.api.nvim_list_bufs()), {})
  vim.cmd("silent undo")
  vim.cmd("silent write")
  t.eq(t.read(to), "one\n")
  vim.api.nvim_clear_autocmds({ event = "BufWritePre" })
end)

t.test("a file with unsaved work, or a name that is taken, is not moved", function()
  local path, buf = begin("one\n")
  local to = vim.fs.dirname(path) .. "/b.txt"
  local move = { kind = "rename", oldUri = vim.uri_from_fname(path), newUri = vim.uri_from_fname(to) }
  t.write(to, "other\n")
  t.has(apply(move).failureReason, "a file of the new name")
  vim.uv.fs_unlink(to)
  vim.api.nvim_buf_set_lines(buf, 0, 0, false, { "zero" })
  t.has(apply(move).failureReason, "unsaved")
  t.eq(t.read(path), "one\n")
end)

t.test("the buffer of a file that is gone goes, its windows stay, unsaved work stays", function()
  local path, buf, log = begin("one\n")
  vim.cmd("split")
  local gone = { kind = "delete", uri = vim.uri_from_fname(path), options = { ignoreIfNotExists = true } }
  vim.api.nvim_buf_set_lines(buf, 0, 0, false, { "zero" })
  t.has(apply(gone).failureReason, "unsaved")
  vim.cmd("silent undo")
  vim.uv.fs_unlink(path)
  t.eq(apply(gone), { applied = true })
  t.eq(vim.api.nvim_buf_is_valid(buf), false)
  t.eq(#vim.api.nvim_list_wins(), 2)
  t.eq(log[#log], "didClose")
  t.eq(apply(gone), { applied = true })
  vim.cmd("silent only")
end)
