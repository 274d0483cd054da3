local reduce = require("clined.task.reduce")
local t = require("tests.harness")

-- The cases that the reducers of all editors are held to.
local path = vim.fs.joinpath(
  vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, "S").source:sub(2))))),
  "testdata",
  "tasks.json"
)
local cases = vim.json.decode(t.read(path), { luanil = { object = true, array = true } })

local function unknown(id)
  return { taskId = id, title = "", cwd = "/", roots = {}, created = "", updated = "", state = "idle", messages = 0 }
end

local function play(steps)
  local task
  for _, step in ipairs(steps) do
    if step.live then
      task = task or reduce.empty(unknown(step.live.taskId))
      reduce.apply(task, step.live)
    elseif step.older then
      reduce.prepend(task, step.older)
    else
      local known = step.since and task and not reduce.breaks_off(task, step.attach) and task or nil
      task = reduce.attached(step.attach, known, step.early)
    end
  end
  return task
end

local function shown(task)
  return {
    title = task.info.title,
    items = task.items,
    state = task.state,
    turnId = task.turnId,
    plan = task.plan,
    usage = task.usage,
    options = task.options,
    more = task.more,
    seq = task.seq,
  }
end

t.test("there are enough of the cases that all editors share", function() t.ok(#cases >= 12) end)

for _, case in ipairs(cases) do
  t.test("shared: " .. case.name, function()
    local got = shown(play(case.steps))
    for i, item in ipairs(case.want.items) do
      t.eq(got.items[i], item, "item " .. i)
    end
    t.eq(got, case.want)
  end)
end

-- What a view would draw by the changes alone.
local function drawn(order, change, task)
  if not change then return end
  if change.what == "all" then
    for i = #order, 1, -1 do
      order[i] = nil
    end
    for i, item in ipairs(task.items) do
      order[i] = item.id
    end
  elseif change.what == "items" then
    if change.op == "add" then
      table.insert(order, change.at, change.id)
    elseif change.op == "remove" then
      t.eq(table.remove(order, change.at), change.id)
    elseif change.op == "cut" then
      for i = #order, change.at, -1 do
        order[i] = nil
      end
    elseif change.op == "move" then
      for i, id in ipairs(order) do
        if id == change.id then
          table.remove(order, i)
          break
        end
      end
      table.insert(order, change.at, change.id)
    else
      t.eq(order[change.at], change.id)
    end
  end
end

t.test("whoever draws by the changes has the items in their order", function()
  for _, case in ipairs(cases) do
    local task, order = nil, {}
    for _, step in ipairs(case.steps) do
      if step.live then
        task = task or reduce.empty(unknown(step.live.taskId))
        drawn(order, reduce.apply(task, step.live), task)
        t.eq(order, vim.tbl_map(function(item) return item.id end, task.items), case.name)
      end
    end
  end
end)

t.test("what was half written when the process died goes, and nothing else", function()
  local function ids(state)
    local task = reduce.empty(unknown("t"))
    for seq, event in ipairs({
      { type = "message", messageId = "u", role = "user", content = { { type = "text", text = "u" } }, status = "completed" },
      { type = "message", messageId = "whole", role = "assistant", content = { { type = "text", text = "whole" } }, status = "completed" },
      { type = "toolCall", toolCallId = "c", name = "read_file", status = "in_progress" },
      { type = "messageDelta", messageId = "half", partIndex = 0, kind = "text", text = "half" },
    }) do
      reduce.apply(task, { taskId = "t", seq = seq, turnId = "turn", ts = "", event = event })
    end
    local info = vim.tbl_extend("force", unknown("t"), { state = state })
    return vim.tbl_map(function(item) return item.id end, reduce.attached({ task = info, events = {}, seq = 4, pending = {} }, task).items)
  end
  t.eq(ids("interrupted"), { "u", "whole", "c" })
  t.eq(ids("idle"), { "u", "whole", "c" })
  t.eq(ids("running"), { "u", "whole", "c", "half" })
end)
