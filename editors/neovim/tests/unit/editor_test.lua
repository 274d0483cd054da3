-- What the daemon is told of the editor.
local t = require("tests.harness")

local sent, pull = {}, nil
local state = { kind = "running" }
package.loaded["clined.daemon"] = {
  state = function() return state end,
  notify = function(method, params) table.insert(sent, { method = method, params = params }) end,
  handle = function(method, handler)
    t.eq(method, "clined/diagnostics/pull")
    pull = handler
  end,
}
local editor = require("clined.editor")
local events = require("clined.events")
editor.attach()

local function file(name, text)
  local path = vim.fs.joinpath(t.root, name)
  t.write(path, text)
  return path, vim.uri_from_fname(path)
end

local function told(method)
  return vim.iter(sent):filter(function(m) return m.method == method end):map(function(m) return m.params end):totable()
end

-- The state that was told last, after waiting for one that fits.
local function see(what, fits)
  local found
  t.wait(what, function()
    local states = told("clined/editor/didChangeState")
    found = states[#states]
    return found and fits(found)
  end)
  return found
end

local function fresh()
  vim.cmd("silent! tabonly! | silent! only! | silent! %bwipeout!")
  vim.diagnostic.reset()
  sent = {}
end

local function uris(list)
  return vim.tbl_map(function(x) return x.uri end, list)
end

t.test("windows are what is visible, listed buffers are tabs, the file in the current window is active", function()
  fresh()
  local a, a_uri = file("a.txt", "1\n2\n3\n")
  local b, b_uri = file("b.txt", "x\n")
  local c, c_uri = file("c.txt", "y\n")
  vim.cmd.edit(c)
  vim.cmd.edit(a)
  vim.cmd.split(b)
  local now = see("both files", function(s) return #s.visible == 2 and #s.tabs == 3 end)
  t.eq(now.active, { uri = b_uri })
  t.eq(uris(now.visible), { b_uri, a_uri })
  t.eq(now.visible[2].ranges, { { start = { line = 0, character = 0 }, ["end"] = { line = 3, character = 0 } } })
  local tabs = uris(now.tabs)
  table.sort(tabs)
  t.eq(tabs, { a_uri, b_uri, c_uri })
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "changed" })
  vim.api.nvim_exec_autocmds("BufModifiedSet", {}) -- which the main loop of an editor fires, and no script
  see("that it is unsaved", function(s)
    return vim.iter(s.tabs):any(function(tab) return tab.uri == b_uri and tab.dirty == true end)
  end)
end)

t.test("what is selected is told while it is", function()
  fresh()
  local a, a_uri = file("a.txt", "1\n2\n3\n")
  vim.cmd.edit(a)
  vim.cmd("normal! ggVj")
  local now = see("the selection", function(s) return s.active and s.active.selections end)
  t.eq(now.active, { uri = a_uri, selections = { { start = { line = 0, character = 0 }, ["end"] = { line = 2, character = 0 } } } })
  vim.cmd("normal! \27")
  see("no selection", function(s) return s.active and not s.active.selections end)
end)

