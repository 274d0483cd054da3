local t = require("tests.harness")

-- Windows of the current tab page, as the names of what they show.
local names = [[
  return vim.tbl_map(function(w)
    local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(w))
    return name:match("^clined://") and name or vim.fn.fnamemodify(name, ":t")
  end, vim.api.nvim_tabpage_list_wins(0))
]]

local function start(opts)
  local nvim = t.child(vim.tbl_extend("force", { files = { ["a.txt"] = "one\ntwo\nthree\n" }, args = { "a.txt" } }, opts or {}))
  nvim:cmd("Clined")
  return nvim
end

t.test("the chat opens beside the file, and the cursor is in the input", function()
  local nvim = start()
  t.eq(nvim:lua(names), { "a.txt", "clined://chat", "clined://input" })
  t.eq(nvim:lua("return vim.fn.bufname()"), "clined://input")
  t.eq(nvim:lua("return require('clined.chat').is_visible()"), true)
  for _, buf in ipairs({ "clined://chat", "clined://input" }) do
    local bo = "return vim.bo[vim.fn.bufnr(...)]"
    t.eq(nvim:lua(bo .. ".buflisted", buf), false)
    t.eq(nvim:lua(bo .. ".swapfile", buf), false)
    t.eq(nvim:lua(bo .. ".modified", buf), false)
  end
  t.eq(nvim:lua("return vim.bo[vim.fn.bufnr('clined://chat')].modifiable"), false)
  t.eq(nvim:lua("return vim.fn.winwidth(1) + vim.fn.winwidth(2)"), 119)
end)

t.test("where the screen is narrow it opens below", function()
  local nvim = t.child({ files = { ["a.txt"] = "one\n" }, args = { "a.txt" } })
  nvim:lua("vim.o.columns, vim.o.lines = 80, 24")
  nvim:cmd("Clined")
  t.eq(nvim:lua("return vim.fn.winwidth(1)"), 80)
  t.ok(nvim:lua("return vim.fn.winheight(1)") >= 4)
end)

t.test("one window goes with the other, and what was written stays", function()
  for _, how in ipairs({ "quit", "close", "normal q", "wincmd c" }) do
    for _, from in ipairs({ "clined://chat", "clined://input" }) do
      local nvim = start()
      nvim:lua("require('clined.chat').set_input('not said yet')")
      nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr(...))[1])", from)
      nvim:cmd(how)
      nvim:wait(how .. " in " .. from, "return #vim.api.nvim_tabpage_list_wins(0) == 1")
      t.eq(nvim:lua(names), { "a.txt" })
      nvim:cmd("Clined")
      t.eq(nvim:lua("return require('clined.chat').input_text()"), "not said yet")
      t.eq(nvim:lua(names), { "a.txt", "clined://chat", "clined://input" })
    end
  end
end)

t.test("as the last windows they end like any other", function()
  local nvim = start()
  nvim:lua("vim.cmd('1wincmd w | close')")
  t.eq(nvim:lua(names), { "clined://chat", "clined://input" })
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://input'))[1])")
  nvim:cmd("close")
  nvim:wait("a file in its place", "return vim.bo.buftype == '' and #vim.api.nvim_tabpage_list_wins(0) == 1")
  t.eq(nvim:lua("return vim.wo.winbar .. vim.wo.statuscolumn .. tostring(vim.wo.winfixbuf)"), "false")
  nvim:cmd("Clined")
  nvim:cmd("1wincmd w | close")
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://input'))[1])")
  nvim:lua("vim.schedule(function() vim.cmd('quit') end)")
  t.wait("the end of Neovim", function() return vim.fn.jobwait({ nvim.chan }, 0)[1] ~= -1 end)
end)

t.test("what :only leaves of it is the file, as high as the screen", function()
  local nvim = start({ files = { ["a.txt"] = "one\n" }, args = { "a.txt" } })
  nvim:cmd("Clined")
  nvim:cmd("only")
  nvim:wait("the file", "return vim.fn.bufname() == 'a.txt'")
  t.eq(nvim:lua("return { vim.o.cmdheight, #vim.api.nvim_tabpage_list_wins(0), vim.wo.winbar }"), { 1, 1, "" })
  nvim:cmd("Clined")
  t.eq(nvim:lua("return #vim.api.nvim_tabpage_list_wins(0)"), 3)
end)

t.test("all windows for files give it their columns", function()
  local nvim = t.child({ files = { ["a.txt"] = "one\n" }, args = { "a.txt" } })
  nvim:cmd("vsplit")
  nvim:cmd("Clined")
  local wide = nvim:lua("return vim.tbl_map(vim.api.nvim_win_get_width, vim.api.nvim_tabpage_list_wins(0))")
  t.eq(#wide, 4)
  t.eq(wide[3], 56)
  t.ok(math.abs(wide[1] - wide[2]) <= 1, vim.inspect(wide))
end)

t.test("it may be in two tab pages and in several windows", function()
  local nvim = start()
  nvim:cmd("tabnew a.txt")
  t.eq(nvim:lua("return require('clined.chat').is_visible()"), false)
  nvim:cmd("Clined")
  t.eq(nvim:lua(names), { "a.txt", "clined://chat", "clined://input" })
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1])")
  nvim:cmd("split")
  nvim:cmd("close")
  t.settle()
  t.eq(#nvim:lua("return vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))"), 2)
  nvim:cmd("tabclose 2")
  t.eq(nvim:lua(names), { "a.txt", "clined://chat", "clined://input" })
end)

