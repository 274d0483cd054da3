--- What is to be decided, at the end of the chat: what would happen, precisely, and the keys that decide it.
local Block = require("clined.chat.render.block")
local diff = require("clined.chat.render.diff")
local visible = require("clined.chat.visible")

local M = {}

--- Lines of a diff or a command that are shown; the diff has a view of its own.
local most = 120

local verdicts = { allow = { "✓", "ClinedDone" }, ask = { "?", "ClinedDecision" }, deny = { "✗", "ClinedFailed" } }

local function place(block, file)
  if file.real and file.real ~= file.path then
    block:line({ "  really ", "ClinedDenied" }, { visible.line(file.real, 1000), "ClinedPath" })
  end
  if file.outside then block:line({ "  outside of the workspace", "ClinedDenied" }) end
  if file.protected then block:line({ "  protected: " .. visible.line(tostring(file.protected), 300), "ClinedDenied" }) end
end

---@type table<string, fun(block: clined.chat.Block, subject: table, decision: table)>
local subjects = {}

function subjects.command(block, subject)
  block:text(subject.command or "", { indent = "  $ ", group = "ClinedCommand", name = "the command", most = most })
  block:line({ "  in " .. visible.line(subject.cwd or "", 500), "ClinedFigure" })
  for _, part in ipairs(subject.parts or {}) do
    local sign, group = unpack(verdicts[part.verdict] or verdicts.ask)
    block:line(
      "  ",
      { sign, group },
      " ",
      { visible.line(part.command, 500), "ClinedCommand" },
      { part.reason and "  " .. visible.line(part.reason, 300) or "", "ClinedFigure" }
    )
  end
  local more = {}
  if subject.interactive then table.insert(more, "has a terminal of its own") end
  if subject.timeout then table.insert(more, ("is stopped after %d s"):format(subject.timeout)) end
  if subject.sandbox then table.insert(more, "sandbox: " .. visible.line(tostring(subject.sandbox), 300)) end
  if #more > 0 then block:line({ "  " .. table.concat(more, ", "), "ClinedFigure" }) end
  if subject.unsandboxed then block:line({ "  outside of the sandbox", "ClinedDenied" }) end
end

function subjects.fileEdit(block, subject)
  local files = subject.files or {}
  for _, file in ipairs(files) do
    local to = file.to and " → " .. visible.line(file.to.path, 500) or ""
    local row = block:line("  ", { file.op .. " ", "ClinedLabel" }, { visible.line(file.path, 500) .. to, "ClinedPath" })
    block.links[row] = { path = file.path }
    place(block, file)
    if file.to then place(block, file.to) end
    if file.diff and file.diff ~= "" then
      diff.draw(block, file.diff, { indent = "  ", path = file.path, name = "the diff", most = math.max(20, math.floor(most / #files)) })
    end
  end
end

function subjects.fileRead(block, subject)
  for _, file in ipairs(subject.paths or {}) do
    local row = block:line("  ", { visible.line(file.path, 500), "ClinedPath" })
    block.links[row] = { path = file.path }
    place(block, file)
  end
end

function subjects.mcp(block, subject)
  block:line("  ", { visible.line(subject.server or "", 200), "ClinedCall" }, " ", visible.line(subject.tool or "", 200))
  local text = type(subject.args) == "string" and subject.args or vim.json.encode(subject.args or {})
  if text ~= "{}" then block:text(text, { indent = "  ", group = "ClinedCommand", name = "the arguments", most = most }) end
end

local function keys_line(block, key, pairs_of)
  local pieces = { "  " }
  for _, pair in ipairs(pairs_of) do
    table.insert(pieces, { ("[%s]"):format(key(pair[1])), "ClinedKey" })
    table.insert(pieces, " " .. pair[2] .. "  ")
  end
  block:line(unpack(pieces))
end

local function always(options)
  local first, n
  for _, option in ipairs(options or {}) do
    if option.kind == "allow_always" then
      first, n = first or option, (n or 0) + 1
    end
  end
  return first, n
end

---@param decision table
---@param key fun(name: string): string
---@return clined.chat.Block
function M.approval(decision, key)
  local block, params = Block.new(), decision.params
  block:line({ "? ", "ClinedDecision" }, { visible.line(params.title or "", 500), "ClinedDecision" })
  if params.description then block:line({ "  " .. visible.line(params.description, 500), "ClinedFigure" }) end
  local subject = params.subject or {}
  local draw = subjects[subject.type]
  if draw then draw(block, subject, decision) end
  local words = { { "allow", "allow" } }
  local first, n = always(params.options)
  if first then
    table.insert(words, { "allow_always", n > 1 and "always …" or visible.line(first.name, 200) })
  end
  vim.list_extend(words, { { "refuse", "refuse" }, { "refuse_with", "refuse, saying why" } })
  if subject.type == "fileEdit" then table.insert(words, { "show_diff", "diff" }) end
  block:line("")
  keys_line(block, key, words)
  return block
end

---@param decision table
---@param key fun(name: string): string
---@return clined.chat.Block
function M.question(decision, key)
  local block, params = Block.new(), decision.params
  block:text(params.text or "", { indent = "? ", group = "ClinedDecision", name = "the question", most = most })
  for i, option in ipairs(params.options or {}) do
    block:line({ ("  %d "):format(i), "ClinedKey" }, visible.line(option, 500))
  end
  block:line("")
  local chooses = params.options and #params.options > 0
  keys_line(block, key, { { "answer", chooses and "choose an answer, or write one below" or "answer: write it below" }, { "refuse", "do not answer" } })
  return block
end

--- Those of a task, the oldest first; only the first has its keys, for they decide that one.
---@param task_id? string
---@param decisions table clined.decisions
---@param key fun(name: string): string
---@return clined.chat.Block[]
function M.draw(task_id, decisions, key)
  local blocks = {}
  for _, decision in ipairs(decisions.list()) do
    if decision.taskId == task_id then
      table.insert(blocks, M[decision.kind](decision, key))
    end
  end
  return blocks
end

return M
