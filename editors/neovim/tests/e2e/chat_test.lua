local t = require("tests.harness")

local function chat(nvim)
  return table.concat(nvim:lua("return vim.api.nvim_buf_get_lines(vim.fn.bufnr('clined://chat'), 0, -1, false)"), "\n")
end

local function shows(nvim, words)
  local last = ""
  local ok = pcall(t.wait, words, function()
    last = chat(nvim)
    return last:find(words, 1, true)
  end)
  if not ok then error(("the chat does not show %q:\n%s"):format(words, last), 2) end
  return last
end

-- Types into the input and says it.
local function say(nvim, text, key)
  nvim:lua("require('clined.chat').open() require('clined.chat').set_input(...)", text)
  nvim:keys(key or "<C-s>")
end

t.test("what is said is answered while it comes, and once in the end", function()
  local nvim =
    t.child({ script = 'reply\n  text I will begin\n  hold middle\n  text and go on\n  call attempt_completion {"result":"All done."}\n' })
  say(nvim, "Do it.")
  shows(nvim, "Do it.\n\nI will begin")
  nvim.model.held("middle")
  shows(nvim, "● Writing")
  nvim.model.release("middle")
  local text = shows(nvim, "All done.")
  t.eq(select(2, text:gsub("All done%.", "")), 1)
  t.eq(nvim:lua("return require('clined.chat').input_text()"), "")
  nvim.model.done()
end)

t.test("what is said while it works waits visibly, can be taken back, and can be said at once", function()
  local nvim = t.child({
    script = 'reply\n  text Working\n  hold first\n  call attempt_completion {"result":"One."}\nreply\n  expect contains mind the tabs\n  call attempt_completion {"result":"Two."}\nreply\n  expect contains and the third\n  expect-not contains never say this\n  call attempt_completion {"result":"Three."}\n',
  })
  say(nvim, "Begin.")
  nvim.model.held("first")
  say(nvim, "mind the tabs", "<C-g>")
  shows(nvim, "Said at the next step\nmind the tabs")
  say(nvim, "never say this")
  shows(nvim, "Said when the turn ends  [x] on it takes it back\nnever say this")
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1]) vim.fn.search('never say this')")
  nvim:keys("x")
  nvim:wait("it to come back", "return require('clined.chat').input_text() == 'never say this'")
  say(nvim, "and the third")
  shows(nvim, "takes it back\nand the third")
  nvim.model.release("first")
  local text = shows(nvim, "Three.")
  t.has(text, "and the third\n\nThree.")
  nvim.model.done()
end)

t.test("a command is allowed by one key, and its output shows while it runs", function()
  local nvim = t.child({
    config = "require('clined.decisions.steady').pause = 0",
    script = 'reply\n  call execute_command {"command":"echo begin; while [ ! -e go ]; do :; done; echo end","requires_approval":true}\nreply\n  call attempt_completion {"result":"Ran."}\n',
  })
  say(nvim, "Run it.")
  shows(nvim, "[a] allow")
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1])")
  nvim:keys("a")
  shows(nvim, "  begin\n\n● Working")
  t.write(nvim.work .. "/go", "")
  shows(nvim, "Ran.")
  t.eq(nvim:lua("return vim.fn.foldclosed(vim.fn.search('^✓ Run'))") > 0, true)
  nvim.model.done()
end)

t.test("a refusal takes words along", function()
  local nvim = t.child({
    script = 'reply\n  call execute_command {"command":"rm -r x","requires_approval":true}\nreply\n  expect-last contains use trash instead\n  call attempt_completion {"result":"As you like."}\n',
  })
  say(nvim, "Clean up.")
  shows(nvim, "[R] refuse, saying why")
  nvim:lua("require('clined.chat').set_input('a draft')")
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1])")
  nvim:keys("R")
  t.eq(nvim:lua("return vim.fn.bufname() .. require('clined.chat').input_text()"), "clined://input")
  nvim:keys("use trash instead<C-s>")
  shows(nvim, "As you like.")
  shows(nvim, "⊘ Run rm -r x")
  t.eq(nvim:lua("return require('clined.chat').input_text()"), "a draft")
  nvim.model.done()
end)

t.test("a question is answered in other words, from the input", function()
  local nvim = t.child({
    script = 'reply\n  call ask_followup_question {"question":"Which **one**?","options":["First","Second"]}\nreply\n  expect-last contains neither of them\n  call attempt_completion {"result":"Fine."}\n',
  })
  say(nvim, "Ask me.")
  shows(nvim, "1 First\n  2 Second")
  say(nvim, "neither of them")
  shows(nvim, "Fine.")
  nvim.model.done()
end)

t.test("a message is changed, and what followed is gone", function()
  local nvim = t.child({
    script = 'reply\n  call attempt_completion {"result":"Answer one."}\nreply\n  break messages\n  expect-not contains Question one\n  call attempt_completion {"result":"Answer two."}\n',
  })
  say(nvim, "Question one.")
  shows(nvim, "Answer one.")
  nvim:wait("the turn's end", "return not require('clined.task.session').working()")
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1]) vim.cmd('normal! gg')")
  nvim:keys("c")
  t.eq(nvim:lua("return require('clined.chat').input_text()"), "Question one.")
  nvim:keys("<C-u>Question two.<C-s>")
  shows(nvim, "Question two.\n\nAnswer two.")
  t.ok(not chat(nvim):find("one", 1, true))
  nvim.model.done()
end)

t.test("it is stopped in the middle, and what waited is in the input again", function()
  local nvim = t.child({ script = "reply\n  text Once upon\n  stall\n" })
  say(nvim, "Tell a story.")
  shows(nvim, "Once upon")
  say(nvim, "And another.")
  shows(nvim, "takes it back\nAnd another.")
  nvim:keys("<C-c>")
  shows(nvim, "Stopped  [gr] goes on")
  nvim:wait("what waited", "return require('clined.chat').input_text() == 'And another.'")
end)

