-- What becomes of an edit that the model proposes, in a whole Neovim with the real daemon.
local t = require("tests.harness")

local search = "------- SEARCH\\n%s\\n=======\\n%s\\n+++++++ REPLACE"

local function replace(path, ...)
  local blocks, pairs_ = {}, { ... }
  for i = 1, #pairs_, 2 do
    table.insert(blocks, search:format(pairs_[i], pairs_[i + 1]))
  end
  return ('reply\n  call replace_in_file {"path":"%s","diff":"%s"}\n'):format(path, table.concat(blocks, "\\n"))
end

local function done(...)
  local expects = vim.tbl_map(function(words) return "  " .. words .. "\n" end, { ... })
  return "reply\n" .. table.concat(expects) .. '  call attempt_completion {"result":"Done."}\n'
end

-- A Neovim in which something was asked for. What is asked is open when this returns.
local function asked(opts, say)
  local nvim = t.child(opts)
  nvim:lua(
    "require('clined.decisions.idle').pause, require('clined.decisions.steady').pause = 0, 0; require('clined.task.session').say(...)",
    say or "Change it."
  )
  nvim:wait("the approval", "return #require('clined.decisions').list() == 1")
  return nvim
end

local function shown(nvim) nvim:wait("the proposal", "return vim.wo.diff and vim.bo.buftype == 'acwrite' and vim.bo.modifiable") end

local function ended(nvim)
  nvim:wait(
    "the end of the turn",
    "local task = require('clined.task.session').current() return task and task.state.stopReason == 'completed'"
  )
  t.eq(nvim:lua("return #require('clined.diff').views()"), 0)
  t.eq(nvim:lua("return #vim.api.nvim_list_tabpages()"), 1)
  nvim.model.done()
end

local function file(nvim, name) return t.read(nvim.work .. "/" .. (name or "a.txt")) end

t.test("an edit grows before the user's eyes, is accepted by :w, and is one step of undo", function()
  local nvim = t.child({
    files = { ["a.txt"] = "one\ntwo\n" },
    args = { "a.txt" },
    script = 'reply\n  call write_to_file {"path":"a.txt","content":"ONE\\ntwo\\n$HOLD(middle)THREE\\n"}\n' .. done(),
  })
  nvim:keys("jl")
  nvim:lua(
    "require('clined.decisions.idle').pause, require('clined.decisions.steady').pause = 0, 0; require('clined.task.session').say('Change it.')"
  )
  nvim.model.held("middle")
  nvim:wait("the first line", "return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == 'ONE' and vim.wo.diff")
  t.eq(file(nvim), "one\ntwo\n")
  nvim.model.release("middle")
  nvim:wait("the approval", "return #require('clined.decisions').list() == 1")
  shown(nvim)
  t.eq(nvim:lines(), { "ONE", "two", "THREE" })
  t.eq(file(nvim), "one\ntwo\n")
  nvim:cmd("write")
  ended(nvim)
  t.eq(file(nvim), "ONE\ntwo\nTHREE\n")
  t.eq(nvim:api("nvim_win_get_cursor", 0), { 2, 1 })
  t.eq(nvim:lines(), { "ONE", "two", "THREE" })
  nvim:keys("u")
  nvim:wait("the undo", "return vim.api.nvim_buf_get_lines(0, 0, -1, false)[1] == 'one'")
  t.eq(nvim:lines(), { "one", "two" })
end)

t.test("what the user makes of it is written, and the model is told", function()
  local script = 'reply\n  call write_to_file {"path":"a.txt","content":"one\\ntwo\\n"}\n'
  local nvim =
    asked({ files = { ["a.txt"] = "one\n" }, script = script .. done("expect-last contains +three", "expect-last-not contains formatted") })
  shown(nvim)
  nvim:keys("Gothree<Esc>ga")
  ended(nvim)
  t.eq(file(nvim), "one\ntwo\nthree\n")
end)

t.test("dp and do are Neovim's own, and gh leaves a change out", function()
  local lines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"
  local script = replace("a.txt", "one", "ONE", "four", "FOUR", "eight", "EIGHT")
  local nvim = asked({ files = { ["a.txt"] = lines }, script = script .. done("expect-last contains 2 of 3", "expect-last contains -ONE") })
  shown(nvim)
  nvim:keys("ggdo4Ggh")
  nvim:wait("the choice", "local d = require('clined.decisions').list()[1] return d.left_out == 1 and d.edited")
  nvim:keys("ga")
  ended(nvim)
  t.eq(file(nvim), "one\ntwo\nthree\nfour\nfive\nsix\nseven\nEIGHT\n")
end)

