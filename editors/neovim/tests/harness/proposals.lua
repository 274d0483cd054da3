--- The parts that decide and show edits, with a daemon that is played by the test.
local M = {}

---@class clined.test.Proposals
---@field told { method: string, params: table }[] notifications and requests of the plugin
---@field answers table<string, table> results of its requests, by method
---@field work string
---@field ask fun(method: string, params: table): clined.test.Asked
---@field tell fun(method: string, params: table)
---@field sent fun(method: string): table[] the params of what was said so

---@class clined.test.Asked
---@field answered boolean
---@field result? table
---@field withdraw? fun()

local names = { "decisions", "diff", "daemon", "config", "task.session" }

local function forget()
  for name in pairs(package.loaded) do
    for _, prefix in ipairs(names) do
      if name == "clined." .. prefix or vim.startswith(name, "clined." .. prefix .. ".") then package.loaded[name] = nil end
    end
  end
end

local function hash(text) return vim.fn.sha256(text) end
M.hash = hash

--- Starts them anew.
---@param t table the harness
---@param options? table vim.g.clined
---@return clined.test.Proposals
function M.start(t, options)
  forget()
  vim.g.clined = options or {}
  local handlers, listeners, faults = {}, {}, {}
  local log = require("clined.log")
  local before = log.error
  log.error = function(text) table.insert(faults, text) end
  local p = { told = {}, answers = {}, work = t.root .. "/work" .. vim.uv.hrtime() }
  vim.fn.mkdir(p.work, "p")
  local function note(method, params) table.insert(p.told, { method = method, params = params }) end
  package.loaded["clined.daemon"] = {
    state = function() return { kind = "running" } end,
    handle = function(method, fn) handlers[method] = fn end,
    on = function(method, fn)
      listeners[method] = listeners[method] or {}
      table.insert(listeners[method], fn)
      return function() end
    end,
    notify = note,
    request = function(method, params, cb)
      note(method, params)
      vim.schedule(function() cb(nil, p.answers[method] or { status = "accepted" }) end)
      return function() end
    end,
  }
  -- The shown task is the one of all edits, and its edits are asked about.
  package.loaded["clined.task.session"] = {
    current = function() return { info = { taskId = "t1" }, options = { { id = "auto_approve.edit", value = "false" } } } end,
    task_id = function() return "t1" end,
    open = function() end,
  }
  require("clined.decisions.idle").pause, require("clined.decisions.steady").pause = 0, 0
  require("clined.decisions").attach()
  require("clined.diff").attach()
  require("clined.highlight").setup()
  function p.ask(method, params)
    local asked = { answered = false }
    asked.withdraw = assert(handlers[method], method)(params, function(result)
      asked.answered, asked.result = true, result
    end)
    return asked
  end
  function p.tell(method, params)
    for _, fn in ipairs(listeners[method] or {}) do
      fn(params)
    end
  end
  function p.sent(method)
    return vim.tbl_map(function(m) return m.params end, vim.tbl_filter(function(m) return m.method == method end, p.told))
  end
  t.defer(function()
    for _, view in ipairs(require("clined.diff").views()) do
      p.ask("clined/diff/close", { diffId = view.diffId, revert = true })
    end
    require("clined.events").tell("DaemonState", { kind = "stopped" })
    t.settle()
    vim.cmd("silent! tabonly! | silent! only! | silent! %bwipeout!")
    vim.g.clined = nil
    forget()
    log.error = before
    if #faults > 0 then error(table.concat(faults, "\n"), 0) end
  end)
  return p
end

--- An edit of one file, as the daemon asks about it.
---@param p clined.test.Proposals
---@param path string
---@param base string
---@param new string
---@param hunks? table[]
---@return table params of clined/approval/request
function M.approval(p, path, base, new, hunks)
  return {
    approvalId = "a1",
    taskId = "t1",
    turnId = "u1",
    toolCallId = "c1",
    title = "Edit " .. vim.fs.basename(path),
    diffId = "d1",
    subject = {
      type = "fileEdit",
      files = {
        {
          path = path,
          uri = vim.uri_from_fname(path),
          op = "modify",
          baseText = base,
          newText = new,
          diffId = "d1",
          diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
          hunks = hunks or { { id = "1.1", startLine = 0, endLine = 1, newStartLine = 0, newEndLine = 1 } },
        },
      },
    },
    subjectHash = "h1",
    options = {
      { optionId = "allow_once", kind = "allow_once", name = "Allow" },
      {
        optionId = "allow_always",
        kind = "allow_always",
        name = "Always allow editing files in the workspace (in this task)",
        rule = { scope = "task", pattern = "editing files in the workspace" },
      },
      { optionId = "reject_once", kind = "reject_once", name = "Reject" },
    },
  }
end

--- The params of clined/diff/open.
---@param path string
---@param base string
---@param new string
---@param more? table
---@return table
function M.open(path, base, new, more)
  return vim.tbl_extend("force", {
    diffId = "d1",
    taskId = "t1",
    toolCallId = "c1",
    uri = vim.uri_from_fname(path),
    op = "modify",
    baseText = base,
    newText = new,
  }, more or {})
end

return M
