local t = require("tests.harness")
local proposals = require("tests.harness.proposals")

local function decisions() return require("clined.decisions") end

local function command(line, more)
  return vim.tbl_extend("force", {
    approvalId = "a1",
    taskId = "t1",
    turnId = "u1",
    toolCallId = "c1",
    title = "Run `" .. line .. "`",
    description = "Commands ask first.",
    subject = { type = "command", command = line, cwd = vim.fn.getcwd() },
    subjectHash = "h1",
    options = {
      { optionId = "allow_once", kind = "allow_once", name = "Allow" },
      { optionId = "allow_always", kind = "allow_always", name = "Always allow `go test`", rule = { scope = "task", pattern = "go test" } },
      {
        optionId = "allow_always_2",
        kind = "allow_always",
        name = "Always allow all",
        rule = { scope = "user", pattern = "go test ./..." },
      },
      { optionId = "reject_once", kind = "reject_once", name = "Reject" },
    },
  }, more or {})
end

-- What vim.ui.select is asked, in place of a picker of the user's.
local function picker()
  local before, asked = vim.ui.select, {}
  vim.ui.select = function(items, opts, cb)
    table.insert(asked, { items = vim.tbl_map(opts.format_item or tostring, items), prompt = opts.prompt, cb = cb, values = items })
  end
  t.defer(function() vim.ui.select = before end)
  function asked.choose(i, text)
    for at, item in ipairs(asked[i].items) do
      if item == text then return asked[i].cb(asked[i].values[at], at) end
    end
    error(("no %q in %s"):format(text, vim.inspect(asked[i].items)))
  end
  return asked
end

local function outcomes(p)
  return vim.tbl_map(function(params) return params.outcome end, p.sent("clined/approval/respond"))
end

local function told()
  local list = {}
  for _, name in ipairs({ "Decision", "DecisionEnd" }) do
    t.defer(require("clined.events").on(name, function(data) table.insert(list, { name, data.id, data.outcome }) end))
  end
  return list
end

t.test("an approval is open until it is decided, by whomever", function()
  local p = proposals.start(t, { select = false, notify = false })
  local events = told()
  local first = p.ask("clined/approval/request", command("ls"))
  local second = p.ask("clined/ask", { askId = "q1", taskId = "t1", text = "Which?", options = { "a", "b" } })
  t.eq(vim.tbl_map(function(d) return d.id end, decisions().list()), { "a1", "q1" })
  p.tell("clined/approval/resolved", { approvalId = "a1", taskId = "t1", outcome = "allow_once" })
  t.eq({ first.answered, first.result }, { true, nil })
  second.withdraw()
  t.eq(decisions().list(), {})
  t.eq(events, { { "Decision", "a1" }, { "Decision", "q1" }, { "DecisionEnd", "a1", "allow_once" }, { "DecisionEnd", "q1" } })
  t.eq(p.told, {})
end)

