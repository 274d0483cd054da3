--- The end of the chat: what was said and not heard yet, the checklist, what is to be decided, and what the task does or why it
--- does nothing, with the key that helps.
local Block = require("clined.chat.render.block")
local message = require("clined.chat.render.message")
local notice = require("clined.chat.render.notice")
local visible = require("clined.chat.visible")
local words = require("clined.chat.words")

local M = {}

---@class clined.chat.TailInput
---@field task? clined.Task
---@field daemon { kind: string, problem?: string, hint?: string }
---@field decisions clined.chat.Block[]
---@field key fun(name: string): string

--- Whether a message that waits was said to the turn that runs.
---@param task clined.Task
---@param item clined.MessageItem
---@return boolean
function M.steers(task, item) return task.state.state ~= "idle" and item.turnId ~= nil and item.turnId == task.turnId end

--- Messages of the user that the model has not heard yet.
---@param task clined.Task
---@return clined.MessageItem[] steering, clined.MessageItem[] queued
function M.waiting(task)
  local steering, queued = {}, {}
  for i = #task.items, 1, -1 do
    local item = task.items[i]
    if item.kind == "message" and item.role == "user" and item.status == "pending" then
      table.insert(M.steers(task, item) and steering or queued, 1, item)
    end
  end
  return steering, queued
end

local function waiting(block, task, key)
  local steering, queued = M.waiting(task)
  local function list(items, title, hint)
    if #items == 0 then return end
    block:line("")
    block:line({ title, "ClinedLabel" }, { hint, "ClinedFigure" })
    for _, item in ipairs(items) do
      local first = block:row()
      block:append(message.said(item, "waiting"))
      for row = first, block:row() - 1 do
        block.links[row] = { text = nil, id = item.id }
      end
    end
  end
  list(steering, "Said at the next step", "")
  list(queued, "Said when the turn ends", ("  [%s] on it takes it back"):format(key("take_back")))
end

local function checklist(block, task)
  local plan = task.plan
  if not plan or #plan.entries == 0 then return end
  local done, next_step = 0, nil
  for _, entry in ipairs(plan.entries) do
    if entry.done then
      done = done + 1
    else
      next_step = next_step or entry.text
    end
  end
  block:line("")
  local head = block:line(
    { ("☑ %d of %d"):format(done, #plan.entries), "ClinedLabel" },
    next_step and "  " .. visible.line(next_step, 200) or { "  all done", "ClinedFigure" },
    plan.byUser and { "  changed by you", "ClinedFigure" } or ""
  )
  for _, entry in ipairs(plan.entries) do
    block:line(
      { entry.done and "  ✓ " or "  ○ ", entry.done and "ClinedDone" or "ClinedFigure" },
      { visible.line(entry.text, 500), entry.done and "ClinedTodoDone" or "ClinedTodo" }
    )
  end
  block:fold(head)
end

local function doing(task)
  local last = task.items[#task.items]
  if last and last.kind == "message" and last.role == "assistant" and last.status == "in_progress" then
    local part = last.content[#last.content]
    return part and part.type == "thought" and "Thinking" or "Writing"
  end
  if last and last.kind == "call" and not words.ended(last) then return "Working" end
  return "Thinking"
end

local function in_brackets(key, name, text) return { ("[%s]"):format(key(name)), "ClinedKey" }, " " .. text end

local function wait(block, waits)
  local tries = waits.max > 1 and (" (try %d of %d)"):format(waits.attempt, waits.max) or ""
  local when = waits.delayMs == 0 and ("No answer for %d s"):format((waits.waitedMs or 0) / 1000)
    or ("Tries again in %d s"):format(math.ceil(waits.delayMs / 1000))
  block:line({ "◌ ", "ClinedRunning" }, notice.sentence(waits.reason))
  block:line({ "  " .. when .. tries, "ClinedFigure" })
end

local resumes = {
  interrupted = { "Interrupted, nothing is lost", "goes on" },
  needs_user = { "Stopped at a decision that nobody made", "asks again" },
  cancelled = { "Stopped", "goes on" },
}

local function state(block, input)
  local task, key = input.task, input.key
  if input.daemon.kind == "failed" then
    notice.say(block, "error", input.daemon.problem or "clined does not run", input.daemon.hint)
    block:line("  ", { ":Clined restart", "ClinedKey" }, " tries again  ", { ":checkhealth clined", "ClinedKey" }, " tells more")
    return
  elseif input.daemon.kind == "starting" then
    block:line({ "◌ Starting clined", "ClinedRunning" })
    return
  end
  if not task then return end
  if task.info.damage then notice.say(block, "warning", task.info.damage, "What could be read is shown.") end
  local now = task.state
  if now.state ~= "idle" and task.info.owner then
    block:line({ "◌ ", "ClinedRunning" }, ("Another process (%d) works on this task"):format(task.info.owner.pid))
  elseif now.state == "running" then
    if now.waiting then return wait(block, now.waiting) end
    block:line({ "● " .. doing(task), "ClinedRunning" }, { ("  [%s] stops"):format(key("stop")), "ClinedFigure" })
  elseif now.state == "requires_action" then
    if #input.decisions == 0 then block:line({ "? Waits for a decision", "ClinedDecision" }) end
  elseif now.stopReason == "error" and now.error then
    notice.say(block, "error", now.error.message, now.error.hint)
    local more = (now.error.code == "auth" or now.error.code == "quota") and ":Clined setup"
      or now.error.code == "internal" and ":Clined log"
    local a, b = in_brackets(key, "resume", "tries again  ")
    block:line("  ", a, b, more and { more, "ClinedKey" } or "")
  elseif now.stopReason == "plan_presented" then
    block:line(
      { "The plan stands.  ", "ClinedLabel" },
      { (":Clined act"):format(), "ClinedKey" },
      " carries it out; or say what should be different"
    )
  elseif resumes[now.stopReason] then
    local what, helps = unpack(resumes[now.stopReason])
    local a, b = in_brackets(key, "resume", helps)
    block:line({ "◌ " .. what .. "  ", now.stopReason == "cancelled" and "ClinedFigure" or "ClinedDenied" }, a, b)
  end
end

---@param input clined.chat.TailInput
---@return clined.chat.Block
function M.draw(input)
  local block = Block.new()
  if input.task then
    waiting(block, input.task, input.key)
    checklist(block, input.task)
  end
  for _, decision in ipairs(input.decisions) do
    block:line("")
    block:append(decision)
  end
  local status = Block.new()
  state(status, input)
  if status:row() > 0 then
    block:line("")
    block:append(status)
  end
  return block
end

return M
