local t = require("tests.harness")
local told = require("tests.harness.told")
local api = vim.api

vim.o.columns, vim.o.lines = 160, 50
local chat = require("clined.chat")
local session = require("clined.task.session")
local view = require("clined.chat.view")

local function buf() return vim.fn.bufnr("clined://chat") end

local function window() return vim.fn.win_findbuf(buf())[1] end

local function lines() return api.nvim_buf_get_lines(buf(), 0, -1, false) end

local function shown() return table.concat(lines(), "\n") end

-- What is drawn, with marks and folds.
local function drawing()
  local marks, folds = {}, {}
  for _, m in ipairs(api.nvim_buf_get_extmarks(buf(), api.nvim_create_namespace("clined.chat"), 0, -1, { details = true })) do
    table.insert(marks, { m[2], m[3], m[4].end_row or false, m[4].end_col or false, m[4].hl_group or m[4].line_hl_group })
  end
  table.sort(marks, function(a, b) return vim.inspect(a) < vim.inspect(b) end)
  api.nvim_win_call(window(), function()
    for lnum = 1, api.nvim_buf_line_count(buf()) do
      folds[lnum] = vim.fn.foldclosed(lnum)
    end
  end)
  return { lines = lines(), marks = marks, folds = folds }
end

-- The same drawn anew.
local function anew()
  view.transcript().tick = -1
  view.flush()
  return drawing()
end

local function begin(events, more)
  session.put_away()
  chat.open({ enter = false })
  told.open(events, more)
  view.flush()
  view.to_end()
end

t.test("a task is drawn from top to bottom", function()
  begin({
    told.said("u1", "Raise the price."),
    told.message(
      "m1",
      "",
      { content = { { type = "thought", text = "First look.\nThen think." }, { type = "text", text = "I **look**." } } }
    ),
    told.call("c1"),
    told.call("c2", {
      name = "execute_command",
      kind = "command",
      args = '{"command":"make"}',
      output = "The command failed with exit code 2.\nOutput:\nno rule\n",
      status = "failed",
    }),
    told.message("m2", "Done: `a.go:3`.\n\n```lua\nlocal x"),
    { type = "notice", severity = "warning", text = "the context is nearly full", hint = "begin a new task" },
  })
  t.eq(lines(), {
    "Raise the price.",
    "",
    "◇ Thought",
    "  First look.",
    "  Then think.",
    "",
    "I **look**.",
    "",
    "✓ Read a.go  3 lines",
    "  a.go, 3 lines",
    "  1 | x",
    "  2 | y",
    "  3 | z",
    "✗ Run make  exit 2",
    "  no rule",
    "  The command failed with exit code 2.",
    "",
    "Done: `a.go:3`.",
    "",
    "```lua",
    "local x",
    "",
    "! The context is nearly full",
    "  Begin a new task",
  })
  local folds = drawing().folds
  t.eq({ folds[2], folds[3], folds[5], folds[7], folds[9], folds[13], folds[14], folds[17] }, { -1, 3, 3, -1, 9, 9, 14, -1 })
end)

t.test("text grows at its end, and what stands above is not touched", function()
  begin({ told.said("u1", "Go on."), told.message("m1", "Before.") })
  told.event({ type = "state", state = "running" })
  view.flush()
  local touched = {}
  api.nvim_buf_attach(buf(), false, {
    on_lines = function(_, _, _, first) table.insert(touched, first) end,
  })
  local first = api.nvim_buf_line_count(buf())
  for _, piece in ipairs({ "One", " and\n", "two\n\n- a", "\n- b", " `c`", "\n" }) do
    told.event({ type = "messageDelta", messageId = "m2", partIndex = 0, kind = "text", text = piece })
    view.flush()
  end
  t.has(shown(), "Before.\n\nOne and\ntwo\n\n- a\n- b `c`\n\n\n● Writing")
  for _, row in ipairs(touched) do
    t.ok(row >= first - 2, "row " .. row)
  end
  t.eq(drawing(), anew())
end)

t.test("what a message of the user's waits for is told at the end", function()
  begin({ told.said("u1", "First.") })
  told.event({ type = "state", state = "running" })
  told.event(told.said("u2", "Then this.", { status = "pending" }), "turn2")
  told.event(told.said("u3", "And mind that.", { status = "pending" }), "turn1")
  told.event(told.message("m1", "Working on it."))
  view.flush()
  t.has(
    shown(),
    "Working on it.\n\nSaid at the next step\nAnd mind that.\n\nSaid when the turn ends  [x] on it takes it back\nThen this.\n"
  )
  told.event({ type = "state", state = "idle", stopReason = "completed" })
  told.event(told.said("u3", "And mind that."))
  told.event(told.said("u2", "Then this."), "turn2")
  view.flush()
  t.eq(lines(), { "First.", "", "Working on it.", "", "And mind that.", "", "Then this." })
end)

