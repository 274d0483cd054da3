--- What is to be decided, at the end of the chat: what would happen, precisely, and the keys that decide it.
local Block = require("clined.chat.render.block")
local decisions = require("clined.decisions")
local diff = require("clined.chat.render.diff")

local M = {}

--- Lines of a diff or a command that are shown; the diff has a view of its own.
local most = 120

local verdicts = { allow = { "✓", "ClinedDone" }, ask = { "?", "ClinedDecision" }, deny = { "✗", "ClinedFailed" } }

---@type table<clined.WordKind, fun(block: clined.chat.Block, word: clined.Word)>
local draw = {}

function draw.title(block, word) block:line({ "? " .. word.text, "ClinedDecision" }) end

function draw.why(block, word) block:line({ "  " .. word.text, "ClinedFigure" }) end

function draw.question(block, word)
  block:line({ "? It asks", "ClinedDecision" })
  local first = block:row()
  block:text(word.text, { name = "the question", most = most })
  table.insert(block.markdown, { first = first, last = block:row() - 1 })
end

function draw.command(block, word) block:text(word.text, { indent = "  $ ", group = "ClinedCommand", name = "the command", most = most }) end

function draw.part(block, word)
  local sign, group = unpack(verdicts[word.verdict] or verdicts.ask)
  block:line("    ", { sign .. " ", group }, { word.text, "ClinedCommand" }, { word.why and "  " .. word.why or "", "ClinedFigure" })
end

function draw.file(block, word)
  local row = block:line(
    "  ",
    { word.text, "ClinedPath" },
    { word.op and "  " .. word.op or "", "ClinedLabel" },
    { word.added and "  +" .. word.added or "", "ClinedAdded" },
    { word.removed and " -" .. word.removed or "", "ClinedRemoved" }
  )
  block.links[row] = { path = word.path }
end

function draw.fact(block, word) block:line({ "  " .. word.text, "ClinedFigure" }) end

function draw.warning(block, word) block:line({ "  ! " .. word.text, "ClinedDenied" }) end

function draw.diff(block, word) diff.draw(block, word.text, { indent = "  ", path = word.path, name = "the diff", most = most }) end

function draw.args(block, word) block:text(word.text, { indent = "  ", group = "ClinedCommand", name = "the arguments", most = most }) end

function draw.option(block, word) block:line({ ("  %d "):format(word.n), "ClinedKey" }, word.text) end

local function keys(block, key, list)
  local pieces = { "  " }
  for _, pair in ipairs(list) do
    vim.list_extend(pieces, { { ("[%s]"):format(key(pair[1])), "ClinedKey" }, " " .. pair[2] .. "  " })
  end
  block:line("")
  block:line(unpack(pieces))
end

---@param decision clined.Decision
---@return string[][] pairs of an action and its words
local function choices(decision)
  if decision.kind == "question" then
    local words = #decision.options > 0 and "choose, or write an answer below" or "write an answer below"
    return { { "answer", words }, { "refuse", "do not answer" } }
  end
  local list, always = { { "allow", "allow" } }, decisions.always(decision)
  if #always == 1 then table.insert(list, { "allow_always", decisions.option_words(always[1]) }) end
  if #always > 1 then table.insert(list, { "allow_always", "always …" }) end
  vim.list_extend(list, { { "refuse", "refuse" }, { "refuse_with", "refuse, saying why" } })
  if decision.params.subject.type == "fileEdit" then table.insert(list, { "show_diff", "diff" }) end
  return list
end

---@param decision clined.Decision
---@param first boolean it is the one that the keys decide
---@param key fun(name: string): string
---@return clined.chat.Block
function M.draw(decision, first, key)
  local block = Block.new()
  local words = decisions.words(decision)
  for _, word in ipairs(words) do
    -- A short command stands in the title already.
    local twice = word.kind == "command" and words[1].text:find(word.text, 1, true)
    if not twice then (draw[word.kind] or draw.fact)(block, word) end
  end
  if first then
    keys(block, key, choices(decision))
  else
    block:line({ "  after the one above", "ClinedFigure" })
  end
  return block
end

return M