t.test("a session that was saved with it opens, and the chat with it", function()
  local nvim = start()
  nvim:cmd("set sessionoptions+=blank,folds,localoptions | mksession s.vim")
  local second = t.child({ place = nvim.place })
  second:cmd("source s.vim")
  second:cmd("Clined")
  t.eq(second:lua("return vim.fn.bufname()"), "clined://input")
  local all = second:lua(names)
  table.sort(all)
  t.eq(all, { "a.txt", "clined://chat", "clined://input" })
  t.eq(second:lua("return vim.bo[vim.fn.bufnr('clined://chat')].buftype"), "nofile")
end)

t.test("other files do not open in its windows, and options do not leak", function()
  local nvim = start()
  t.fails(function() nvim:cmd("edit a.txt") end, "winfixbuf")
  nvim:lua("require('clined.chat').close()")
  nvim:cmd("vsplit a.txt")
  t.eq(nvim:lua("return { vim.wo.winbar, vim.wo.statuscolumn, vim.wo.winfixbuf, vim.wo.foldmethod }"), { "", "", false, "manual" })
end)

t.test("a range goes along as a fence with its place", function()
  local nvim = t.child({ files = { ["a.txt"] = "one\n````\nthree\n" }, args = { "a.txt" } })
  nvim:cmd("1,2Clined")
  t.eq(nvim:lua("return require('clined.chat').input_text()"), "a.txt:1-2\n`````text\none\n````\n`````\n")
end)

t.test("links lead to files and lines, in the window for files", function()
  local nvim = start({ files = { ["a.txt"] = "one\ntwo\nthree\n", ["sub dir/b.txt"] = "x\n" } })
  local follow = "return require('clined.chat.links').parse(...)"
  for word, want in pairs({
    ["src/a.go:12"] = { "src/a.go", 12 },
    ["src/a.go:12:3:"] = { "src/a.go", 12, 3 },
    ["(`a.go#L4`)."] = { "a.go", 4 },
    ["[text](../a.go:7)"] = { "../a.go", 7 },
    ['"C:\\x\\a.go:3",'] = { "C:\\x\\a.go", 3 },
    ["a.go:"] = { "a.go" },
  }) do
    t.eq(nvim:lua("return { require('clined.chat.links').parse(...) }", word), want, follow)
  end
  nvim:lua("require('clined.chat.links').go(require('clined.chat.links').resolve('a.txt'), 3)")
  t.eq(nvim:lua("return { vim.fn.winnr(), vim.fn.bufname(), vim.fn.line('.') }"), { 1, "a.txt", 3 })
  nvim:lua("require('clined.chat.links').go(require('clined.chat.links').resolve('sub dir/b.txt'), 99)")
  t.eq(nvim:lua("return { vim.fn.winnr(), vim.fn.bufname(), vim.fn.line('.') }"), { 1, "sub dir/b.txt", 1 })
  t.eq(nvim:lua("return #vim.api.nvim_tabpage_list_wins(0)"), 3)
end)

t.test("it opens where the user wants it", function()
  for position, want in pairs({
    left = { "clined://chat", "clined://input", "a.txt" },
    below = { "a.txt", "clined://chat", "clined://input" },
    tab = { "clined://chat", "clined://input" },
  }) do
    local nvim = start({ options = { chat = { position = position, size = position == "below" and 20 or 70 } } })
    t.eq(nvim:lua(names), want, position)
    if position == "left" then t.eq(nvim:lua("return vim.fn.winwidth(1)"), 70) end
    nvim:cmd("quit")
    nvim:wait("its end", "return vim.fn.bufname() == 'a.txt' and #vim.api.nvim_list_wins() == 1")
  end
end)

t.test("the input grows with what is written, and no further than the screen allows", function()
  local nvim = start()
  local height = "return vim.api.nvim_win_get_height(0)"
  local least = nvim:lua(height)
  nvim:lua("require('clined.chat').set_input(('line\\n'):rep(6))")
  t.ok(nvim:lua(height) > least)
  nvim:lua("require('clined.chat').set_input(('line\\n'):rep(600))")
  t.ok(nvim:lua(height) <= 20)
  nvim:lua("require('clined.chat').set_input('')")
  t.eq(nvim:lua(height), least)
end)

t.test("buffers that are deleted come again with all that was in the task", function()
  for _, how in ipairs({ "bdelete", "bwipeout" }) do
    local nvim = start({ script = 'reply\n  call attempt_completion {"result":"Answer."}\n' })
    nvim:cmd("Clined ask Question")
    local shown =
      "return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('clined://chat'), 0, -1, false), ' '):find('Answer.', 1, true)"
    nvim:wait("the answer", shown)
    nvim:cmd(("execute '%s!' bufnr('clined://chat')"):format(how))
    nvim:wait("both to be gone", "return #vim.api.nvim_tabpage_list_wins(0) == 1 and vim.fn.bufexists('clined://input') == 0")
    nvim:cmd("Clined")
    t.eq(nvim:lua(names), { "a.txt", "clined://chat", "clined://input" })
    nvim:wait("the answer again", shown)
    nvim.model.done()
  end
end)
