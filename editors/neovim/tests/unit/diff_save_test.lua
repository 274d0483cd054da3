local t = require("tests.harness")
local buffers = require("clined.diff.buffers")
local save = require("clined.diff.save").save

local function fresh()
  vim.cmd("silent! only! | silent! %bwipeout!")
  vim.api.nvim_create_augroup("test.save", { clear = true })
end

local n = 0
local function file(content, name)
  n = n + 1
  local path = ("%s/save%d/%s"):format(t.root, n, name or "a.txt")
  t.write(path, content)
  return path
end

local function on(event, callback) vim.api.nvim_create_autocmd(event, { group = "test.save", callback = callback }) end

t.test("what a file is like stays: line ends, mark, encoding, the end of its last line", function()
  local cases = {
    { "a\r\nb\r\n", "a\nb\n", "a\nB\n", "a\r\nB\r\n" },
    { "\239\187\191a\nb\n", "a\nb\n", "a\nB\n", "\239\187\191a\nB\n" },
    { "a\nb", "a\nb", "a\nB", "a\nB" },
    { "a\nb", "a\nb", "a\nB\n", "a\nB\n" },
    { "a\nb\n", "a\nb\n", "a\nB", "a\nB" },
    { "", "", "x\n", "x\n" },
    { "x\n", "x\n", "", "" },
    { "x\n", "x\n", "\n", "\n" },
    { "\n", "\n", "\n\n", "\n\n" },
    { "a\0b\n", "a\0b\n", "a\0c\n", "a\0c\n" },
  }
  for _, open in ipairs({ true, false }) do
    for i, case in ipairs(cases) do
      fresh()
      local path = file(case[1])
      if open then vim.cmd.edit(path) end
      t.eq(save(path, case[2], case[3], false), { userText = case[3], finalText = case[3] }, "case " .. i)
      t.eq(t.read(path), case[4], "case " .. i)
      t.ok(not vim.bo[buffers.find(path)].modified)
      t.ok(vim.bo[buffers.find(path)].fixendofline)
    end
  end
end)

t.test("a file that was not open stays out of the list, can be undone, and no window changes", function()
  fresh()
  local path = file("a\n")
  local wins, here = vim.api.nvim_list_wins(), vim.api.nvim_get_current_buf()
  save(path, "a\n", "b\n", false)
  t.eq({ vim.api.nvim_list_wins(), vim.api.nvim_get_current_buf() }, { wins, here })
  local buf = buffers.loaded(path)
  t.ok(not vim.bo[buf].buflisted)
  vim.cmd.edit(path)
  vim.cmd("silent undo")
  t.eq(vim.api.nvim_buf_get_lines(0, 0, -1, false), { "a" })
end)

t.test("a new file comes with its folders, and neither stays when it cannot be written", function()
  fresh()
  local path = t.root .. "/new/deep/a.txt"
  t.eq(save(path, "", "x\n", true).finalText, "x\n")
  t.eq(t.read(path), "x\n")
  local other = t.root .. "/newer/deep/a.txt"
  on("BufWritePre", function() error("no such luck") end)
  t.has(save(other, "", "x\n", true).error, "no such luck")
  t.ok(not vim.uv.fs_stat(t.root .. "/newer"))
  t.eq(buffers.find(other), nil)
  t.eq(save(t.root .. "/gone.txt", "a\n", "x\n", false), { error = "the file is not there any more" })
end)

t.test("a link that led nowhere is still there when nothing could be written through it", function()
  fresh()
  local target = file("", "target.txt")
  t.ok(vim.uv.fs_unlink(target))
  local link = vim.fs.dirname(target) .. "/link.txt"
  t.ok(vim.uv.fs_symlink(target, link))
  on("BufWriteCmd", function(event)
    t.write(event.match, "a part of it")
    error("the disk is full")
  end)
  t.ok(save(link, "", "x\n", true).error)
  t.ok(vim.uv.fs_lstat(link), "the link is gone")
  t.eq(vim.uv.fs_stat(target), nil)
end)

t.test("the user's formatter runs, in the same step of undo", function()
  fresh()
  local path = file("a\nb\n")
  vim.cmd.edit(path)
  on("BufWritePre", function(args)
    local lines = vim.api.nvim_buf_get_lines(args.buf, 0, -1, false)
    vim.api.nvim_buf_set_lines(args.buf, 0, -1, false, vim.tbl_map(function(l) return (l:gsub("%s+$", "")) end, lines))
  end)
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "mine" })
  t.eq(save(path, "mine\nb\n", "mine\nB  \n", false), { userText = "mine\nB  \n", finalText = "mine\nB\n" })
  t.eq(t.read(path), "mine\nB\n")
  vim.cmd("silent undo")
  t.eq(vim.api.nvim_buf_get_lines(0, 0, -1, false), { "mine", "b" })
  vim.cmd("silent undo")
  t.eq(vim.api.nvim_buf_get_lines(0, 0, -1, false), { "a", "b" })
