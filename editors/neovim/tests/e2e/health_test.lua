local t = require("tests.harness")

-- What :checkhealth clined says, in one text.
local function check()
  vim.cmd("silent checkhealth clined")
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function line_of(text, words)
  for line in text:gmatch("[^\n]+") do
    if line:find(words, 1, true) then return line end
  end
  error(("no %q in\n%s"):format(words, text), 2)
end

t.test("all that is there is told", function()
  local place = t.here({ script = "" })
  local text = check()
  t.has(line_of(text, "Neovim " .. t.slot), "OK")
  t.has(line_of(text, t.bin), "from vim.g.clined.bin")
  t.has(line_of(text, "version 1 of the protocol"), "OK")
  t.has(line_of(text, "fake-model at " .. place.model.url), "OK")
  t.has(text, "vim.g.clined is sound")
  t.has(text, "git is on PATH")
  t.ok(not text:find("ERROR"), text)
end)

t.test("a program that is missing, another one, and one that is too old are told, with what to do", function()
  t.here()
  vim.g.clined = { bin = "/nowhere/clined" }
  local text = check()
  t.has(line_of(text, "/nowhere/clined"), "ERROR")
  t.has(text, "correct vim.g.clined.bin")

  local path = t.folder() .. "/clined"
  local function program(script)
    t.write(path, "#!/bin/sh\n" .. script)
    vim.uv.fs_chmod(path, tonumber("755", 8))
    vim.g.clined = { bin = path }
    require("clined").reload()
    return check()
  end
  text = program("echo usage: other >&2; exit 2")
  t.has(line_of(text, "is no clined"), "ERROR")
  t.has(text, "it said: usage: other")
  text = program([[echo '{"version":"0.0.1","protocol":{"min":0,"max":0}}']])
  t.has(line_of(text, "speaks version 0, this plugin version 1"), "ERROR")
  t.has(text, "update clined")
end)

t.test("options that are none, and a model that is missing, are told", function()
  local place = t.here()
  vim.g.clined = vim.tbl_extend("force", place.options, { chta = {}, notify = "yes" })
  local text = check()
  t.has(line_of(text, "chta is no option; did you mean chat?"), "ERROR")
  t.has(line_of(text, "notify must be a boolean"), "ERROR")
  t.has(line_of(text, "no model is set"), "ERROR")
end)

t.test("a daemon that failed is told with what helps", function()
  t.here()
  local daemon = require("clined.daemon")
  daemon.ready(function() end)
  t.wait("it to run", function() return daemon.state().kind == "running" end)
  t.has(check(), "it runs")
  vim.notify = function() end
  vim.uv.kill(vim.api.nvim_get_proc_children(vim.fn.getpid())[1], "sigkill")
  t.wait("its end", function() return daemon.state().kind == "failed" end)
  local text = check()
  t.has(line_of(text, "does not run any more"), "ERROR")
  t.has(text, ":Clined restart")
end)
