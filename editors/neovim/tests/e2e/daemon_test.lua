local t = require("tests.harness")

-- A program that is no daemon, as a shell script.
local function program(text)
  local path = t.folder() .. "/clined"
  t.write(path, "#!/bin/sh\n" .. text)
  vim.uv.fs_chmod(path, tonumber("755", 8))
  return path
end

local function daemon() return require("clined.daemon") end

---@return clined.Error? err, any result
local function ask(method, params)
  local answer
  daemon().request(method, params or {}, function(err, result) answer = { err, result } end)
  t.wait("the answer to " .. method, function() return answer end)
  return answer[1], answer[2]
end

local function stop()
  local stopped
  daemon().stop(function() stopped = true end)
  t.wait("its end", function() return stopped end)
end

-- States that were told, as "kind".
local function states()
  local list = {}
  t.defer(require("clined.events").on("DaemonState", function(state) table.insert(list, state.kind) end))
  return list
end

-- Processes of this test that were started by this Neovim.
local function children(pid) return vim.api.nvim_get_proc_children(pid or vim.fn.getpid()) end

t.test("it starts with the first request, is asked, and ends", function()
  t.here()
  local told = states()
  t.eq(daemon().state(), { kind = "stopped" })
  t.eq(#children(), 0)
  local err, result = ask("clined/config/get")
  t.eq(err, nil)
  t.ok(#result.options > 0)
  t.eq(daemon().state().kind, "running")
  t.ok(vim.list_contains(daemon().state().methods, "clined/task/new"))
  t.eq(#children(), 1)
  stop()
  t.eq(daemon().state(), { kind = "stopped" })
  t.eq(#children(), 0)
  t.eq(told, { "starting", "running", "stopped" })
end)

t.test("requests while it starts wait for the one process, and their order stays", function()
  t.here()
  local order = {}
  for i = 1, 5 do
    daemon().request("clined/config/get", {}, function(err) table.insert(order, err and "failed" or i) end)
  end
  t.wait("all answers", function() return #order == 5 end)
  t.eq(order, { 1, 2, 3, 4, 5 })
  t.eq(#children(), 1)
end)

t.test("an error of the daemon comes as it is", function()
  t.here()
  local err = ask("clined/task/attach", { taskId = "none" })
  t.eq(err.code, 1001)
  t.eq(ask("clined/nosuch").code, -32601)
end)

t.test("what a new process is told before anybody else asks", function()
  t.here()
  local order = {}
  daemon().on_running(function(request, done)
    request("clined/setup/status", {}, function()
      table.insert(order, "hook")
      done()
    end)
  end)
  daemon().on_running(function() error("a hook that fails") end)
  ask("clined/config/get")
  table.insert(order, "asked")
  t.eq(order, { "hook", "asked" })
end)

t.test("settings of vim.g.clined hold, and later ones too", function()
  local place = t.here()
  local function model()
    local _, result = ask("clined/setup/status")
    return result.model
  end
  local settings = vim.tbl_extend("force", place.options.settings or {}, { model = "one" })
  vim.g.clined = vim.tbl_extend("force", place.options, { settings = settings })
  t.eq(model(), "one")
  settings.model = "two"
  vim.g.clined = vim.tbl_extend("force", place.options, { settings = settings })
  require("clined").reload()
  t.eq(model(), "two")
end)

t.test("a program that is missing is told, and started once it is there", function()
  local place = t.here()
  vim.g.clined = { bin = place.work .. "/none" }
  local err = ask("clined/config/get")
  t.has(err.message, "is not there")
  t.has(err.data.hint, ":Clined restart")
  t.eq(daemon().state().kind, "failed")
  t.eq(ask("clined/config/get").message, err.message)
  vim.g.clined = place.options
  local problem = "none yet"
  daemon().restart(function(why) problem = why end)
  t.wait("the restart", function() return problem ~= "none yet" end)
  t.eq(problem, nil)
  t.eq((ask("clined/config/get")), nil)
end)

local others = {
  ["prints something else"] = { "echo Welcome; cat >/dev/null", 'is no clined: it printed "Welcome"' },
  ["prints something else without a line end"] = { "printf Welcome; cat >/dev/null", 'printed "Welcome"' },
  ["ends at once"] = { "echo no such option --stdio >&2; exit 3", "exit code 3; it said: no such option --stdio" },
  ["ends by a signal"] = { "kill -9 $$", "ended by signal 9" },
  ["closes its output"] = { "exec >&-; cat >/dev/null", "could not be started" },
  ["speaks a newer protocol"] = {
    [[read x; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"protocol":{"min":2,"max":3}}}}'; cat >/dev/null]],
    "speaks versions 2 to 3, this plugin version 1",
    "update the plugin",
  },
  ["speaks an older protocol"] = {
    [[read x; echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"experimental":{"clined":{"protocol":0,"version":"0"}}}}}'; cat >/dev/null]],
    "speaks version 0",
    "update clined",
  },
  ["is another language server"] = {
    [[read x; echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'; cat >/dev/null]],
    "no version of the protocol",
    "update clined",
  },
  ["refuses"] = {
    [[read x; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the state is locked","data":{"hint":"free it"}}}'; cat >/dev/null]],
    "the state is locked",
    "free it",
  },
}

for name, case in pairs(others) do
  t.test("a program that " .. name .. " is told in words, and no process is left", function()
    t.here()
    vim.g.clined = { bin = program(case[1]) }
    local told = states()
    local err = ask("clined/config/get")
    t.has(err.message, case[2])
    t.has(err.data.hint, case[3] or "vim.g.clined.bin")
    t.eq(told, { "starting", "failed" })
    t.eq(#children(), 0)
  end)
end

t.test("a program that is for no machine is told", function()
  t.here()
  local path = t.folder() .. "/clined"
  t.write(path, "\127ELF this is none")
  vim.uv.fs_chmod(path, tonumber("755", 8))
  vim.g.clined = { bin = path }
  t.has(ask("clined/config/get").message, "is no program for this machine")
  t.write(path, "#!/nowhere/interpreter\n")
  require("clined").reload()
  t.has(ask("clined/config/get").message, "built for another system")
end)

t.test("a working directory that is gone is told", function()
  t.here()
  local dir = t.folder()
  vim.cmd("cd " .. dir)
  vim.fn.delete(dir, "rf")
  t.has(ask("clined/config/get").message, "is gone")
end)

t.test("much that it prints is in the log, its end in words", function()
  t.here()
  vim.g.clined = { bin = program("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; exit 4") }
  t.has(ask("clined/config/get").message, "exit code 4; it said: line 2999")
  t.settle()
  t.has(t.read(require("clined.log").path()), "line 1\n")
end)

t.test("one that dies later is told, is not started again by itself, and restarted by the user", function()
  t.here()
  local told = states()
  ask("clined/config/get")
  local heard = {}
  vim.notify = function(text) table.insert(heard, text) end
  vim.uv.kill(children()[1], "sigkill")
  t.wait("that it failed", function() return daemon().state().kind == "failed" end)
  local err = ask("clined/config/get")
  t.has(err.message, "does not run any more: it was ended by signal 9")
  t.has(err.data.hint, ":Clined restart")
  t.settle()
  t.eq(#heard, 1)
  t.eq(#children(), 0)
  t.eq(told, { "starting", "running", "failed" })
  local done
  daemon().restart(function(why) done = { why } end)
  t.wait("the restart", function() return done end)
  t.eq(done, {})
  t.eq((ask("clined/config/get")), nil)
end)

t.test("who waits for an answer when it dies hears why", function()
  t.here()
  ask("clined/config/get")
  local err
  daemon().request("clined/setup/discover", {}, function(e) err = e or "answered" end)
  vim.uv.kill(children()[1], "sigkill")
  t.wait("the answer", function() return err end)
  if err ~= "answered" then t.has(err.message, "does not run any more") end
end)

t.test("one that never answers is told", function()
  t.here()
  vim.g.clined = { bin = program("cat >/dev/null") }
  require("clined.daemon.session").limits.handshake = 50
  t.has(ask("clined/config/get").message, "does not answer")
  t.eq(#children(), 0)
end)

t.test("a stop in the middle of a start ends in none, and who waited hears it", function()
  t.here()
  local heard
  daemon().ready(function(why) heard = why end)
  stop()
  t.has(heard.message, "was stopped")
  t.settle()
  t.eq(daemon().state(), { kind = "stopped" })
  t.eq(#children(), 0)
end)

t.test("what is asked while it ends is for the next one", function()
  t.here()
  ask("clined/config/get")
  local first = children()[1]
  daemon().stop()
  t.eq((ask("clined/config/get")), nil)
  t.ok(children()[1] ~= first)
  t.eq(#children(), 1)
end)

t.test("a restart in the middle of a start ends in one process", function()
  t.here()
  local done = 0
  daemon().ready(function(why)
    t.eq(why, nil)
    done = done + 1
  end)
  daemon().restart(function(why)
    t.eq(why, nil)
    done = done + 1
  end)
  daemon().restart(function() done = done + 1 end)
  t.wait("all of it", function() return done == 3 end)
  t.eq(daemon().state().kind, "running")
  t.eq(#children(), 1)
end)

-- A daemon that answers nothing but `initialize`, and does not end.
local stubborn = [[read x
echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"experimental":{"clined":{"protocol":1,"version":"0","methods":[]}}}}}'
trap '' TERM
while :; do sleep 1; done]]

-- Waits for the end of the turn that is begun here.
local function turn(prompt)
  local reason
  daemon().on("clined/task/event", function(params)
    if params.event.type == "state" and params.event.state == "idle" then reason = params.event.stopReason end
  end)
  local _, task = ask("clined/task/new", { prompt = { { type = "text", text = prompt } } })
  return function()
    return t.wait("the end of the turn", function() return reason end)
  end, task.taskId
end

local asks = 'reply\n  call execute_command {"command":"touch made.txt"}\nreply\n  call attempt_completion {"result":"done"}\n'

t.test("a request of the daemon is answered later, and only the answer counts", function()
  local place = t.here({ script = asks })
  ask("clined/config/get") -- behind the plugin's own parts
  local open
  daemon().handle("clined/approval/request", function(params, reply) open = { params, reply } end)
  local ended = turn("go")
  t.wait("the approval", function() return open end)
  t.eq(vim.uv.fs_stat(place.work .. "/made.txt"), nil)
  t.eq((ask("clined/config/get")), nil) -- all else goes on meanwhile
  open[2]({ optionId = "allow_once" })
  t.eq(ended(), "completed")
  t.ok(vim.uv.fs_stat(place.work .. "/made.txt"))
end)

t.test("a request that the daemon withdraws is told, and a late answer changes nothing", function()
  local place = t.here({ script = 'reply\n  call execute_command {"command":"touch made.txt"}\n' })
  ask("clined/config/get") -- behind the plugin's own parts
  local open, withdrawn
  daemon().handle("clined/approval/request", function(params, reply)
    open = { params, reply }
    return function() withdrawn = true end
  end)
  local ended, task = turn("go")
  t.wait("the approval", function() return open end)
  ask("clined/task/cancel", { taskId = task })
  t.wait("the withdrawal", function() return withdrawn end)
  t.eq(ended(), "cancelled")
  open[2]({ optionId = "allow_once" })
  t.eq((ask("clined/config/get")), nil)
  t.eq(vim.uv.fs_stat(place.work .. "/made.txt"), nil)
end)

t.test("what was changed is told before what is asked behind it", function()
  local place = t.here({ files = { ["a.txt"] = "saved\n" } })
  local heard = t.folder() .. "/heard"
  vim.g.clined = { bin = program(stubborn:match("^[^\n]*\n[^\n]*\n") .. "cat >" .. heard) }
  vim.cmd("edit " .. place.work .. "/a.txt")
  daemon().ready(function() end)
  t.wait("it to run", function() return daemon().state().kind == "running" end)
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "unsaved" })
  daemon().request("clined/task/new", {}, function() end)
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "again" })
  daemon().notify("clined/diff/didClose", { diffId = "none" })
  local methods = t.wait("all that was said", function()
    local list, there, text = {}, pcall(t.read, heard)
    for method in (there and text or ""):gmatch('"method":"([^"]*)"') do
      table.insert(list, (method:gsub("\\", "")))
    end
    return list[#list] == "clined/diff/didClose" and list
  end)
  t.eq(
    vim.list_slice(methods, #methods - 3),
    { "textDocument/didChange", "clined/task/new", "textDocument/didChange", "clined/diff/didClose" }
  )
end)

t.test("unsaved text is what the model reads", function()
  t.here({
    files = { ["a.txt"] = "saved\n" },
    script = 'reply\n  call read_file {"path":"a.txt"}\nreply\n  expect-last contains unsaved\n  call attempt_completion {"result":"done"}\n',
  })
  vim.cmd("edit a.txt")
  ask("clined/config/get")
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "unsaved" })
  t.eq(turn("go")(), "completed")
end)

t.test("the folder is the working directory, and another one is told", function()
  local place = t.here()
  local function folder()
    local err, task = ask("clined/task/new", { prompt = { { type = "text", text = "go" } } }) -- there is no model
    t.eq(err, nil)
    local _, attached = ask("clined/task/attach", { taskId = task.taskId })
    return attached.task.cwd
  end
  local real = assert(vim.uv.fs_realpath(place.work))
  t.eq(vim.uv.fs_realpath(folder()), real)
  vim.fn.mkdir(real .. "/one")
  vim.fn.mkdir(real .. "/two")
  vim.cmd("cd one")
  t.eq(vim.uv.fs_realpath(folder()), real .. "/one")
  vim.cmd("tabnew | tcd ../two")
  t.eq(vim.uv.fs_realpath(folder()), real .. "/two")
  vim.cmd("lcd ..")
  t.eq(vim.uv.fs_realpath(folder()), real .. "/two")
  vim.cmd("tabclose")
  t.eq(vim.uv.fs_realpath(folder()), real .. "/one")
  vim.fn.mkdir(real .. "/two/.git")
  t.write(real .. "/two/sub/a.txt", "one\n")
  vim.o.autochdir = true
  vim.cmd("edit " .. real .. "/two/sub/a.txt")
  t.eq(vim.uv.fs_realpath(folder()), real .. "/two")
end)

local running = [[
  local done
  require("clined.daemon").request("clined/config/get", {}, function() done = true end)
  vim.wait(20000, function() return done end, 5)
  return vim.api.nvim_get_proc_children(vim.fn.getpid())
]]

local function gone(pid) return vim.uv.kill(pid, 0) ~= 0 end

t.test("it ends with Neovim, and leaves nothing", function()
  local nvim = t.child()
  local pid = nvim:lua(running)[1]
  nvim:stop()
  t.wait("the end of the daemon", function() return gone(pid) end)
end)

t.test("a daemon that does not end when it is stopped is ended by force", function()
  t.here()
  vim.g.clined = { bin = program(stubborn) }
  daemon().ready(function() end)
  t.wait("it to run", function() return daemon().state().kind == "running" end)
  local pid = children()[1]
  stop()
  t.ok(vim.uv.kill(pid, 0) ~= 0)
end)

t.test("a daemon that does not end with Neovim is ended by force", function()
  local script = program(stubborn)
  local nvim = t.child({ options = { bin = script } })
  local pid = nvim:lua([[
    require("clined.daemon").ready(function() end)
    vim.wait(20000, function() return require("clined.daemon").state().kind == "running" end, 5)
    return vim.api.nvim_get_proc_children(vim.fn.getpid())[1]
  ]])
  nvim:stop()
  t.wait("its end", function() return gone(pid) end)
end)

t.test("a Neovim that is killed leaves no daemon", function()
  local nvim = t.child()
  local pid = nvim:lua(running)[1]
  nvim:kill()
  t.wait("the end of the daemon", function() return gone(pid) end)
end)

t.test("settings that cannot be told keep it from starting, and that is said", function()
  t.here()
  local given = vim.g.clined
  vim.g.clined = function()
    return { bin = given.bin, settings = { model = function() end } }
  end
  local err = t.ok(ask("clined/config/get"))
  t.has(err.message, "clined could not be started: ")
  t.eq(daemon().state().kind, "failed")
  vim.g.clined = given
  local again
  daemon().restart(function(problem) again = problem or "running" end)
  t.wait("the next", function() return again end)
  t.eq(again, "running")
end)

t.test("several Neovims have one each", function()
  local one = t.child()
  local two = t.child({ place = one.place })
  local first, second = one:lua(running)[1], two:lua(running)[1]
  t.ok(first ~= second)
  one:stop()
  t.wait("the end of the first", function() return gone(first) end)
  t.ok(not gone(second))
end)

t.test("the daemon has nothing of this Neovim in its environment", function()
  local nvim = t.child()
  local pid = nvim:lua(running)[1]
  local variables = vim.split(t.read(("/proc/%d/environ"):format(pid)), "\0")
  for _, variable in ipairs(variables) do
    local name = variable:match("^[^=]*")
    t.ok(name ~= "NVIM" and name ~= "VIMRUNTIME" and name ~= "VIM" and name ~= "MYVIMRC", variable)
  end
end)

t.test("nothing that is deprecated is used", function()
  if vim.fn.has("nvim-0.11") == 0 then return end
  local nvim = t.child({ files = { ["a.txt"] = "one\n" }, args = { "a.txt" } })
  nvim:lua(running)
  nvim:lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'zero' }) vim.cmd('silent write')")
  nvim:lua(running)
  nvim:cmd("silent checkhealth vim.deprecated")
  t.has(nvim:lines(), "No deprecated functions detected")
end)