t.test("a refused edit leaves unsaved words as they were, and the model hears why", function()
  local nvim = t.child({
    files = { ["a.txt"] = "one\n" },
    args = { "a.txt" },
    script = replace("a.txt", "typed", "TYPED") .. done("expect-last contains keep it small"),
  })
  nvim:keys("otyped<Esc>")
  nvim:lua(
    "require('clined.decisions.idle').pause, require('clined.decisions.steady').pause = 0, 0; require('clined.task.session').say('Change it.')"
  )
  nvim:wait("the approval", "return #require('clined.decisions').list() == 1")
  shown(nvim)
  t.eq(nvim:lines(), { "one", "TYPED" })
  nvim:keys("gR")
  nvim:keys("keep it small<CR>")
  ended(nvim)
  t.eq(nvim:lines(), { "one", "typed" })
  t.ok(nvim:lua("return vim.bo.modified"))
  t.eq(file(nvim), "one\n")
end)

t.test("an edit of unsaved text saves that, too", function()
  local nvim = t.child({ files = { ["a.txt"] = "one\n" }, args = { "a.txt" }, script = replace("a.txt", "typed", "TYPED") .. done() })
  nvim:keys("otyped<Esc>")
  nvim:lua(
    "require('clined.decisions.idle').pause, require('clined.decisions.steady').pause = 0, 0; require('clined.task.session').say('Change it.')"
  )
  nvim:wait("the approval", "return #require('clined.decisions').list() == 1")
  shown(nvim)
  nvim:keys("ga")
  ended(nvim)
  t.eq(file(nvim), "one\nTYPED\n")
  t.ok(not nvim:lua("return vim.bo.modified"))
end)

t.test("what the user's formatter does is told apart", function()
  local format = [[vim.api.nvim_create_autocmd("BufWritePre", { callback = function() vim.cmd("silent! %s/ \\+$//e") end })]]
  local script = 'reply\n  call write_to_file {"path":"a.txt","content":"one\\ntwo  \\n"}\n'
  local nvim = asked({
    files = { ["a.txt"] = "one\n" },
    config = format,
    script = script .. done("expect-last contains +three", "expect-last contains formatted"),
  })
  shown(nvim)
  nvim:keys("Gothree<Esc>")
  nvim:cmd("write")
  ended(nvim)
  t.eq(file(nvim), "one\ntwo\nthree\n")
end)

t.test("a diff that was closed decides nothing; the edit is written by Neovim all the same", function()
  local nvim = asked({ files = { ["a.txt"] = "one\n" }, script = replace("a.txt", "one", "two") .. done("expect-last contains +mine") })
  shown(nvim)
  nvim:keys("Gomine<Esc>")
  nvim:cmd("tabclose")
  nvim:wait("the tab to go", "return #vim.api.nvim_list_tabpages() == 1")
  t.eq(nvim:lua("return #require('clined.decisions').list()"), 1)
  nvim:lua("local d = require('clined.decisions') d.allow(d.list()[1].id)")
  ended(nvim)
  t.eq(file(nvim), "two\nmine\n")
end)

t.test("several files, one deleted and one moved, are one question", function()
  local patch = table.concat({
    "*** Begin Patch",
    "*** Update File: a.txt",
    "@@",
    "-one",
    "+ONE",
    "*** Add File: deep/new.txt",
    "+new",
    "*** Delete File: b.txt",
    "*** Update File: c.txt",
    "*** Move to: d.txt",
    "@@",
    "-three",
    "+THREE",
    "*** End Patch",
  }, "\n")
  local nvim = t.child({
    files = { ["a.txt"] = "one\n", ["b.txt"] = "two\n", ["c.txt"] = "three\n" },
    args = { "c.txt", "b.txt" },
    script = "reply\n  call apply_patch " .. vim.json.encode({ input = patch }) .. "\n" .. done(),
  })
  nvim:cmd("next")
  nvim:lua(
    "require('clined.decisions.idle').pause, require('clined.decisions.steady').pause = 0, 0; require('clined.task.session').say('Change them.')"
  )
  nvim:wait("the approval", "return #require('clined.decisions').list() == 1")
  shown(nvim)
  t.eq(nvim:lua("return #vim.api.nvim_list_tabpages()"), 2)
  t.eq(nvim:lua("return #require('clined.diff').views()"), 4)
  for _, name in ipairs({ "a.txt", "deep/new.txt", "b.txt", "d.txt" }) do
    t.eq(nvim:lua("return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':s?clined://proposal/[^/]*/??')"), name)
    nvim:keys("]f")
    nvim:wait("the next", "return not vim.api.nvim_buf_get_name(0):find(..., 1, true)", name)
  end
  nvim:keys("ga")
  ended(nvim)
  t.eq({ file(nvim), file(nvim, "deep/new.txt") }, { "ONE\n", "new\n" })
  -- The buffer of this one is written again, so that Neovim takes it for saved.
  t.wait("the moved file", function() return file(nvim, "d.txt") == "THREE\n" end)
  t.ok(not vim.uv.fs_stat(nvim.work .. "/b.txt") and not vim.uv.fs_stat(nvim.work .. "/c.txt"))
  local names = nvim:lua("return vim.tbl_map(function(b) return vim.fs.basename(b.name) end, vim.fn.getbufinfo({ buflisted = 1 }))")
  t.ok(vim.list_contains(names, "d.txt"), vim.inspect(names))
  t.ok(not vim.list_contains(names, "b.txt"), vim.inspect(names))
end)