t.test("behind a plugin's buffer and a proposal lies what the user had", function()
  fresh()
  local a, a_uri = file("a.txt", "1\n")
  vim.cmd.edit(a)
  vim.cmd("botright vnew clined://chat | setlocal buftype=nofile")
  see("the file", function(s) return vim.deep_equal(s.active, { uri = a_uri }) and #s.visible == 1 and #s.tabs == 1 end)
  vim.cmd("tabnew clined://proposal/1/a.txt | setlocal buftype=acwrite")
  vim.cmd("vsplit | enew | setlocal buftype=nofile")
  editor.flush()
  local now = see("the file still", function(s) return #s.visible == 1 end)
  t.eq(uris(now.visible), { a_uri })
end)

t.test("the same state is told once, and a new process is told all anew", function()
  fresh()
  vim.cmd.edit((file("once.txt", "1\n")))
  see("the file", function(s) return #s.visible == 1 end)
  local before = #sent
  vim.api.nvim_exec_autocmds("WinEnter", {})
  editor.flush()
  t.eq(#sent, before)
  state = { kind = "stopped" }
  vim.api.nvim_exec_autocmds("WinEnter", {})
  editor.flush()
  t.eq(#sent, before)
  state = { kind = "running" }
  events.tell("DaemonState", state)
  t.eq(#sent, before + 1)
end)

t.test("a terminal is told with what it shows and what runs in it", function()
  fresh()
  vim.cmd("terminal sh -c 'echo hello; exec cat'")
  local job = vim.b.terminal_job_id
  local now = see("what it shows", function(s) return #s.terminals == 1 and s.terminals[1].output == "hello" end)
  t.eq(now.terminals[1].cwd, vim.uv.cwd())
  vim.fn.chansend(job, "more\n")
  see("more", function(s) return (s.terminals[1].output or ""):find("more", 1, true) end)
  vim.fn.jobstop(job)
  see("its end", function(s) return #s.terminals == 0 or not s.terminals[1].busy end)
end)

t.test("problems of all sources go by document; of too many the worst", function()
  fresh()
  local a, a_uri = file("a.txt", ("x\n"):rep(1200))
  vim.cmd.edit(a)
  local buf, ns = vim.api.nvim_get_current_buf(), vim.api.nvim_create_namespace("linter")
  local list = {}
  for i = 1, 1100 do
    list[i] = { lnum = i, col = 0, message = "hint", severity = 4, source = "one" }
  end
  list[1101] = { lnum = 5, col = 1, message = ("é"):rep(3000), severity = 1, source = "two" }
  vim.diagnostic.set(ns, buf, list)
  t.wait("the problems", function() return #told("clined/editor/didChangeDiagnostics") > 0 end)
  local params = told("clined/editor/didChangeDiagnostics")[1]
  t.eq(params.uri, a_uri)
  t.eq(#params.diagnostics, 1000)
  local worst = params.diagnostics[1]
  t.eq({ worst.severity, worst.source, worst.range.start.line }, { 1, "two", 5 })
  t.ok(#worst.message <= 2010 and vim.str_utfindex(worst.message) > 0)
end)

t.test("a pull waits for what comes after the change, and not for what nothing checks", function()
  fresh()
  local a, a_uri = file("a.xyz", "x\n")
  local b, b_uri = file("b.nothing", "x\n")
  vim.cmd.edit(b)
  vim.cmd.edit(a)
  local buf, ns = vim.api.nvim_get_current_buf(), vim.api.nvim_create_namespace("linter")
  vim.diagnostic.set(ns, buf, { { lnum = 0, col = 0, message = "old", severity = 1 } })
  local answer
  pull({ uris = { a_uri, b_uri, "file:///nowhere", "what is this" }, settleMs = 0 }, function(r) answer = r end)
  t.eq(#answer.items, 1)
  t.eq({ answer.items[1].uri, answer.items[1].diagnostics[1].message }, { a_uri, "old" })
  answer = nil
  pull({ uris = { a_uri, b_uri }, settleMs = t.limit }, function(r) answer = r end)
  t.eq(answer, nil)
  vim.diagnostic.set(ns, buf, { { lnum = 0, col = 0, message = "new", severity = 1 } })
  t.wait("the answer", function() return answer ~= nil end)
  t.eq(answer.items[1].diagnostics[1].message, "new")
  -- Nothing comes: it is answered in the end, with what is known.
  pull({ uris = { a_uri }, settleMs = 0 }, function() end)
  answer = nil
  pull({ uris = { a_uri }, settleMs = 50 }, function(r) answer = r end)
  t.wait("an answer all the same", function() return answer ~= nil end)
  -- The daemon takes it back.
  answer = nil
  pull({ uris = { a_uri }, settleMs = t.limit }, function(r) answer = r end)()
  t.ok(answer)
end)
