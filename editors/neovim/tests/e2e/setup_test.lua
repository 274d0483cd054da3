local t = require("tests.harness")

-- Answers the questions of vim.ui and the key, in order: a text picks the item that has it, or is typed; nil leaves.
---@return { prompts: string[], items: string[][], said: string[] }
local function user(answers)
  local log, next = { prompts = {}, items = {}, said = {} }, 0
  local function answer(prompt)
    next = next + 1
    table.insert(log.prompts, prompt)
    return answers[next]
  end
  vim.ui.select = function(items, opts, cb)
    local texts = vim.tbl_map(opts.format_item or tostring, items)
    table.insert(log.items, texts)
    local want = answer(opts.prompt)
    for i, text in ipairs(texts) do
      if want and text:find(want, 1, true) then return cb(items[i], i) end
    end
    assert(not want, ("no %q in %s"):format(want or "", vim.inspect(texts)))
    cb(nil)
  end
  vim.ui.input = function(opts, cb) cb(answer(opts.prompt)) end
  vim.fn.inputsecret = function(opts) return answer(opts.prompt) or opts.cancelreturn end
  vim.notify = function(text) table.insert(log.said, text) end
  return log
end

local function run()
  local done
  require("clined.setup").run(function(yes) done = { yes } end)
  t.wait("the setup", function() return done end)
  t.settle()
  return done[1]
end

local function status()
  local got
  require("clined.setup").status(function(err, result) got = { err, result } end)
  t.wait("the status", function() return got end)
  t.eq(got[1], nil)
  return got[2]
end

-- The settings file of the user.
local function settings()
  local ok, text = pcall(t.read, vim.env.CLINED_HOME .. "/settings.json")
  return ok and vim.json.decode(text) or {}
end

local function nowhere(options) return vim.tbl_extend("force", { settings = { discover = {} } }, options or {}) end

t.test("the demo's model answers without a key, and ends", function()
  t.here({ options = nowhere() })
  t.eq(status().configured, false)
  local log = user({ "demo", "End the demo" })
  t.ok(run())
  t.ok(status().demo)
  t.has(table.concat(log.said), "the scripted model answers")
  t.ok(run())
  t.ok(not status().demo)
end)

t.test("leaving a question leaves all as it was", function()
  t.here({ options = nowhere() })
  for _, answers in ipairs({ {}, { "Another server" }, { "Another server", "localhost:1" }, { "OpenAI" } }) do
    local log = user(answers)
    t.ok(not run())
    t.eq(#log.prompts, #answers + 1)
  end
  t.eq(settings(), {})
end)

t.test("a server with a key is checked, chosen, and kept for all editors; the key is in no file of ours", function()
  t.here({ options = nowhere() })
  local model = t.model("")
  local log = user({ "Another server", model.url, "sk-secret-1" })
  t.ok(run())
  local now = status()
  t.eq({ now.configured, now.model, now.baseUrl }, { true, "fake-model", model.url })
  t.eq(settings(), { model = "fake-model", baseUrl = model.url, apiKey = "keyring" })
  t.has(log.said[#log.said], "fake-model")
  t.ok(not table.concat(log.said):find("sk-secret", 1, true))
  for _, path in
    ipairs(vim.fs.find(function(name) return name:find("%.log$") ~= nil end, { path = t.root, type = "file", limit = math.huge }))
  do
    t.ok(not t.read(path):find("sk-secret", 1, true), path)
  end
  -- Another model of the same place keeps its key.
  require("clined.setup").choose(
    { provider = "openai", baseUrl = model.url, model = "other" },
    function(problem) log.problem = problem or "none" end
  )
  t.wait("the choice", function() return log.problem end)
  t.eq(log.problem, "none")
  t.eq(settings(), { model = "other", baseUrl = model.url, apiKey = "keyring" })
end)

t.test("what comes before the settings file is told", function()
  t.here({ options = { settings = { discover = {}, model = "set-by-hand" } } })
  local model = t.model("")
  local note
  require("clined.setup").choose(
    { provider = "openai", baseUrl = model.url, model = "chosen" },
    function(problem, n) note = problem or n or "none" end
  )
  t.wait("the choice", function() return note end)
  t.has(note, "set-by-hand")
  t.has(note, "vim.g.clined.settings")
end)

t.test("a server that does not answer is told, and can be chosen all the same", function()
  t.here({ options = nowhere() })
  local url = "http://127.0.0.1:1/v1"
  local log = user({ "Another server", url, "", "try another", url, "", "use it all the same", "by-hand" })
  t.ok(run())
  t.has(log.prompts[4], "refused")
  t.eq(settings(), { model = "by-hand", baseUrl = url })
end)

t.test("a key goes nowhere unencrypted unless the user says so", function()
  t.here({ options = nowhere() })
  local log = user({ "Another server", "http://192.0.2.1/v1", "sk-1", "leave it" })
  t.ok(not run())
  t.has(log.prompts[#log.prompts], "unencrypted")
  t.eq(settings(), {})
end)

t.test("an address that is none is asked again", function()
  t.here({ options = nowhere() })
  local log = user({ "Another server", "ftp://x", nil })
  t.ok(not run())
  t.has(table.concat(log.said), "must begin with https")
end)

t.test("what is said without a model waits for one, and is in the input again where none is chosen", function()
  t.here({ options = nowhere() })
  local chat, session = require("clined.chat"), require("clined.task.session")
  chat.open({ enter = false })
  user({})
  chat.say("What is the weather in New York tomorrow?")
  t.wait("the words", function() return chat.input_text() == "What is the weather in New York tomorrow?" end)
  t.eq(session.current(), nil)
  local log = user({ "demo" })
  require("clined.chat.input").send()
  t.eq(chat.input_text(), "")
  t.wait("the task", session.current)
  t.eq(#log.prompts, 1)
  t.eq(chat.input_text(), "")
end)