t.test("files that Neovim would not keep byte for byte are written beside it, and read again", function()
  local nvim = asked({
    files = { ["a.txt"] = "one\r\ntwo\nthree\r\n" },
    args = { "a.txt" },
    script = replace("a.txt", "two", "TWO") .. done(),
  })
  shown(nvim)
  nvim:keys("ga")
  ended(nvim)
  t.eq(file(nvim), "one\r\nTWO\nthree\r\n")
  t.eq(nvim:lines(), { "one\r", "TWO", "three\r" })
  t.ok(not nvim:lua("return vim.bo.modified"))
end)

t.test("an edit that is allowed by itself opens nothing", function()
  local nvim = t.child({
    files = { ["a.txt"] = "one\n" },
    options = { settings = { autoApprove = { edit = true } } },
    script = replace("a.txt", "one", "two") .. done(),
  })
  nvim:lua("vim.g.tabs = 0; vim.api.nvim_create_autocmd('TabNew', { callback = function() vim.g.tabs = vim.g.tabs + 1 end })")
  nvim:lua(
    "require('clined.decisions.idle').pause, require('clined.decisions.steady').pause = 0, 0; require('clined.task.session').say('Change it.')"
  )
  ended(nvim)
  t.eq(file(nvim), "two\n")
  t.eq(nvim:lua("return vim.g.tabs"), 0)
end)

t.test("who types is not disturbed; the diff comes when they pause", function()
  local nvim =
    t.child({ files = { ["a.txt"] = "one\n", ["b.txt"] = "" }, args = { "b.txt" }, script = replace("a.txt", "one", "two") .. done() })
  nvim:keys("ityping")
  nvim:lua("require('clined.decisions.steady').pause = 0; require('clined.task.session').say('Change it.')")
  nvim:wait("the approval", "return #require('clined.decisions').list() == 1")
  nvim:keys(" on")
  nvim:wait("the words", "return vim.api.nvim_get_current_line() == 'typing on'")
  t.eq(nvim:api("nvim_get_mode").mode, "i")
  t.eq(nvim:lua("return #vim.api.nvim_list_tabpages()"), 1)
  nvim:keys("<Esc>")
  shown(nvim)
  nvim:keys("ga")
  ended(nvim)
  t.eq(nvim:lines(), { "typing on" })
  t.eq(file(nvim), "two\n")
end)

t.test("a Neovim that is left with an open question ends, and nothing was written", function()
  local nvim = asked({ files = { ["a.txt"] = "one\n" }, script = replace("a.txt", "one", "two") })
  shown(nvim)
  nvim:keys("omine<Esc>")
  nvim:wait("the words", "return #vim.api.nvim_buf_get_lines(0, 0, -1, false) == 2 and not vim.bo.modified")
  nvim:keys(":wqall<CR>")
  t.wait("its end", function() return vim.uv.kill(nvim.pid, 0) ~= 0 end)
  t.eq(file(nvim), "one\n")
end)

t.test("after a Neovim that was killed while it asked, the next one asks again", function()
  local killed = asked({ files = { ["a.txt"] = "one\n" }, script = replace("a.txt", "one", "two") .. done() })
  shown(killed)
  killed:kill()
  local nvim = t.child({ place = killed.place })
  nvim:lua([[
    require("clined.decisions.idle").pause, require("clined.decisions.steady").pause = 0, 0
    local session = require("clined.task.session")
    require("clined.daemon").request("clined/task/list", {}, function(_, result)
      session.open(result.tasks[1].taskId, function() session.resume() end)
    end)
  ]])
  nvim:wait("the approval", "return #require('clined.decisions').list() == 1")
  shown(nvim)
  t.eq(file(nvim), "one\n")
  nvim:keys("ga")
  ended(nvim)
  t.eq(file(nvim), "two\n")
end)
