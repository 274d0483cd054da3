--- The scripted model: a program of its own that speaks the model's API on loopback, and ends with its input.
local M = {}

---@class clined.test.Model
---@field url string
---@field requests fun(): table[] the requests so far, decoded, oldest first
---@field held fun(name: string) returns once a reply waits at this `hold`
---@field release fun(name: string) lets the reply that waits at this `hold` go on
---@field done fun() ends it now; fails as the end of the test would

-- One exchange over HTTP/1.0, which ends with the connection.
---@param port integer
---@return string body
local function ask(t, port, method, path)
  local answer, ended, problem = {}, false, nil
  local socket = assert(vim.uv.new_tcp())
  local function fail(err)
    if err then
      problem, ended = err, true
    end
    return err
  end
  socket:connect("127.0.0.1", port, function(refused)
    if fail(refused) then return end
    socket:read_start(function(broken, data)
      if fail(broken) then return end
      if data then
        table.insert(answer, data)
      else
        ended = true
      end
    end)
    socket:write(("%s %s HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n"):format(method, path), fail)
  end)
  local held, err = pcall(t.wait, "the model to answer " .. path, function() return ended end)
  socket:close()
  if not held then error(err, 0) end
  if problem then error(("the model, %s: %s"):format(path, problem), 0) end
  local code, body = table.concat(answer):match("^HTTP/%d%.%d (%d+).-\r\n\r\n(.*)$")
  if code ~= "200" and code ~= "204" then error(("the model, %s: %s %s"):format(path, code, body), 0) end
  return body
end

---@param t table the harness
---@param script string
---@return clined.test.Model
function M.start(t, script)
  local place = require("tests.harness.place")
  local file = vim.fn.tempname()
  place.write(file, script)
  local said, complaints, code = "", "", nil
  local job = vim.fn.jobstart({ place.tools .. "/fakellm", file }, {
    on_stdout = function(_, data) said = said .. table.concat(data, "\n") end,
    on_stderr = function(_, data) complaints = complaints .. table.concat(data, "\n") end,
    on_exit = function(_, status) code = status end,
  })
  t.wait("the model", function() return said:find("\n", 1, true) or code end)
  if code then error("the model: " .. complaints, 0) end
  local url = vim.json.decode(said).url
  local port = tonumber(url:match(":(%d+)"))

  local over = false
  local function done()
    if over then return end
    over = true
    vim.fn.chanclose(job, "stdin")
    t.wait("the end of the model", function() return code end)
    if code ~= 0 then error("the model: " .. complaints, 0) end
  end
  t.defer(done)
  return {
    url = url,
    requests = function() return vim.json.decode(ask(t, port, "GET", "/requests")) end,
    held = function(name) ask(t, port, "GET", "/held?name=" .. name) end,
    release = function(name) ask(t, port, "POST", "/release?name=" .. name) end,
    done = done,
  }
end

return M
