local t = require("tests.harness")
local proposals = require("tests.harness.proposals")

local function lines(buf) return vim.api.nvim_buf_get_lines(buf, 0, -1, false) end

local function keys(text) vim.api.nvim_feedkeys(vim.keycode(text), "xt", false) end

-- The two sides in the current tab.
local function sides()
  local found = {}
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win))
    found[name:match("^clined://(%w+)/") or "file"] = win
  end
  return found
end

local function file(p, name, content)
  local path = p.work .. "/" .. name
  t.write(path, content)
  return path
end

t.test("an edit is shown, accepted and written as one step of undo", function()
  local p = proposals.start(t)
  local path = file(p, "a.lua", "local a = 1\nlocal b = 2\n")
  vim.cmd.edit(path)
  local here, buf = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  vim.api.nvim_win_set_cursor(here, { 2, 3 })
  local opened =
    p.ask("clined/diff/open", proposals.open(path, "local a = 1\nlocal b = 2\n", "local a = 1\nlocal b = 2\n", { streaming = true }))
  t.eq(opened.result, { opened = true })
  t.wait("the tab", function() return #vim.api.nvim_list_tabpages() == 2 end)
  p.tell(
    "clined/diff/update",
    { diffId = "d1", rev = 1, activeLine = 0, edits = { { startLine = 0, endLine = 1, lines = { "local a = 3" } } } }
  )
  local finalized = p.ask("clined/diff/finalize", { diffId = "d1", rev = 1, textHash = "" })
  t.eq(finalized.result.textHash, proposals.hash("local a = 3\nlocal b = 2\n"))
  local found = sides()
  t.ok(vim.wo[found.base].diff and vim.wo[found.proposal].diff)
  t.eq(lines(vim.api.nvim_win_get_buf(found.proposal)), { "local a = 3", "local b = 2" })
  t.eq(vim.api.nvim_win_get_cursor(found.proposal), { 1, 0 })
  t.eq(vim.bo[vim.api.nvim_win_get_buf(found.proposal)].filetype, "lua")
  t.eq(t.read(path), "local a = 1\nlocal b = 2\n")
  local asked = p.ask("clined/approval/request", proposals.approval(p, path, "local a = 1\nlocal b = 2\n", "local a = 3\nlocal b = 2\n"))
  vim.cmd.write()
  t.wait("the answer", function() return asked.answered end)
  t.eq(p.sent("clined/approval/respond"), { { approvalId = "a1", outcome = { optionId = "allow_once", subjectHash = "h1" } } })
  t.eq(
    p.ask("clined/diff/save", { diffId = "d1" }).result,
    { userText = "local a = 3\nlocal b = 2\n", finalText = "local a = 3\nlocal b = 2\n" }
  )
  t.eq(p.ask("clined/diff/close", { diffId = "d1" }).answered, true)
  t.eq(#vim.api.nvim_list_tabpages(), 1)
  t.eq(vim.api.nvim_get_current_win(), here)
  t.eq(vim.api.nvim_win_get_cursor(here), { 2, 3 })
  t.eq(t.read(path), "local a = 3\nlocal b = 2\n")
  t.ok(not vim.bo[buf].modified)
  vim.cmd("silent undo")
  t.eq(lines(buf), { "local a = 1", "local b = 2" })
end)

t.test("what the user makes of a proposal is told, and only that can be undone", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\nb\n")
  p.ask("clined/diff/open", proposals.open(path, "a\nb\n", "x\nb\n"))
  local approval = proposals.approval(p, path, "a\nb\n", "x\nb\n")
  p.ask("clined/approval/request", approval)
  t.wait("the tab", function() return sides().proposal end)
  local buf = vim.api.nvim_get_current_buf()
  vim.cmd("silent! undo")
  t.eq(lines(buf), { "x", "b" })
  keys("Goc<Esc>")
  t.wait("what is told", function() return #p.sent("clined/diff/didChange") == 1 end)
  t.eq(p.sent("clined/diff/didChange")[1], { diffId = "d1", text = "x\nb\nc\n" })
  t.ok(not vim.bo[buf].modified)
  t.ok(require("clined.decisions").get("a1").edited)
  keys("Aup<Esc>")
  require("clined.decisions").allow("a1")
  t.settle()
  local order = vim.tbl_map(function(m) return m.method end, p.told)
  t.eq(vim.list_slice(order, #order - 1), { "clined/diff/didChange", "clined/approval/respond" })
  t.eq(p.ask("clined/diff/save", { diffId = "d1" }).result.userText, "x\nb\ncup\n")
  t.eq(t.read(path), "x\nb\ncup\n")
end)

t.test("a hunk is left out by a key, and taken in again", function()
  local p = proposals.start(t)
  local base, new = "a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n"
  local path = file(p, "a.txt", base)
  p.ask("clined/diff/open", proposals.open(path, base, new))
  p.ask(
    "clined/approval/request",
    proposals.approval(p, path, base, new, {
      { id = "1.1", startLine = 0, endLine = 1, newStartLine = 0, newEndLine = 1 },
      { id = "1.2", startLine = 4, endLine = 5, newStartLine = 4, newEndLine = 5 },
    })
  )
  t.wait("the tab", function() return sides().proposal end)
  keys("gggh")
  t.eq(require("clined.decisions").get("a1").left_out, 1)
  keys("Ggh")
  t.eq(require("clined.decisions").get("a1").left_out, 2)
  require("clined.decisions").allow("a1")
  t.eq(p.sent("clined/approval/respond"), {})
  keys("Ggh")
  -- A line above does not change which is which.
  keys("ggOnew<Esc>")
  require("clined.decisions").allow("a1")
  t.settle()
  t.eq(p.sent("clined/approval/respond")[1].outcome.hunks, { "1.2" })
end)

t.test("a proposal that the user closes waits, and can be had again", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  p.ask("clined/diff/open", proposals.open(path, "a\n", "x\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "x\n"))
  t.wait("the tab", function() return sides().proposal end)
  keys("oy<Esc>")
  vim.cmd("quit")
  t.wait("the rest of it to go", function() return #vim.api.nvim_list_tabpages() == 1 end)
  t.eq(#require("clined.decisions").list(), 1)
  p.ask("clined/diff/reveal", { diffId = "d1", line = 0 })
  t.settle()
  t.eq(#vim.api.nvim_list_tabpages(), 1)
  t.ok(require("clined.diff").reveal("d1"))
  t.eq(lines(0), { "x", "y" })
  t.ok(vim.bo.modifiable)
  vim.cmd("tabclose")
  t.settle()
  t.eq(p.ask("clined/diff/save", { diffId = "d1" }).result.finalText, "x\ny\n")
end)

t.test("leaving Neovim, or writing all, neither asks nor decides", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  p.ask("clined/diff/open", proposals.open(path, "a\n", "x\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "x\n"))
  t.wait("the tab", function() return sides().proposal end)
  keys("oy<Esc>")
  t.settle()
  vim.cmd("silent wall")
  t.ok(not vim.bo.modified)
  t.eq(p.sent("clined/approval/respond"), {})
end)

t.test("what saves buffers by itself decides nothing", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  p.ask("clined/diff/open", proposals.open(path, "a\n", "x\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "x\n"))
  t.wait("the tab", function() return sides().proposal end)
  local id = vim.api.nvim_create_autocmd("InsertLeave", { nested = true, callback = function() vim.cmd("silent write") end })
  t.defer(function() vim.api.nvim_del_autocmd(id) end)
  local expand = vim.fn.expand
  t.defer(function() vim.fn.expand = expand end)
  for _, words in ipairs({ '%1 Autocommands for "%2"', 'Autocommandes %1 pour "%2"', '"%2" için %1 otokomutlar' }) do
    vim.fn.expand = function(what) return (expand(what):gsub('(%a+) Autocommands for "(.-)"', words)) end
    keys("oy<Esc>")
    t.settle()
    t.eq(p.sent("clined/approval/respond"), {})
  end
  vim.cmd("silent write")
  t.settle()
  t.eq(#p.sent("clined/approval/respond"), 1)
end)

t.test("proposals of two calls are decided one after the other", function()
  local p = proposals.start(t)
  local a, b = file(p, "a.txt", "a\n"), file(p, "b.txt", "b\n")
  p.ask("clined/diff/open", proposals.open(a, "a\n", "A\n"))
  p.ask("clined/approval/request", proposals.approval(p, a, "a\n", "A\n"))
  t.wait("the first", function() return sides().proposal end)
  p.ask("clined/diff/open", proposals.open(b, "b\n", "B\n", { diffId = "d2", toolCallId = "c2", taskId = "t2" }))
  local second =
    vim.tbl_extend("force", proposals.approval(p, b, "b\n", "B\n"), { approvalId = "a2", toolCallId = "c2", taskId = "t2", diffId = "d2" })
  second.subject.files[1].diffId = "d2"
  p.ask("clined/approval/request", second)
  t.settle()
  t.eq({ lines(0), #vim.api.nvim_list_tabpages() }, { { "A" }, 2 })
  keys("ga")
  t.settle()
  p.ask("clined/diff/save", { diffId = "d1" })
  p.ask("clined/diff/close", { diffId = "d1" })
  t.wait("the second", function() return vim.deep_equal(lines(0), { "B" }) end)
  t.eq(#vim.api.nvim_list_tabpages(), 2)
end)

t.test("a file that came beside a buffer of its name is read without a question", function()
  local p = proposals.start(t)
  local path = p.work .. "/new.txt"
  vim.cmd.edit(path)
  t.write(path, "theirs\n")
  p.tell(
    "clined/task/event",
    { taskId = "t1", seq = 1, event = { type = "toolCall", kind = "edit", status = "completed", toolCallId = "c9", locations = { path } } }
  )
  t.eq(lines(0), { "theirs" })
  -- A command may write any file.
  t.write(path, "and more\n")
  vim.uv.fs_utime(path, 2000000000, 2000000000)
  p.tell(
    "clined/task/event",
    { taskId = "t1", seq = 2, event = { type = "toolCall", kind = "command", status = "completed", toolCallId = "c10" } }
  )
  t.eq(lines(0), { "and more" })
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "mine" })
  t.write(path, "again\n")
  vim.uv.fs_utime(path, 2000000001, 2000000001)
  p.tell(
    "clined/task/event",
    { taskId = "t1", seq = 3, event = { type = "toolCall", kind = "command", status = "completed", toolCallId = "c11" } }
  )
  t.eq(lines(0), { "mine" })
end)

t.test("who is in insert mode stays where they are", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  local busy = true
  local idle = require("clined.decisions.idle")
  idle.busy = function() return busy end
  p.ask("clined/diff/open", proposals.open(path, "a\n", "x\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "x\n"))
  t.settle()
  t.eq(#vim.api.nvim_list_tabpages(), 1)
  busy = false
  t.wait("the tab", function() return sides().proposal end)
end)

t.test("a file with unsaved work is the base, and says so", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\nb\n")
  vim.cmd.edit(path)
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "mine" })
  local opened = p.ask("clined/diff/open", proposals.open(path, "a\nb\n", "a\nB\n"))
  t.eq(opened.result, { opened = true, text = "mine\nb\n", dirty = true })
  t.eq(require("clined.diff").views()[1].base, "mine\nb\n")
  p.tell("clined/diff/update", { diffId = "d1", rev = 1, activeLine = 0, edits = { { startLine = 0, endLine = 1, lines = { "mine" } } } })
  p.ask("clined/diff/finalize", { diffId = "d1", rev = 1 })
  t.eq(p.ask("clined/diff/save", { diffId = "d1" }).result.finalText, "mine\nB\n")
  t.eq(t.read(path), "mine\nB\n")
end)

t.test("a file that the disk has left behind is read again", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  vim.cmd.edit(path)
  t.write(path, "other\n")
  vim.uv.fs_utime(path, 2000000000, 2000000000)
  t.eq(p.ask("clined/diff/open", proposals.open(path, "other\n", "x\n")).result, { opened = true })
  t.eq(lines(vim.fn.bufnr(path)), { "other" })
end)

t.test("several files of a call share a tab", function()
  local p = proposals.start(t)
  local a, b = file(p, "a.txt", "a\n"), file(p, "b.txt", "b\n")
  p.ask("clined/diff/open", proposals.open(a, "a\n", "A\n"))
  p.ask("clined/diff/open", proposals.open(b, "b\n", "B\n", { diffId = "d2" }))
  local approval = proposals.approval(p, a, "a\n", "A\n")
  approval.subject.files[2] = vim.tbl_extend("force", approval.subject.files[1], { path = b, diffId = "d2" })
  p.ask("clined/approval/request", approval)
  t.wait("the tab", function() return sides().proposal end)
  t.eq(lines(0), { "A" })
  keys("]f")
  t.eq(lines(0), { "B" })
  t.eq(#vim.api.nvim_list_tabpages(), 2)
  t.ok(vim.wo.diff)
  keys("]f")
  t.eq(lines(0), { "A" })
  for _, id in ipairs({ "d1", "d2" }) do
    p.ask("clined/diff/save", { diffId = id })
    p.ask("clined/diff/close", { diffId = id })
  end
  t.eq(#vim.api.nvim_list_tabpages(), 1)
  t.eq(t.read(b), "B\n")
end)

t.test("in one window the file's own shows it", function()
  local p = proposals.start(t, { diff = { layout = "inline" } })
  local path = file(p, "a.txt", "a\nb\nc\n")
  vim.cmd.edit(path)
  local win, buf = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  vim.api.nvim_win_set_cursor(win, { 3, 0 })
  p.ask("clined/diff/open", proposals.open(path, "a\nb\nc\n", "a\nB\nc\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\nb\nc\n", "a\nB\nc\n"))
  t.wait("the proposal", function() return vim.api.nvim_win_get_buf(win) ~= buf end)
  local space = vim.api.nvim_get_namespaces()["clined.diff.marks"]
  local marks = vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })
  t.ok(vim.iter(marks):any(function(m) return m[4].virt_lines and vim.startswith(m[4].virt_lines[1][1][1], "b") end))
  keys("gg]c")
  t.eq(vim.api.nvim_win_get_cursor(win), { 2, 0 })
  keys("G[c")
  t.eq(vim.api.nvim_win_get_cursor(win), { 2, 0 })
  keys("q")
  t.eq(vim.api.nvim_win_get_buf(win), buf)
  t.ok(require("clined.diff").reveal("d1"))
  p.ask("clined/diff/close", { diffId = "d1", revert = true })
  t.eq(vim.api.nvim_win_get_buf(win), buf)
  t.eq(vim.api.nvim_win_get_cursor(win), { 3, 0 })
end)

t.test("nothing is left when the daemon ends", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  p.ask("clined/diff/open", proposals.open(path, "a\n", "x\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "x\n"))
  t.wait("the tab", function() return sides().proposal end)
  require("clined.events").tell("DaemonState", { kind = "failed" })
  t.eq(#vim.api.nvim_list_tabpages(), 1)
  t.eq(require("clined.diff").views(), {})
  t.eq(require("clined.decisions").list(), {})
end)

t.test("the cursor follows what is written until the user takes it elsewhere", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "")
  p.ask("clined/diff/open", proposals.open(path, "", "", { streaming = true, op = "create" }))
  t.wait("the tab", function() return sides().proposal end)
  local rev = 0
  local function line(n)
    rev = rev + 1
    p.tell(
      "clined/diff/update",
      { diffId = "d1", rev = rev, activeLine = n, edits = { { startLine = n, endLine = n, lines = { "line " .. n } } } }
    )
    t.wait("line " .. n, function() return lines(0)[n + 1] == "line " .. n end)
  end
  for n = 0, 20 do
    line(n)
  end
  t.eq(vim.api.nvim_win_get_cursor(0)[1], 21)
  keys("3G")
  for n = 21, 25 do
    line(n)
  end
  t.eq(vim.api.nvim_win_get_cursor(0)[1], 3)
  keys("G")
  for n = 26, 28 do
    line(n)
  end
  t.eq(vim.api.nvim_win_get_cursor(0)[1], 29)
  t.ok(not vim.bo.modifiable)
end)

t.test("updates that were lost show in the hash, and are made good", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  p.ask("clined/diff/open", proposals.open(path, "a\n", "a\n", { streaming = true }))
  p.tell("clined/diff/update", { diffId = "d1", rev = 2, activeLine = 9, edits = { { startLine = 9, endLine = 10, lines = { "x" } } } })
  t.eq(p.ask("clined/diff/finalize", { diffId = "d1", rev = 2 }).result.textHash, proposals.hash("a\n"))
  t.eq(p.ask("clined/diff/finalize", { diffId = "d1", rev = 2, newText = "a\nx" }).result.textHash, proposals.hash("a\nx"))
  t.eq(require("clined.diff").views()[1].proposed, "a\nx")
end)

t.test("no language server and no formatter takes a proposal for a file", function()
  local p = proposals.start(t)
  local path = file(p, "a.lua", "local a\n")
  local heard = {}
  local id = vim.api.nvim_create_autocmd({ "FileType", "BufReadPost", "BufNewFile", "BufWritePre", "BufWritePost" }, {
    callback = function(args) table.insert(heard, { args.event, args.file }) end,
  })
  t.defer(function() vim.api.nvim_del_autocmd(id) end)
  p.ask("clined/diff/open", proposals.open(path, "local a\n", "local b\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "local a\n", "local b\n"))
  t.wait("the tab", function() return sides().proposal end)
  vim.cmd("silent write")
  t.settle()
  t.eq(heard, {})
  t.eq(vim.bo.filetype, "lua")
end)

t.test("a patch of a call that has ended is looked at", function()
  proposals.start(t)
  require("clined.diff").show_patch("Edit a.txt", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\27[2J\n+b\n")
  t.eq(lines(0)[4], "-a^[[2J")
  t.eq({ vim.bo.filetype, vim.bo.modifiable }, { "diff", false })
  keys("q")
  t.eq(#vim.api.nvim_list_tabpages(), 1)
end)

t.test("windows that the user makes otherwise are left in order", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  local function begin(id)
    p.ask("clined/diff/open", proposals.open(path, "a\n", "x\n", { diffId = id, toolCallId = id }))
    t.ok(require("clined.diff").reveal(id))
  end
  -- No other tab is left to go back to.
  begin("d1")
  vim.cmd("tabonly")
  p.ask("clined/diff/close", { diffId = "d1", revert = true })
  t.eq({ #vim.api.nvim_list_tabpages(), #vim.api.nvim_list_wins(), vim.api.nvim_buf_get_name(0) }, { 1, 1, "" })
  t.eq({ vim.wo.diff, vim.wo.winbar }, { false, "" })
  -- Another file in place of the proposal.
  begin("d2")
  vim.cmd.edit(path)
  t.wait("the base to go", function() return #vim.api.nvim_tabpage_list_wins(0) == 1 end)
  t.eq({ vim.wo.diff, vim.wo.winbar, vim.api.nvim_buf_get_name(0) }, { false, "", path })
  t.ok(require("clined.diff").reveal("d2"))
  t.eq(lines(0), { "x" })
  p.ask("clined/diff/close", { diffId = "d2", revert = true })
  -- The buffer is wiped out: that is closing it.
  begin("d3")
  vim.cmd("bwipeout!")
  t.wait("what is told", function() return #p.sent("clined/diff/didClose") == 1 end)
  t.eq(require("clined.diff").views(), {})
  t.ok(not require("clined.diff").reveal("d3"))
  t.settle()
  t.eq(#vim.tbl_filter(function(b) return vim.api.nvim_buf_get_name(b):find("^clined://") ~= nil end, vim.api.nvim_list_bufs()), 0)
end)

t.test("in one window the files of a call come one after the other", function()
  local p = proposals.start(t, { diff = { layout = "inline" } })
  local a, b = file(p, "a.txt", "a\n"), file(p, "b.txt", "b\n")
  vim.cmd.edit(a)
  p.ask("clined/diff/open", proposals.open(a, "a\n", "A\n"))
  p.ask("clined/diff/open", proposals.open(b, "b\n", "B\n", { diffId = "d2" }))
  t.ok(require("clined.diff").reveal("d1"))
  keys("]f")
  t.eq({ lines(0), #vim.api.nvim_list_wins() }, { { "B" }, 1 })
  keys("]f")
  t.eq({ lines(0), #vim.api.nvim_list_wins() }, { { "A" }, 1 })
  for _, id in ipairs({ "d1", "d2" }) do
    p.ask("clined/diff/close", { diffId = id, revert = true })
  end
  t.eq({ vim.api.nvim_buf_get_name(0), #vim.api.nvim_list_wins() }, { a, 1 })
end)

t.test("a key that is pressed as a diff comes was not meant for it", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  local steady = require("clined.decisions.steady")
  steady.pause = math.huge
  p.ask("clined/diff/open", proposals.open(path, "a\n", "x\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "x\n"))
  t.wait("the tab", function() return sides().proposal end)
  keys("ga")
  keys("gr")
  vim.cmd("silent write")
  require("clined.decisions.command").allow()
  t.settle()
  t.eq(p.sent("clined/approval/respond"), {})
  steady.pause = 0
  keys("ga")
  t.settle()
  t.eq(#p.sent("clined/approval/respond"), 1)
end)

t.test("an edit that nobody will be asked about is not shown while it is written", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  local options = {}
  require("clined.task.session").current = function() return { info = { taskId = "t1" }, options = options } end
  local function know(value)
    options = { { id = "auto_approve.edit", value = value } }
    require("clined.events").tell("TaskChange", { what = "options" })
  end
  p.ask("clined/diff/open", proposals.open(path, "a\n", "a\n", { streaming = true }))
  t.eq(#vim.api.nvim_list_tabpages(), 1)
  know("true")
  t.eq(#vim.api.nvim_list_tabpages(), 1)
  know("false")
  t.eq(#vim.api.nvim_list_tabpages(), 2)
end)

t.test("a session brings no window of a proposal back, and leaves those that are open", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  p.ask("clined/diff/open", proposals.open(path, "a\n", "A\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "A\n"))
  t.wait("the proposal", function() return sides().proposal end)
  vim.cmd("tabnew")
  vim.cmd("file clined://base/0/a.txt")
  vim.cmd("vnew")
  vim.cmd("file clined://proposal/0/a.txt")
  vim.cmd("tabnew")
  vim.cmd("file clined://patch/0/x")
  vim.cmd("split")
  t.eq(#vim.api.nvim_list_tabpages(), 4)
  vim.g.loaded_clined = nil
  vim.cmd("runtime plugin/clined.lua | doautocmd SessionLoadPost")
  t.eq(#vim.api.nvim_list_tabpages(), 2)
  t.eq(vim.fn.bufexists("clined://base/0/a.txt"), 0)
  t.ok(require("clined.diff").views()[1].shown)
end)

t.test("a copy under another name decides nothing", function()
  local p = proposals.start(t)
  local path = file(p, "a.txt", "a\n")
  p.ask("clined/diff/open", proposals.open(path, "a\n", "A\n"))
  p.ask("clined/approval/request", proposals.approval(p, path, "a\n", "A\n"))
  t.wait("the proposal", function() return sides().proposal end)
  vim.cmd("silent saveas " .. p.work .. "/copy.txt")
  t.eq(t.read(p.work .. "/copy.txt"), "A\n")
  vim.cmd("silent write!")
  t.settle()
  t.eq(p.sent("clined/approval/respond"), {})
end)