t.test("what was said before comes back by Up, and the draft by Down", function()
  local nvim = t.child({ script = 'reply\n  call attempt_completion {"result":"Yes."}\n' })
  say(nvim, "first\nin two lines")
  shows(nvim, "Yes.")
  nvim:lua("require('clined.chat').set_input('a draft')")
  nvim:keys("<Up>")
  t.eq(nvim:lua("return require('clined.chat').input_text()"), "first\nin two lines")
  -- Within what has several lines they are Neovim's own, in the order in which they are pressed.
  nvim:keys("<Up><Down><Down>")
  t.eq(nvim:lua("return require('clined.chat').input_text()"), "a draft")
  nvim.model.done()
end)

t.test("tasks are listed, one opens whole, is renamed and deleted", function()
  local nvim = t.child({
    script = 'reply\n  call attempt_completion {"result":"Answer A."}\nreply\n  break messages\n  call attempt_completion {"result":"Answer B."}\n',
  })
  say(nvim, "Task A")
  shows(nvim, "Answer A.")
  nvim:cmd("Clined new")
  say(nvim, "Task B")
  shows(nvim, "Answer B.")
  nvim:wait("the turn's end", "return not require('clined.task.session').working()")
  nvim:cmd("Clined history")
  local list = "return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('clined://history'), 0, -1, false), '\\n')"
  nvim:wait("the list", list:gsub("return (.*)", "return (%1):find('Task A')"))
  t.has(nvim:lua(list), "▸Task B")
  nvim:lua("vim.fn.search('Task A')")
  nvim:keys("<CR>")
  shows(nvim, "Task A\n\nAnswer A.")
  nvim:cmd("Clined history B")
  nvim:wait("what was searched for", list:gsub("return (.*)", "return (%1):find('Task B') and not (%1):find('Task A')"))
  nvim:lua("vim.ui.input = function(_, cb) cb('Renamed') end")
  nvim:keys("r")
  nvim:wait("the new title", list:gsub("return (.*)", "return (%1):find('Renamed')"))
  nvim:keys("dd")
  nvim:wait("to be asked", "return vim.api.nvim_get_current_line():find('Delete it')")
  nvim:keys("1")
  nvim:wait("it to be gone", list:gsub("return (.*)", "return (%1):find('No task has')"))
  nvim:keys("q")
  t.eq(nvim:lua("return vim.fn.bufnr('clined://history')"), -1)
  nvim.model.done()
end)

t.test("mode and model are chosen, and shown", function()
  local nvim = t.child({ script = "# it says nothing\n" })
  nvim:cmd("Clined")
  local bar =
    "return vim.api.nvim_eval_statusline(vim.wo[vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1]].winbar, { use_winbar = true, winid = vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1] }).str"
  nvim:wait("the options", bar:gsub("return (.*)", "return (%1):find('act · fake%%-model', 1)"))
  nvim:cmd("Clined plan")
  nvim:wait("the mode", bar:gsub("return (.*)", "return (%1):find('plan', 1, true)"))
  nvim:keys("<S-Tab>")
  nvim:wait("the mode", bar:gsub("return (.*)", "return (%1):find('act', 1, true)"))
  nvim:cmd("Clined model other%name")
  nvim:wait("the model", bar:gsub("return (.*)", "return (%1):find('other%%name', 1, true)"))
end)

t.test("a task is written as Markdown", function()
  local nvim = t.child({ script = 'reply\n  call attempt_completion {"result":"Yes."}\n' })
  say(nvim, "Really?")
  shows(nvim, "Yes.")
  nvim:cmd("Clined export out file.md")
  local path = nvim.work .. "/out file.md"
  t.wait("what was said", function() return vim.uv.fs_stat(path) and t.read(path):find("Really?", 1, true) end)
  nvim.model.done()
end)

t.test("an always can be taken back", function()
  local nvim = t.child({
    config = "require('clined.decisions.steady').pause = 0",
    script = 'reply\n  call execute_command {"command":"touch x","requires_approval":true}\nreply\n  call attempt_completion {"result":"Done."}\n',
  })
  say(nvim, "Go.")
  shows(nvim, "[A] always")
  nvim:lua(
    "vim.ui.select = function(items, _, cb) for _, i in ipairs(items) do if i.rule and i.rule.scope == 'workspace' then return cb(i) end end cb(items[1]) end"
  )
  nvim:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('clined://chat'))[1])")
  nvim:keys("A")
  shows(nvim, "Done.")
  nvim:cmd("Clined rules")
  nvim:wait("the rule", "return vim.api.nvim_get_current_line():find('touch')")
  nvim:keys("dd")
  nvim:wait("no rule", "return vim.api.nvim_get_current_line():find('Nothing is allowed')")
  nvim.model.done()
end)

t.test("subcommands complete, and what is none is told", function()
  local nvim = t.child()
  t.eq(nvim:lua("return vim.fn.getcompletion('Clined re', 'cmdline')"), { "resume", "refuse", "restart" })
  nvim:cmd("Clined nonsense")
  nvim:wait("the message", "return vim.fn.execute('messages'):find('there is no :Clined nonsense')")
  nvim:cmd("messages clear")
  nvim:cmd("Clined log")
end)

t.test("a daemon that cannot be started is told in the chat, with what helps", function()
  local nvim = t.child({ options = { bin = "/nowhere/clined" } })
  nvim:cmd("Clined")
  shows(nvim, ":Clined restart tries again")
  nvim:cmd("messages clear")
end)
