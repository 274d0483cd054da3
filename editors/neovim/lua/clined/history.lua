--- The tasks so far: a list that can be searched, from which one is opened, renamed, deleted or exported.
---
--- A buffer of its own rather than vim.ui.select: one searches it with /, sees age and state, and acts on a line with a key.
local daemon = require("clined.daemon")
local say = require("clined.say")
local session = require("clined.task.session")
local visible = require("clined.chat.visible")

local M = {}

--- Tasks that are asked for at a time.
local page = 100

---@type clined.List?
local list
local query, everywhere = "", false
---@type clined.TaskInfo[]
local tasks = {}
---@type string?
local cursor
local asked = 0 -- the answer to another question than the last one does not count

--- How long ago a time was, in a word.
---@param time string RFC 3339 in UTC
---@param now integer seconds
---@return string
function M.ago(time, now)
  local y, mo, d, h, mi, s = time:match("^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)")
  if not y then return "" end
  local utc = os.time(os.date("!*t", now) --[[@as osdateparam]])
  local past = utc - os.time({ year = y, month = mo, day = d, hour = h, min = mi, sec = s, isdst = os.date("!*t", now).isdst })
  if past < 60 then return "just now" end
  if past < 3600 then return ("%d min ago"):format(past / 60) end
  if past < 86400 then return ("%d h ago"):format(past / 3600) end
  if past < 86400 * 30 then return ("%d d ago"):format(past / 86400) end
  return ("%s-%s-%s"):format(y, mo, d)
end

local states = {
  running = { "● works", "ClinedRunning" },
  requires_action = { "? needs you", "ClinedDecision" },
  interrupted = { "◌ interrupted", "ClinedDenied" },
}
local reasons =
  { error = { "✗ failed", "ClinedFailed" }, cancelled = { "⊘ stopped", "ClinedFigure" }, plan_presented = { "  plan", "ClinedLabel" } }

local function padded(text, width) return text .. (" "):rep(width - vim.fn.strdisplaywidth(text)) end

local function entry(task, now, wide)
  local state = states[task.state] or reasons[task.stopReason or ""] or { "" }
  local title = visible.line(task.title ~= "" and task.title or "Untitled", 300)
  if vim.fn.strdisplaywidth(title) > wide then title = vim.fn.strcharpart(title, 0, wide - 1) .. "…" end
  local open = session.task_id() == task.taskId
  return {
    value = task,
    pieces = {
      { open and "▸" or task.favorite and "★" or " ", "ClinedKey" },
      { padded(title, wide + 2), open and "ClinedTitle" or nil },
      { padded(M.ago(task.updated, now), 13), "ClinedFigure" },
      { padded(state[1], 15), state[2] },
      { visible.plural(task.messages, "message"), "ClinedFigure" },
      everywhere and { "  " .. visible.line(vim.fn.fnamemodify(task.cwd, ":~"), 200), "ClinedPath" } or { "" },
    },
  }
end

local function draw()
  if not list then return end
  local now, wide = os.time(), math.min(60, math.max(20, vim.o.columns - (everywhere and 75 or 52)))
  local entries = vim.tbl_map(function(task) return entry(task, now, wide) end, tasks)
  if cursor then table.insert(entries, { pieces = { { " … older ones: <CR>", "ClinedCut" } }, value = "more" }) end
  list:set(entries, query ~= "" and (" No task has %q."):format(query) or " There is no task yet.")
end

---@param more? boolean the page behind those that are shown
local function refresh(more)
  local params = { limit = page, query = query ~= "" and query or nil, cursor = more and cursor or nil }
  if not everywhere then params.cwds = { require("clined.daemon.workspace").folder() } end
  asked = asked + 1
  local own = asked
  daemon.request("clined/task/list", params, function(err, result)
    if err then return say.failed(err) end
    if own ~= asked then return end
    tasks = more and vim.list_extend(tasks, result.tasks) or result.tasks
    cursor = result.nextCursor
    draw()
  end)
end

---@param task clined.TaskInfo|"more"|nil
local function open(task)
  if task == "more" then return refresh(true) end
  if not task then return end
  if list then list:close() end
  require("clined.chat").open()
  session.open(task.taskId, say.failed)
