--- Tool calls: one line each, with what was asked and answered folded below. While a command runs its newest lines are in sight.
local Block = require("clined.chat.render.block")
local args = require("clined.chat.args")
local diff = require("clined.chat.render.diff")
local output = require("clined.chat.render.output")
local visible = require("clined.chat.visible")
local words = require("clined.chat.words")

local M = {}

--- Lines of live output in sight.
local live = 10
--- Lines of a result in the fold; <CR> on the mark of what is left out shows all.
local most = 400

local signs = {
  pending = { "○", "ClinedRunning" },
  in_progress = { "●", "ClinedRunning" },
  completed = { "✓", "ClinedDone" },
  failed = { "✗", "ClinedFailed" },
  denied = { "⊘", "ClinedDenied" },
  cancelled = { "⊘", "ClinedFigure" },
}

local targets = { path = "ClinedPath", code = "ClinedCommand" }

-- Lines that were written so far, counted on from the last time.
local function written(call, drawn)
  if not words.writing(call) or call.callKind ~= "edit" or not call.args then return end
  local before = drawn or {}
  local lines, at = args.written(call.args, before.at, before.lines)
  return { at = at, lines = lines }
end

-- What stands behind the target: how it ended, and figures.
local function outcome(call, w, count)
  local pieces = {}
  local function add(text, group)
    if text then table.insert(pieces, { "  " .. text, group }) end
  end
  if w.added then vim.list_extend(pieces, { { "  +" .. w.added, "ClinedAdded" }, { " -" .. w.removed, "ClinedRemoved" } }) end
  add(count and count.lines > 0 and visible.plural(count.lines, "line") or w.figure, "ClinedFigure")
  add(call.status == "denied" and "refused" or nil, "ClinedDenied")
  add(call.status == "cancelled" and "stopped" or nil, "ClinedFigure")
  add(words.reason(call), call.status == "failed" and "ClinedFailed" or "ClinedFigure")
  return pieces
end

-- What is folded is a line that does not wrap: the target gives way to the outcome, a path at its beginning.
local function fitted(w, pieces, width)
  local taken = vim.fn.strdisplaywidth(w.verb) + 3
  for _, piece in ipairs(pieces) do
    taken = taken + vim.fn.strdisplaywidth(piece[1])
  end
  local room, long = math.max(24, width - taken), vim.fn.strchars(w.target)
  if vim.fn.strdisplaywidth(w.target) <= room then return w.target end
  if w.as == "path" then return "…" .. vim.fn.strcharpart(w.target, long - room + 1) end
  return vim.fn.strcharpart(w.target, 0, room - 1) .. "…"
end

local function head(block, call, count, width)
  local w = words.of(call)
  local sign, group = unpack(signs[call.status] or signs.completed)
  if call.terminal and call.terminal.state ~= "exited" and words.ended(call) then
    sign, group = "●", "ClinedRunning"
  end
  local behind = outcome(call, w, count)
  local target = words.ended(call) and fitted(w, behind, width) or w.target
  w.cut = target ~= w.target
  local row = block:line({ sign .. " ", group }, { w.verb, "ClinedCall" }, " ", { target, targets[w.as] }, unpack(behind))
  if w.file then block.links[row] = { path = w.file, line = w.line } end
  return row, w
end

local function label(block, text) block:line({ "  " .. text, "ClinedLabel" }) end

local function result(block, text, name) block:text(output.plain(text), { group = "ClinedOutput", indent = "  ", name = name, most = most }) end

---@type table<string, fun(block: clined.chat.Block, call: clined.CallItem, w: clined.chat.Words)>
local parts = {}

function parts.command(block, call, w)
  local values = args.whole(call.args)
  local command = call.terminal and call.terminal.command or values.command
  if type(command) == "string" and (w.cut or command:find("\n")) then
    block:text(command, { group = "ClinedCommand", indent = "  $ ", name = "the command", most = 100 })
  end
  local said, printed = (call.output or ""):match("^(.-)\nOutput:\n(.*)$")
  if not said or not (said:find("^The ") or said:find("^In the sandbox")) then
    said, printed = nil, call.output or ""
  end
  local later = call.terminal and call.terminal.output or ""
  if later ~= "" then printed = printed .. (printed ~= "" and printed:sub(-1) ~= "\n" and "\n" or "") .. later end
  if printed ~= "" then
    block:text(output.plain(printed), { group = "ClinedOutput", indent = "  ", name = "what it printed", most = most, from = "end" })
  end
  if said then block:text(said, { group = "ClinedFigure", indent = "  ", most = 20 }) end
  local log = call.terminal and call.terminal.logFile
  if log then
    local row = block:line({ "  Everything it prints: ", "ClinedFigure" }, { visible.line(log), "ClinedPath" })
    block.links[row] = { path = log }
  end
  return w