t.test("what stops a task is told with what helps", function()
  begin({ told.said("u1", "Go.") })
  for reason, words in pairs({
    interrupted = "Interrupted, nothing is lost  [gr] goes on",
    cancelled = "Stopped  [gr] goes on",
    needs_user = "[gr] asks again",
    plan_presented = ":Clined act",
  }) do
    told.event({ type = "state", state = "idle", stopReason = reason })
    view.flush()
    t.has(shown(), words)
  end
  told.event({
    type = "state",
    state = "idle",
    stopReason = "error",
    error = { code = "auth", message = "the key is wrong", hint = "set another" },
  })
  view.flush()
  t.has(shown(), "✗ The key is wrong\n  Set another\n  [gr] tries again  :Clined setup")
  told.event({ type = "state", state = "running", waiting = { reason = "the server is busy", delayMs = 4000, attempt = 2, max = 3 } })
  view.flush()
  t.has(shown(), "The server is busy\n  Tries again in 4 s (try 2 of 3)")
end)

t.test("hostile text stays within its lines", function()
  begin({
    told.said("u1", "a\27[2Jb\0c"),
    told.message("m1", "x\u{202e}y\r\nz\u{7}" .. ("long"):rep(5000)),
    told.call(
      "c1",
      { title = "Read\n../../x\27]0;t\7", name = "odd\n", args = '{"a":"b\\u0000\\u202e"}', output = "\27[31mred\27[0m\rover\nnul\0" }
    ),
    { type = "notice", severity = "error", text = "no\nline\u{2028}end", hint = "%#Error#%{system('x')}" },
  })
  local text = shown()
  t.has(text, "a^[[2Jb^@c")
  t.has(text, "x<202e>y\nz^G")
  t.has(text, "bytes more]")
  t.has(text, "No line<2028>end\n  %#Error#")
  t.ok(not text:find("[%z\1-\9\11-\31\127]"), "control characters")
  t.eq(drawing(), anew())
end)

t.test("the cursor's line stays unless it is the last one", function()
  local events = {}
  for i = 1, 60 do
    table.insert(events, told.message("m" .. i, "Paragraph " .. i))
  end
  begin(events)
  local win = window()
  t.eq(api.nvim_win_get_cursor(win)[1], api.nvim_buf_line_count(buf()))
  told.event(told.message("m61", "Paragraph 61\nwith\nthree lines"))
  view.flush()
  t.eq(api.nvim_win_get_cursor(win)[1], api.nvim_buf_line_count(buf()))
  api.nvim_win_set_cursor(win, { 11, 0 })
  local before = api.nvim_win_call(win, vim.fn.winsaveview)
  told.event(told.message("m62", "Paragraph 62"))
  told.event(told.call("c9"))
  view.flush()
  t.eq(api.nvim_win_call(win, vim.fn.winsaveview), before)
end)

t.test("a fold that is open stays open when its call is told again", function()
  begin({ told.call("c1"), told.call("c2") })
  api.nvim_win_call(window(), function() vim.cmd("1foldopen") end)
  told.event(told.call("c1", { output = "a.go, 2 lines\n1 | x\n2 | y" }))
  view.flush()
  local folds = drawing().folds
  t.eq({ folds[1], folds[4], folds[5], folds[9] }, { -1, -1, 5, 5 })
end)

t.test("older items come in front, and the window looks where it did", function()
  local events = {}
  for i = 1, 40 do
    table.insert(events, told.message("m" .. i, "Paragraph " .. i))
  end
  begin(events, { more = true, before = 7 })
  t.has(lines()[1], "what was before")
  told.answers["clined/task/read"] = function(params)
    t.eq(params.before, 7)
    local before = {}
    for i = 1, 30 do
      table.insert(
        before,
        { taskId = "t1", seq = i, ts = "", event = i % 2 == 0 and told.call("o" .. i) or told.message("o" .. i, "Old " .. i) }
      )
    end
    return { task = {}, events = before, more = false }
  end
  local win = window()
  api.nvim_win_set_cursor(win, { 12, 0 })
  local line = api.nvim_buf_get_lines(buf(), 11, 12, false)[1]
  view.older()
  view.flush()
  t.eq(lines()[1], "Old 1")
  local row = api.nvim_win_get_cursor(win)[1]
  t.eq(api.nvim_buf_get_lines(buf(), row - 1, row, false)[1], line)
  t.eq(drawing(), anew())
end)

t.test("a buffer that somebody wrote into is drawn anew", function()
  begin({ told.said("u1", "One."), told.message("m1", "Two.") })
  vim.bo[buf()].modifiable = true
  api.nvim_buf_set_lines(buf(), 0, 1, false, { "mine", "all mine" })
  told.event(told.message("m2", "Three."))
  view.flush()
  t.eq(lines(), { "One.", "", "Two.", "", "Three." })
  t.eq(vim.bo[buf()].modifiable, false)
end)