end

local function of_task(run)
  return function(task)
    if type(task) == "table" then run(task) end
  end
end

local rename = of_task(function(task)
  vim.ui.input({ prompt = "Title: ", default = task.title }, function(title)
    if not title or title == "" then return end
    daemon.request("clined/task/rename", { taskId = task.taskId, title = title }, function(err)
      say.failed(err)
      refresh()
    end)
  end)
end)

local delete = of_task(function(task)
  require("clined.decisions.pick").select(
    { "Delete it", "Keep it" },
    { prompt = ("Delete %q for good?"):format(visible.line(task.title, 80)) },
    function(choice)
      if choice ~= "Delete it" then return end
      daemon.request("clined/task/delete", { taskId = task.taskId }, function(err)
        say.failed(err)
        if not err and session.task_id() == task.taskId then session.put_away() end
        refresh()
      end)
    end
  )
end)

local favorite = of_task(function(task)
  daemon.request("clined/task/favorite", { taskId = task.taskId, favorite = not task.favorite }, function(err)
    say.failed(err)
    refresh()
  end)
end)

---@param id string
---@param file? string
local function export(id, file)
  daemon.request("clined/task/export", { taskId = id, format = "markdown" }, function(err, result)
    if err then return say.failed(err) end
    local function write(path)
      if not path or path == "" then return end
      path = vim.fs.normalize(vim.fn.fnamemodify(path, ":p"))
      local ok, why = pcall(vim.fn.writefile, vim.split(result.text, "\n", { plain = true }), path, "b")
      if ok and why == 0 then
        say.info(("written to %q"):format(path))
      else
        say.error(("%q could not be written"):format(path))
      end
    end
    if file and file ~= "" then return write(file) end
    vim.ui.input({ prompt = "Write to: ", default = result.fileName, completion = "file" }, write)
  end)
end

--- Writes the shown task as Markdown.
---@param file? string
function M.export(file)
  local id = session.task_id()
  if not id then return say.info("no task is open") end
  export(id, file)
end

local function search()
  vim.ui.input({ prompt = "Search: ", default = query }, function(words)
    if not words then return end
    query = words
    refresh()
  end)
end

--- Shows the list.
---@param words? string only those that have these
function M.open(words)
  query = words or ""
  tasks, cursor = {}, nil
  list = require("clined.list").open("clined://history", {
    { lhs = "<CR>", desc = "open", run = open },
    { lhs = "s", desc = "search", run = search },
    { lhs = "r", desc = "rename", run = rename },
    { lhs = "f", desc = "mark", run = favorite },
    { lhs = "e", desc = "export", run = of_task(function(task) export(task.taskId) end) },
    { lhs = "dd", desc = "delete", run = delete },
    {
      lhs = "a",
      desc = "all folders",
      run = function()
        everywhere = not everywhere
        refresh()
      end,
    },
  })
  list:set({}, " …")
  refresh()
end

--- The newest task of this folder that was interrupted.
---@param cb fun(err?: clined.Error, found?: clined.TaskInfo)
function M.interrupted(cb)
  daemon.request("clined/task/list", { cwds = { require("clined.daemon.workspace").folder() }, limit = page }, function(err, result)
    for _, found in ipairs(result and result.tasks or {}) do
      if found.state == "interrupted" then return cb(nil, found) end
    end
    cb(err)
  end)
end

--- Goes on with the task that is shown if it was interrupted, else with the newest of this folder that was.
function M.resume()
  local task = session.current()
  local function go()
    require("clined.chat").open()
    require("clined.setup").before(function() session.resume(say.failed) end, function() end)
  end
  if task and task.state.state == "idle" then return go() end
  if task then return say.info("it works already") end
  M.interrupted(function(err, found)
    if err then return say.failed(err) end
    if not found then return say.info("nothing was interrupted in this folder; :Clined history has all tasks") end
    session.open(found.taskId, function(failed)
      if failed then return say.failed(failed) end
      go()
    end)
  end)
end

return M