end

function parts.edit(block, call, w)
  if call.diff then diff.draw(block, call.diff, { indent = "  ", path = w.file, name = "the diff", most = most }) end
  local text = call.output or ""
  if call.status == "completed" and call.diff then
    -- What the model was told beside the diff: the user's changes, the formatter's, new problems.
    local at
    for _, begins in ipairs({
      "The user changed",
      "The user took",
      "The user went",
      "The editor formatted",
      "New problems",
      "The change is in the editor",
    }) do
      local found = vim.startswith(text, begins) and 1 or (text:find("\n" .. begins, 1, true) or 0) + 1
      if found > 1 or vim.startswith(text, begins) then at = math.min(at or found, found) end
    end
    if at then
      label(block, "What the model was told")
      result(block, text:sub(at), "what the model was told")
    end
  elseif text ~= "" then
    result(block, text, "the result")
  end
end

function parts.ask(block, call)
  local values = args.whole(call.args)
  if type(values.question) == "string" then block:text(values.question, { indent = "  ", most = 100 }) end
  local text = (call.output or ""):match("<answer>\n?(.-)\n?</answer>") or call.output or ""
  if text ~= "" then block:text(text, { indent = "  → ", group = "ClinedUserBar", most = 100 }) end
end

-- Reads and searches tell all in their arguments that the line tells; their result is what counts.
local function plain(block, call)
  if call.callKind ~= "read" then
    local values, whole = args.whole(call.args)
    values.task_progress = nil
    if not whole and call.args and call.args ~= "" then
      label(block, "Arguments")
      result(block, call.args, "the arguments")
    elseif next(values) ~= nil then
      label(block, "Arguments")
      for _, key in ipairs(vim.fn.sort(vim.tbl_keys(values))) do
        local value = values[key]
        local text = type(value) == "string" and value or vim.json.encode(value)
        if text:find("\n") or #text > 120 then
          block:line({ "  " .. visible.line(key, 80) .. ":", "ClinedLabel" })
          block:text(text, { indent = "    ", name = "the argument", most = most })
        else
          block:line({ "  " .. visible.line(key, 80) .. ": ", "ClinedLabel" }, visible.line(text))
        end
      end
      if call.output and call.output ~= "" then label(block, "Answer") end
    end
  end
  if call.output and call.output ~= "" then result(block, call.output, "the result") end
end

-- What it does now, in sight: the end of what it printed.
local function running(block, call)
  local text = call.output or ""
  if call.terminal and call.terminal.output ~= "" then text = text .. call.terminal.output end
  if text ~= "" then
    local tail = output.tail(text, live)
    block:text(output.plain(tail), { group = "ClinedOutput", indent = "  ", name = "what it printed so far" })
  end
end

-- A command that waits for words, or that may be typed to.
local function asks(block, call, key)
  local terminal = call.terminal
  if not terminal or terminal.state == "exited" then return end
  if terminal.asks then block:line({ "  It waits for input: ", "ClinedDecision" }, visible.line(terminal.asks, 200)) end
  if terminal.tty or terminal.asks then
    block:line({ ("  [%s]"):format(key("type")), "ClinedKey" }, " type to it  ", { ("[%s]"):format(key("kill")), "ClinedKey" }, " stop it")
  end
end

---@param call clined.CallItem
---@param drawn? clined.chat.Block as it was drawn before
---@param key fun(name: string): string the key of an action of the chat
---@param width integer columns of the chat
---@return clined.chat.Block
function M.draw(call, drawn, key, width)
  local block = Block.new()
  block.first, block.last = "line", "line"
  local count = written(call, drawn and drawn.growing)
  block.growing = count
  local row, w = head(block, call, count, width)
  if words.ended(call) then
    (parts[call.callKind or ""] or plain)(block, call, w)
    if call.autoApproved and call.autoApproved ~= "autoApprove.read" then
      block:line({ "  Allowed unasked by " .. visible.line(call.autoApproved, 200), "ClinedFigure" })
    end
    block:fold(row)
    if call.terminal and call.terminal.state == "background" and call.terminal.asks then running(block, call) end
  elseif not words.writing(call) then
    running(block, call)
  end
  asks(block, call, key)
  return block
end

return M
