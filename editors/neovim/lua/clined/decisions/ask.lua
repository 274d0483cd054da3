--- Asks the user about decisions while the chat is hidden and no diff shows them: once for each, when they pause. Dismissing it
--- decides nothing; the decision waits.
---
--- Owns what was asked so. Answers are given by clined.decisions.
local desk = require("clined.decisions.desk")
local idle = require("clined.decisions.idle")
local words = require("clined.decisions.words")

local M = {}

---@type table<string, true> what was asked about, by id
local asked = {}
---@type table<string, true> what was told
local told = {}
---@type string? what is asked about now
local asking
---@type fun()? takes the window away in which it is asked
local withdraw

-- Whether the chat shows a task, or is about to. One that was put away goes on, and is not before anybody's eyes.
local function chat_shows(task) return require("clined.chat").is_visible() and require("clined.task.session").task_id() == task end

--- Whether what a decision is about is before the user's eyes now.
---@param decision clined.Decision
---@return boolean
function M.is_seen(decision)
  return chat_shows(decision.taskId) or (decision.kind == "approval" and require("clined.diff").is_seen(decision.params))
end

local function will_be_seen(decision)
  return chat_shows(decision.taskId) or (decision.kind == "approval" and require("clined.diff").shows(decision.params))
end

--- Brings what a decision is about before the user's eyes: its diff where one is open, else the chat with its task.
---@param decision clined.Decision
function M.show(decision)
  for _, file in ipairs(decision.kind == "approval" and decision.params.subject.files or {}) do
    if file.diffId and require("clined.diff").reveal(file.diffId) then return end
  end
  local session = require("clined.task.session")
  if session.task_id() ~= decision.taskId then session.open(decision.taskId) end
  require("clined.chat").open({})
end

---@return { text: string, run: fun() }[]
local function choices(decision)
  local decisions = require("clined.decisions")
  local id, list = decision.id, {}
  local function add(text, run) table.insert(list, { text = text, run = run }) end
  if decision.kind == "question" then
    for _, option in ipairs(decision.options) do
      add(option, function() decisions.answer(id, { option = option }) end)
    end
    add("Answer in words…", function()
      vim.ui.input({ prompt = decision.title .. " " }, function(text)
        if text and text ~= "" then decisions.answer(id, { text = text }) end
      end)
    end)
    add("Show it in the chat", function() M.show(decision) end)
    return list
  end
  -- What cannot be told in a line is looked at before it is allowed.
  local whole = words.is_told(decision)
  if not whole then add("Show it", function() M.show(decision) end) end
  for _, option in ipairs(whole and decision.options or {}) do
    if option.kind ~= "reject_once" then add(words.option(option), function() decisions.allow(id, { optionId = option.optionId }) end) end
  end
  add("Refuse", function() decisions.refuse(id) end)
  add("Refuse, with words…", function() decisions.refuse_with(id) end)
  if whole then add("Show it in the chat", function() M.show(decision) end) end
  return list
end

local function ask(decision)
  local id = decision.id
  asking, withdraw = id, nil
  local function over()
    if asking == id then
      asking, withdraw = nil, nil
    end
  end
  local opts =
    { prompt = "clined: " .. decision.title, format_item = function(each) return each.text end, kind = "clined", by_itself = true }
  local ok, close = xpcall(require("clined.decisions.pick").select, debug.traceback, choices(decision), opts, function(chosen)
    over()
    if chosen and desk.get(id) then chosen.run() end
    M.look()
  end)
  if ok then
    if asking == id then withdraw = close end
    return
  end
  -- A picker of the user's that fails must not keep the next decision from being asked about.
  over()
  require("clined.log").error("a decision could not be asked about: " .. close)
end

-- What was decided elsewhere is asked no more. A picker of the user's may never have told that it was closed.
local function stop_asking()
  local close = withdraw
  asking, withdraw = nil, nil
  if close then close() end
end

-- Says it once to who is at something else.
local function tell(decision)
  if told[decision.id] or not require("clined.config").get().notify then return end
  told[decision.id] = true
  require("clined.say").info(decision.title .. " waits for you; :Clined shows it")
end

-- The oldest that nobody shows.
local function next_one()
  for _, decision in ipairs(desk.list()) do
    if not asked[decision.id] and not will_be_seen(decision) then return decision end
  end
end

--- Asks what is to be asked.
function M.look()
  for _, of in ipairs({ asked, told }) do
    for id in pairs(of) do
      if not desk.get(id) then of[id] = nil end
    end
  end
  if asking and not desk.get(asking) then stop_asking() end
  local waits = next_one()
  if asking or not waits then return end
  if idle.busy() then tell(waits) end
  idle.when(function()
    local decision = next_one()
    if asking or not decision then return end
    asked[decision.id] = true
    if require("clined.config").get().select then return ask(decision) end
    tell(decision)
  end)
end

--- Begins to hear of decisions.
function M.attach()
  desk.subscribe(function() vim.schedule(M.look) end)
end

return M