t.test("answers say what was decided", function()
  local p = proposals.start(t, { select = false, notify = false })
  local counts = {}
  local function cb(yes) table.insert(counts, yes) end
  p.ask("clined/approval/request", command("ls"))
  decisions().allow("a1", { feedback = "mind the tabs" }, cb)
  decisions().allow("a1", {}, cb) -- a second press while the first is on its way
  t.wait("both", function() return #counts == 2 end)
  p.ask("clined/approval/request", command("ls", { approvalId = "a2" }))
  decisions().refuse("a2", " ", cb)
  t.wait("the third", function() return #counts == 3 end)
  p.answers["clined/approval/respond"] = { status = "alreadyResolved" }
  p.ask("clined/approval/request", command("ls", { approvalId = "a3" }))
  decisions().allow("a3", { optionId = "allow_always" }, cb)
  t.wait("the fourth", function() return #counts == 4 end)
  t.eq(counts, { false, true, true, false })
  t.eq(outcomes(p), {
    { optionId = "allow_once", subjectHash = "h1", feedback = { text = "mind the tabs" } },
    { optionId = "reject_once", subjectHash = "h1" },
    { optionId = "allow_always", subjectHash = "h1" },
  })
  t.eq(decisions().list(), {})
  for _, id in ipairs({ "q1", "q2", "q3" }) do
    p.ask("clined/ask", { askId = id, taskId = "t1", text = "Which?" })
  end
  decisions().answer("q1", { option = "a", text = "yes" })
  decisions().answer("q2", { text = "words" })
  decisions().answer("q3", {})
  t.settle()
  t.eq(vim.tbl_map(function(params) return params.result end, p.sent("clined/ask/respond")), {
    { action = "accept", option = "a", text = "yes" },
    { action = "accept", text = "words" },
    { action = "decline" },
  })
end)

t.test("what was open before is found when a task is opened", function()
  local p = proposals.start(t, { select = false, notify = false })
  local late = p.ask("clined/approval/request", command("old", { approvalId = "a0" }))
  p.answers["clined/approval/list"] = { approvals = { command("ls") }, asks = { { askId = "q1", taskId = "t1", text = "Which?" } } }
  require("clined.events").tell("TaskOpen", { taskId = "t1" })
  t.wait("them", function() return #decisions().list() == 2 end)
  t.ok(late.answered)
  -- Being asked for one that is known ends it when it is decided.
  local asked = p.ask("clined/approval/request", command("ls"))
  t.eq(#decisions().list(), 2)
  decisions().allow("a1")
  t.wait("the end", function() return asked.answered end)
end)

t.test("the words are precise, and nothing in them can act on the screen", function()
  local p = proposals.start(t, { select = false, notify = false })
  p.ask(
    "clined/approval/request",
    command("ls && rm -rf \27[2J x\226\128\174", {
      subject = {
        type = "command",
        command = "ls && rm -rf \27[2J x\226\128\174",
        cwd = "/elsewhere",
        unsandboxed = true,
        interactive = true,
        timeout = 9,
        parts = {
          { command = "ls", verdict = "allow", rule = "read-only" },
          { command = "rm -rf x", verdict = "ask", reason = "it deletes" },
        },
      },
    })
  )
  local words = decisions().words(decisions().get("a1"))
  t.eq(vim.tbl_map(function(w) return { w.kind, w.text, w.verdict, w.why } end, words), {
    { "title", "Run `ls && rm -rf ^[[2J x<202e>`" },
    { "why", "Commands ask first." },
    { "command", "ls && rm -rf ^[[2J x<202e>" },
    { "part", "ls", "allow", "read-only" },
    { "part", "rm -rf x", "ask", "it deletes" },
    { "fact", "in /elsewhere" },
    { "warning", "without the sandbox" },
    { "fact", "with a terminal that you type into" },
    { "fact", "stopped after 9 s" },
  })
  local edit = proposals.approval(p, "/w/a.txt", "a\n", "b\n")
  edit.approvalId = "a2"
  edit.subject.files[1] =
    vim.tbl_extend("force", edit.subject.files[1], { real = "/etc/a.txt", outside = true, protected = "it is a setting" })
  p.ask("clined/approval/request", edit)
  words = decisions().words(decisions().get("a2"))
  t.eq(vim.tbl_map(function(w) return { w.kind, w.text } end, words), {
    { "title", "Edit a.txt" },
    { "file", "/w/a.txt" },
    { "warning", "leads to /etc/a.txt" },
    { "warning", "outside of the workspace" },
    { "warning", "protected: it is a setting" },
    { "diff", edit.subject.files[1].diff },
  })
  p.ask(
    "clined/approval/request",
    command(
      "",
      { approvalId = "a3", title = "Use x", subject = { type = "mcp", server = "s", tool = "x", args = { b = { 1, "\27" }, a = vim.NIL } } }
    )
  )
  words = decisions().words(decisions().get("a3"))
  t.eq(words[#words].text, '{\n  "a": null,\n  "b": [\n    1,\n    "\\u001b"\n  ]\n}')
end)

t.test("while the chat is hidden a picker asks, and dismissing it decides nothing", function()
  local p = proposals.start(t)
  local asked = picker()
  p.ask("clined/approval/request", command("go test"))
  t.wait("the picker", function() return asked[1] end)
  t.eq(asked[1].prompt, "clined: Run `go test`")
  t.eq(asked[1].items, {
    "Allow",
    "Always allow `go test` (go test, in this task)",
    "Always allow all (go test ./..., everywhere)",
    "Refuse",
    "Refuse, with words…",
    "Show it in the chat",
  })
  asked[1].cb(nil)
  t.settle()
  t.eq({ #asked, #decisions().list(), outcomes(p) }, { 1, 1, {} })
  -- What does not fit into a line is not allowed from there.
  p.ask("clined/approval/request", command("a\nb", { approvalId = "a2" }))
  p.ask("clined/ask", { askId = "q1", taskId = "t1", text = "Which?", options = { "left", "right" } })
  t.wait("the second", function() return asked[2] end)
  t.eq(asked[2].items, { "Show it", "Refuse", "Refuse, with words…" })
  t.eq(#asked, 2)
  asked.choose(2, "Refuse")
  t.wait("the third", function() return asked[3] end)
  asked.choose(3, "right")
  t.settle()
  t.eq(outcomes(p), { { optionId = "reject_once", subjectHash = "h1" } })
  t.eq(p.sent("clined/ask/respond")[1].result, { action = "accept", option = "right" })
end)

t.test("what a task asks that was put away is asked though the chat is open", function()
  local p = proposals.start(t)
  local asked = picker()
  local before, shown = package.loaded["clined.chat"], "t1"
  package.loaded["clined.chat"] = { is_visible = function() return true end, open = function() end }
  t.defer(function() package.loaded["clined.chat"] = before end)
  require("clined.task.session").task_id = function() return shown end
  p.ask("clined/approval/request", command("go test"))
  t.settle()
  t.eq(#asked, 0)
  shown = nil
  p.ask("clined/ask", { askId = "q1", taskId = "t1", text = "Which?", options = { "left\n\27[2J", "right" } })
  t.wait("the first", function() return asked[1] end)
  t.eq(asked[1].prompt, "clined: Run `go test`")
  asked.choose(1, "Refuse")
  t.wait("the second", function() return asked[2] end)
  t.eq(asked[2].items, { "left ^[[2J", "right", "Answer in words…", "Show it in the chat" })
end)

t.test("a picker that fails does not keep the next decision from being asked about", function()
  local p = proposals.start(t)
  local asked, failed = picker(), {}
  local works = vim.ui.select
  vim.ui.select = function() error("a picker that fails") end
  require("clined.log").error = function(text) table.insert(failed, text) end
  p.ask("clined/approval/request", command("go test"))
  t.wait("the failure", function() return failed[1] end)
  t.has(failed[1], "a picker that fails")
  vim.ui.select = works
  p.ask("clined/approval/request", command("go vet", { approvalId = "a2" }))
  t.wait("the next", function() return asked[1] end)
  t.eq(asked[1].prompt, "clined: Run `go vet`")
end)

t.test("who types is told, and asked when they pause", function()
  local p = proposals.start(t)
  local asked, busy, said = picker(), true, {}
  require("clined.decisions.idle").busy = function() return busy end
  local notify = vim.notify
  vim.notify = function(text) table.insert(said, text) end
  t.defer(function() vim.notify = notify end)
  p.ask("clined/approval/request", command("go test"))
  t.wait("the sentence", function() return said[1] end)
  t.has(said[1], "Run `go test` waits for you")
  t.eq(#asked, 0)
  busy = false
  t.wait("the picker", function() return asked[1] end)
  t.eq(#said, 1)
end)

t.test("Neovim's own picker would block: a window stands in for it", function()
  local p = proposals.start(t)
  p.ask("clined/approval/request", command("go test"))
  t.wait("the window", function() return vim.api.nvim_win_get_config(0).relative ~= "" end)
  t.has(vim.api.nvim_buf_get_lines(0, 0, -1, false), "1  Allow")
  -- Everything goes on meanwhile.
  p.ask("clined/ask", { askId = "q1", taskId = "t1", text = "Which?", options = { "left" } })
  t.eq(#decisions().list(), 2)
  vim.api.nvim_feedkeys("1", "xt", false)
  t.wait("the answer", function() return #outcomes(p) == 1 end)
  t.eq(outcomes(p)[1].optionId, "allow_once")
  t.wait("the next", function() return vim.api.nvim_win_get_config(0).relative ~= "" end)
  vim.api.nvim_feedkeys("q", "xt", false)
  t.settle()
  t.eq(vim.api.nvim_win_get_config(0).relative, "")
  t.eq(p.sent("clined/ask/respond"), {})
end)

t.test(":Clined allow allows what is seen or fits a line", function()
  local p = proposals.start(t, { select = false, notify = false })
  local shown = {}
  require("clined.decisions.ask").show = function(decision) table.insert(shown, decision.id) end
  local allow = require("clined.decisions.command").allow
  p.ask("clined/approval/request", command("a\nb"))
  allow()
  t.eq({ shown, outcomes(p) }, { { "a1" }, {} })
  require("clined.decisions.command").refuse("rather c")
  t.settle()
  t.eq(outcomes(p), { { optionId = "reject_once", subjectHash = "h1", feedback = { text = "rather c" } } })
  p.ask("clined/approval/request", command("go test", { approvalId = "a2" }))
  allow()
  t.settle()
  t.eq(outcomes(p)[2], { optionId = "allow_once", subjectHash = "h1" })
end)

t.test("a rule is chosen from a list that says it", function()
  local p = proposals.start(t, { select = false, notify = false })
  local asked = picker()
  p.ask("clined/approval/request", command("go test"))
  decisions().allow_always("a1")
  t.eq(asked[1].items, { "Always allow `go test` (go test, in this task)", "Always allow all (go test ./..., everywhere)" })
  asked.choose(1, "Always allow all (go test ./..., everywhere)")
  t.settle()
  t.eq(outcomes(p)[1].optionId, "allow_always_2")
end)

t.test("the window shows all of what is asked, however narrow the screen is", function()
  local p = proposals.start(t)
  local columns = vim.o.columns
  t.defer(function() vim.o.columns = columns end)
  vim.o.columns = 50
  p.ask("clined/approval/request", command("go test ./... && rm -rf build # and some more"))
  t.wait("the window", function() return vim.api.nvim_win_get_config(0).relative ~= "" end)
  t.has(vim.api.nvim_buf_get_lines(0, 0, 1, false), "clined: Run `go test ./... && rm -rf build # and some more`")
  t.eq(vim.api.nvim_get_current_line(), " 1  Allow")
  t.ok(vim.api.nvim_win_get_height(0) > vim.api.nvim_buf_line_count(0))
  vim.api.nvim_feedkeys("gg" .. vim.keycode("<CR>"), "xt", false)
  t.eq(outcomes(p), {})
  vim.api.nvim_feedkeys("jj" .. vim.keycode("<CR>"), "xt", false)
  t.wait("the answer", function() return #outcomes(p) == 1 end)
  t.eq(outcomes(p)[1].optionId, "allow_once")
end)

t.test("a key of the chat does not decide what has just come under it", function()
  local p = proposals.start(t, { select = false, notify = false })
  package.loaded["clined.chat.actions"] = nil
  t.defer(function() package.loaded["clined.chat.actions"] = nil end)
  local actions = require("clined.chat.actions")
  local pause = require("clined.decisions.steady")
  p.ask("clined/approval/request", command("of another task", { approvalId = "a0", taskId = "t0" }))
  pause.pause = 0
  actions.allow() -- nothing is asked in the task that is shown, and the oldest of others stays
  t.eq(outcomes(p), {})
  pause.pause = math.huge
  p.ask("clined/approval/request", command("ls"))
  actions.allow()
  actions.allow_always()
  actions.refuse()
  t.settle()
  t.eq(outcomes(p), {})
  pause.pause = 0
  actions.allow()
  t.wait("the answer", function() return #outcomes(p) == 1 end)
  t.eq(outcomes(p)[1].optionId, "allow_once")
end)

t.test("the window goes when it was decided elsewhere, and a picker that never answers hinders nothing", function()
  local p = proposals.start(t)
  p.ask("clined/approval/request", command("go test"))
  t.wait("the window", function() return vim.api.nvim_win_get_config(0).relative ~= "" end)
  p.tell("clined/approval/resolved", { approvalId = "a1", taskId = "t1", outcome = "cancelled" })
  t.wait("it to go", function() return vim.api.nvim_win_get_config(0).relative == "" end)
  t.eq(outcomes(p), {})
  local asked = picker() -- it is closed without a word
  p.ask("clined/approval/request", command("ls", { approvalId = "a2" }))
  t.wait("the picker", function() return #asked == 1 end)
  p.tell("clined/approval/resolved", { approvalId = "a2", taskId = "t1", outcome = "cancelled" })
  p.ask("clined/approval/request", command("ls -l", { approvalId = "a3" }))
  t.wait("the next", function() return #asked == 2 end)
end)
