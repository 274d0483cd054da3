local t = require("tests.harness")
local rpc = require("clined.daemon.rpc")

local function connection()
  local self = { sent = {}, told = {}, order = {} }
  self.rpc = rpc.new({
    write = function(text) table.insert(self.sent, vim.json.decode(text)) end,
    before_write = function() table.insert(self.order, "before") end,
    on_request = function(method, params, reply)
      self.asked = { method = method, params = params, reply = reply }
      return function() self.cancelled = true end
    end,
    on_notification = function(method, params)
      if method == "fails" then error("in a listener") end
      table.insert(self.told, { method, params })
    end,
    on_garbled = function(said) self.garbled = said end,
  })
  return self
end

t.test("messages are understood however they are cut", function()
  for size = 1, 40 do
    local c = connection()
    local text = '{"jsonrpc":"2.0","method":"one","params":{"text":"größe\\n","none":null}}\n\n{"jsonrpc":"2.0","method":"two"}\r\n'
    for at = 1, #text, size do
      c.rpc:feed(text:sub(at, at + size - 1))
    end
    t.wait("both", function() return #c.told == 2 end)
    t.eq(c.told, { { "one", { text = "größe\n" } }, { "two" } })
  end
end)

t.test("an answer finds who asked, and errors are told as they came", function()
  local c, answers = connection(), {}
  for i = 1, 3 do
    c.rpc:request("m", i == 2 and { list = {} } or nil, function(err, result) answers[i] = { err = err, result = result } end)
  end
  t.eq(c.sent[1], { jsonrpc = "2.0", id = 1, method = "m", params = vim.empty_dict() })
  c.rpc:feed(
    '{"id":3,"result":null}\n{"id":1,"error":{"code":1001,"message":"no","data":{"hint":"h"}}}\n{"id":9,"result":1}\n{"id":2,"result":{"a":[]}}\n'
  )
  t.wait("all", function() return answers[1] and answers[2] and answers[3] end)
  t.eq(answers, { { err = { code = 1001, message = "no", data = { hint = "h" } } }, { result = { a = {} } }, {} })
end)

t.test("an answer comes before what is told behind it, and a listener that fails hinders nobody", function()
  local c, order = connection(), {}
  c.rpc:request("m", nil, function() table.insert(order, "answer") end)
  c.rpc:feed('{"id":1,"result":{}}\n{"method":"fails"}\n{"method":"event"}\n')
  t.wait("the event", function() return #c.told == 1 end)
  t.eq(order, { "answer" })
end)

t.test("a request that is taken back is not answered any more", function()
  local c = connection()
  local cancel = c.rpc:request("m", nil, function() error("answered") end)
  cancel()
  cancel()
  t.eq(c.sent[2], { jsonrpc = "2.0", method = "$/cancelRequest", params = { id = 1 } })
  c.rpc:feed('{"id":1,"error":{"code":-32800,"message":"cancelled"}}\n{"method":"event"}\n')
  t.wait("the event", function() return #c.told == 1 end)
  t.eq(#c.sent, 2)
end)

t.test("a request of the other side is answered once, whenever that is", function()
  local c = connection()
  c.rpc:feed('{"id":"x7","method":"ask","params":{"q":1}}\n')
  t.wait("the request", function() return c.asked end)
  t.eq(c.sent, {})
  c.asked.reply({})
  c.asked.reply({ late = true })
  t.eq(c.sent, { { jsonrpc = "2.0", id = "x7", result = vim.empty_dict() } })
  c.rpc:feed('{"id":0,"method":"ask"}\n')
  t.wait("the next", function() return c.asked.params == nil end)
  c.asked.reply(nil)
  t.eq(c.sent[2], { jsonrpc = "2.0", id = 0, result = vim.NIL })
end)

t.test("a request that is withdrawn is answered as such, and a late answer does nothing", function()
  local c = connection()
  c.rpc:feed('{"id":4,"method":"ask"}\n{"method":"$/cancelRequest","params":{"id":4}}\n{"method":"$/cancelRequest","params":{"id":5}}\n')
  t.wait("the withdrawal", function() return c.cancelled end)
  t.wait("the answer", function() return #c.sent == 1 end)
  c.asked.reply({ too = "late" })
  t.eq(#c.sent, 1)
  t.eq(c.sent[1].error.code, -32800)
end)

t.test("what is no message is told, with or without a line end", function()
  for _, text in ipairs({ "Welcome to no clined\n", "Welcome", "[1,2]", '{"broken\n', "7\n" }) do
    local c = connection()
    c.rpc:feed(text)
    t.wait("that it is garbled: " .. text, function() return c.garbled end)
    t.has(text, c.garbled)
  end
end)

t.test("at the end all who wait hear why, and later ones too", function()
  local c, heard = connection(), {}
  c.rpc:request("m", nil, function(err) table.insert(heard, err) end)
  c.rpc:feed('{"id":4,"method":"ask"}\n')
  t.wait("the request", function() return c.asked end)
  c.rpc:close({ code = -32096, message = "gone" })
  t.ok(c.cancelled)
  c.rpc:request("m", nil, function(err) table.insert(heard, err) end)
  t.wait("both", function() return #heard == 2 end)
  t.eq(heard[2], { code = -32096, message = "gone" })
  c.rpc:notify("n")
  t.eq(#c.sent, 1)
end)

t.test("what must be told before is told before each message", function()
  local c = connection()
  c.rpc:notify("a")
  c.rpc:notify_plain("b", {})
  c.rpc:request("c", nil, function() end)
  t.eq(c.order, { "before", "before" })
end)

t.test("a flood is taken in pieces, in order", function()
  local c, turns = connection(), 0
  local lines = {}
  for i = 1, 20000 do
    table.insert(lines, ('{"method":"n","params":{"i":%d}}'):format(i))
  end
  c.rpc:feed(table.concat(lines, "\n") .. "\n")
  local timer = assert(vim.uv.new_timer())
  timer:start(0, 1, function() turns = turns + 1 end)
  t.wait("all", function() return #c.told == 20000 end)
  timer:close()
  for i = 1, 20000 do
    assert(c.told[i][2].i == i)
  end
end)