-- Whatever happens, what is drawn step by step is what would be drawn at once.
t.test("any course of events is drawn as at once", function()
  for seed = 1, 40 do
    math.randomseed(seed)
    begin({ told.said("u0", "Begin.") })
    local ids, n = { "u0" }, 0
    local function fresh(prefix)
      n = n + 1
      local id = prefix .. seed .. "_" .. n
      table.insert(ids, id)
      return id
    end
    local words = { "word ", "two\n", "\n\n", "`code` ", "```\n", "x\27y", "é世" }
    local function some() return words[math.random(#words)] end
    local streaming, calls = nil, {}
    local steps = {
      function()
        told.event(
          told.said(fresh("u"), "Say " .. some(), { status = math.random(2) == 1 and "pending" or "completed" }),
          "turn" .. math.random(2)
        )
      end,
      function()
        streaming = streaming or fresh("m")
        local kind = math.random(4) == 1 and "thought" or "text"
        told.event({ type = "messageDelta", messageId = streaming, partIndex = kind == "thought" and 0 or 1, kind = kind, text = some() })
      end,
      function()
        if streaming then
          told.event(told.message(streaming, "Whole " .. some(), { status = ({ "completed", "discarded", "cancelled" })[math.random(3)] }))
        end
        streaming = nil
      end,
      function()
        local id = fresh("c")
        calls[#calls + 1] = id
        told.event(told.call(id, { status = "in_progress", kind = "command", name = "execute_command", output = "" }))
      end,
      function()
        if #calls > 0 then told.event({ type = "toolCallDelta", toolCallId = calls[math.random(#calls)], output = some() }) end
      end,
      function()
        if #calls > 0 then
          told.event(
            told.call(table.remove(calls, math.random(#calls)), { status = ({ "completed", "failed", "denied" })[math.random(3)] })
          )
        end
      end,
      function() told.event({ type = "notice", severity = "info", text = some() }) end,
      function() told.event({ type = "plan", entries = { { text = some(), done = true }, { text = some(), done = math.random(2) == 1 } } }) end,
      function() told.event({ type = "state", state = math.random(2) == 1 and "running" or "idle", stopReason = "cancelled" }, "turn1") end,
      function()
        if math.random(6) == 1 then told.event({ type = "rewind", messageId = ids[math.random(#ids)] }) end
      end,
    }
    for step = 1, 120 do
      steps[math.random(#steps)]()
      if math.random(3) == 1 then view.flush() end
      if step % 20 == 0 then
        view.flush()
        local now, all = drawing(), anew()
        for _, part in ipairs({ "lines", "folds", "marks" }) do
          for i = 1, math.max(#now[part], #all[part]) do
            local around = vim.inspect(vim.list_slice(all[part], math.max(1, i - 3), i + 3))
            t.eq(now[part][i], all[part][i], ("seed %d, step %d, %s %d, of %s"):format(seed, step, part, i, around))
          end
        end
      end
    end
  end
end)

t.test("nothing is drawn while no window shows it, and all of it when one does", function()
  begin({ told.said("u1", "One.") })
  chat.close()
  local tick = api.nvim_buf_get_changedtick(buf())
  told.event(told.message("m1", "Two."))
  t.settle()
  view.flush()
  t.eq(api.nvim_buf_get_changedtick(buf()), tick)
  chat.open({ enter = false })
  t.eq(lines(), { "One.", "", "Two." })
end)

t.test("updates are drawn by themselves", function()
  begin({ told.said("u1", "One.") })
  told.event(told.message("m1", "Two."))
  t.wait("the drawing", function() return shown():find("Two.", 1, true) end)
end)

t.test("what was said to the turn that runs is not taken back by ending the turn", function()
  begin({ told.said("u1", "One.") })
  told.event({ type = "state", state = "running" })
  told.event(told.said("u2", "And mind that.", { status = "pending" }), "turn1")
  told.event(told.said("u3", "Then this.", { status = "pending" }), "turn2")
  view.flush()
  local function taken_back(words)
    told.asked = {}
    api.nvim_set_current_win(window())
    vim.fn.search(words)
    require("clined.chat.actions").take_back()
    return vim.tbl_map(function(asked) return { asked.method, asked.params.turnId } end, told.asked)
  end
  t.eq(taken_back("And mind that"), {})
  t.eq(taken_back("Then this"), { { "clined/task/cancel", "turn2" } })
end)

t.test("the keys decide nothing that another task asks", function()
  begin({ told.said("u1", "One.") })
  local before = package.loaded["clined.decisions"]
  local allowed = {}
  package.loaded["clined.decisions"] = {
    list = function() return { { kind = "approval", id = "a1", taskId = "t2", params = {} } } end,
    allow = function(id) table.insert(allowed, id) end,
  }
  t.defer(function() package.loaded["clined.decisions"] = before end)
  local allow = require("clined.chat.actions").allow
  allow()
  session.put_away()
  allow()
  t.eq(allowed, {})
end)