end)

t.test("what cannot be written leaves file and buffer as they were", function()
  fresh()
  local path = file("a\n")
  vim.cmd.edit(path)
  local buf = vim.api.nvim_get_current_buf()
  on("BufWriteCmd", function() error("E514: Write error (file system full?)") end)
  t.has(save(path, "a\n", "b\n", false).error, "E514")
  t.eq({ buffers.text(buf), vim.bo[buf].modified, t.read(path) }, { "a\n", false, "a\n" })
  fresh()
  vim.cmd.view(path)
  t.eq(save(path, "a\n", "b\n", false), { error = "its buffer is read-only" })
  vim.bo.readonly, vim.bo.modifiable = false, false
  t.eq(save(path, "a\n", "b\n", false), { error = "its buffer is not modifiable" })
  t.eq(t.read(path), "a\n")
end)

t.test("a buffer with another text wins", function()
  fresh()
  local path = file("a\n")
  vim.cmd.edit(path)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "mine" })
  t.eq(save(path, "a\n", "b\n", false), { text = "mine\n" })
  t.eq({ t.read(path), vim.bo.modified }, { "a\n", true })
end)

t.test("unsaved work does not go over what others wrote", function()
  fresh()
  local path = file("a\n")
  vim.cmd.edit(path)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "mine" })
  t.write(path, "theirs\n")
  vim.uv.fs_utime(path, 2000000000, 2000000000)
  t.eq(save(path, "mine\n", "mine!\n", false), { error = "the file on the disk is another than its buffer" })
  t.eq({ t.read(path), buffers.text(0) }, { "theirs\n", "mine\n" })
end)

t.test("an encoding that lacks characters is not written in", function()
  fresh()
  local path = file("\228\n")
  vim.cmd("edit ++enc=latin1 " .. path)
  t.has(save(path, "ä\n", "→\n", false).error, "latin1")
  t.eq(save(path, "ä\n", "öä\n", false).finalText, "öä\n")
  t.eq(t.read(path), "\246\228\n")
end)

t.test("cursors, folds and marks stay in all windows", function()
  fresh()
  local lines = {}
  for i = 1, 60 do
    lines[i] = "line " .. i
  end
  local text = table.concat(lines, "\n") .. "\n"
  local path = file(text)
  vim.o.lines = 30
  vim.cmd.edit(path)
  vim.wo.foldmethod = "manual"
  vim.cmd("50,55fold")
  vim.api.nvim_win_set_cursor(0, { 40, 3 })
  vim.api.nvim_buf_set_mark(0, "m", 30, 2, {})
  vim.cmd.split()
  vim.api.nvim_win_set_cursor(0, { 5, 1 })
  local upper, lower = vim.api.nvim_get_current_win(), vim.fn.win_getid(2)
  local new = "zero\n" .. text:gsub("line 10\n", "line ten\nand more\n"):gsub("line 30\n", "line thirty\n")
  t.eq(save(path, text, new, false).finalText, new)
  t.eq(vim.api.nvim_win_get_cursor(upper), { 6, 1 })
  t.eq(vim.api.nvim_win_get_cursor(lower), { 42, 3 })
  t.eq(vim.api.nvim_buf_get_mark(0, "m"), { 32, 2 })
  t.eq(vim.api.nvim_win_call(lower, function() return { vim.fn.foldclosed(52), vim.fn.foldclosedend(52) } end), { 52, 57 })
end)

t.test("the swap file of another Neovim asks nothing", function()
  fresh()
  local path = file("a\n")
  local dir = vim.fs.dirname(path)
  local before = vim.o.directory
  vim.o.directory = dir
  t.defer(function() vim.o.directory = before end)
  local other = vim.system(
    { vim.v.progpath, "--clean", "--headless", "-i", "NONE", "--cmd", "set directory=" .. dir, path },
    { clear_env = true, env = vim.fn.environ() }
  )
  t.wait(
    "the swap file",
    function() return #vim.fn.glob(dir .. "/.*.sw?", true, true) > 0 or #vim.fn.glob(dir .. "/*.sw?", true, true) > 0 end
  )
  vim.o.swapfile, vim.o.updatecount = true, 200
  t.eq(save(path, "a\n", "b\n", false).finalText, "b\n")
  t.eq(t.read(path), "b\n")
  other:kill("sigterm")
  other:wait(t.limit)
end)

t.test("a link is written through, under either name", function()
  fresh()
  local path = file("a\n")
  local link = vim.fs.dirname(path) .. "/link.txt"
  vim.uv.fs_symlink(path, link)
  vim.cmd.edit(link)
  t.eq(save(path, "a\n", "b\n", false).finalText, "b\n")
  t.eq(t.read(path), "b\n")
  t.eq(vim.uv.fs_lstat(link).type, "link")
  t.eq(vim.api.nvim_buf_get_lines(0, 0, -1, false), { "b" })
end)
