-- What is gone to from the chat. The words are the model's: none of them may do more than open a file.
local t = require("tests.harness")
local links = require("clined.chat.links")

local api = vim.api

-- A buffer with this line, the cursor at the `at`th byte, in a workspace with these files.
local function at(line, files, column)
  local work = t.folder(files)
  vim.fn.chdir(work)
  vim.cmd("silent! %bwipeout!")
  vim.cmd("enew")
  api.nvim_buf_set_lines(0, 0, -1, false, { line })
  vim.bo.modified = false
  api.nvim_win_set_cursor(0, { 1, column or 2 })
  return work
end

local function name() return api.nvim_buf_get_name(0) end

local said = {}
vim.notify = function(text) table.insert(said, text) end

local function says(words)
  t.wait("words", function() return #said > 0 end)
  t.has(said, words)
  said = {}
end

t.test("a file is gone to, whatever its name", function()
  for _, file in ipairs({ "a b.txt", "50% #1.txt", "a|q.txt", [[q"'$HOME[1].txt]], "-w.txt", "+9.txt", "~x.txt", "%", "#", "ü.txt" }) do
    local work = at(("`%s`"):format(file), { [file] = "one\n" })
    t.ok(links.follow(nil), file)
    t.eq(name(), work .. "/" .. file)
    t.eq(api.nvim_buf_get_lines(0, 0, -1, false), { "one" }, file)
    t.ok(vim.bo.buflisted)
  end
end)

t.test("a line is gone to, also one that is not there", function()
  local work = at("see a.txt:2 and", { ["a.txt"] = "one\ntwo\n" }, 5)
  links.follow(nil)
  t.eq({ name(), api.nvim_win_get_cursor(0)[1] }, { work .. "/a.txt", 2 })
  at("see a.txt:99999999999999999999:3", { ["a.txt"] = "one\ntwo\n" }, 5)
  links.follow(nil)
  t.eq(api.nvim_win_get_cursor(0)[1], 2)
end)

t.test("a name that Neovim would read in its own way is a file's name", function()
  local ran = t.root .. "/ran"
  local work = t.folder()
  vim.fn.mkdir(work .. "/term:/touch " .. vim.fs.dirname(ran), "p")
  for _, word in ipairs({ "term://touch ran", "term:touch ran", "http://x/y", "man://ls" }) do
    at(("`%s`"):format(word), { [word] = "one\n" })
    local here = vim.fn.getcwd()
    links.follow(nil)
    t.eq(vim.bo.buftype, "", word)
    t.eq(api.nvim_buf_get_lines(0, 0, -1, false), { "one" }, word)
    t.ok(vim.startswith(name(), here), name())
    t.eq(vim.fn.glob("**/ran", true, true), {}, word)
  end
  t.eq(vim.uv.fs_stat(ran), nil)
end)

t.test("what is no file is not waited for", function()
  local work = at("`pipe`", {})
  assert(vim.system({ "mkfifo", work .. "/pipe" }):wait().code == 0)
  local before = api.nvim_get_current_buf()
  t.ok(links.follow(nil))
  says("is not opened: it is no file")
  for _, path in ipairs({ "/dev/zero", "/dev/tty", "/proc/self/environ" }) do
    at(path, {})
    before = api.nvim_get_current_buf()
    t.ok(links.follow(nil))
    says("is not opened")
    t.eq(api.nvim_get_current_buf(), before)
  end
end)

t.test("a file that is too large to be read in a moment is named, and not read", function()
  local work = at("huge.bin", {})
  local fd = assert(vim.uv.fs_open(work .. "/huge.bin", "w", 384))
  assert(vim.uv.fs_ftruncate(fd, 2 * 1024 * 1024 * 1024))
  vim.uv.fs_close(fd)
  t.ok(links.follow(nil))
  says("it has 2048 MB")
  t.ok(name() ~= work .. "/huge.bin")
end)

t.test("unsaved text that cannot be hidden keeps its window, and nothing is asked", function()
  local work = at("a.txt", { ["a.txt"] = "one\n" })
  vim.o.hidden, vim.o.confirm = false, true
  t.defer(function()
    vim.o.hidden, vim.o.confirm = true, false
    vim.cmd("silent! only!")
  end)
  vim.bo.modified = true
  links.follow(nil)
  t.eq(name(), work .. "/a.txt")
  t.eq(#api.nvim_list_wins(), 2)
end)
