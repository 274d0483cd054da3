--- A decision in words: what would happen, precisely, as lines for whoever draws them. All of it is fit to be shown: what comes from
--- the model, from files and from the daemon has signs in place of what cannot be seen.
---
--- Pure. A renderer gives each kind of word its look; one it does not know is a line of text.
local visible = require("clined.chat.visible")

local M = {}

---@alias clined.WordKind
---| "title" what is asked, in one line
---| "why" why it asks
---| "question" what the model asks; `text` may have several lines, of Markdown
---| "command" a command; may have several lines
---| "part" a simple command of it: `verdict` is "allow", "ask" or "deny", `why` says why
---| "file" a file: `path`, and `op` in words
---| "fact" a circumstance
---| "warning" one that is easily missed, and matters
---| "diff" a unified diff: `text`, of the file `path`
---| "args" arguments, as JSON of several lines
---| "option" an answer that can be chosen: `n` is its number

---@class clined.Word
---@field kind clined.WordKind
---@field text string
---@field verdict? "allow"|"ask"|"deny"|string
---@field why? string
---@field path? string absolute
---@field op? string
---@field added? integer
---@field removed? integer
---@field n? integer

local line = visible.line

---@param words clined.Word[]
local function add(words, kind, text, more) table.insert(words, vim.tbl_extend("error", { kind = kind, text = text }, more or {})) end

local function is_here(folder) return not folder or folder == require("clined.daemon.workspace").folder() end

local function shown(path) return line(vim.fn.fnamemodify(path, ":~:.")) end

-- Why a path is more than it looks.
local function marks(words, path)
  if path.real and path.real ~= "" and path.real ~= path.path then add(words, "warning", "leads to " .. line(path.real)) end
  if path.outside then add(words, "warning", "outside of the workspace") end
  if path.protected and path.protected ~= "" then add(words, "warning", "protected: " .. line(path.protected)) end
end

-- The simple commands of a line, and why each asks: each reason once, and none where it stands above already.
local function parts(words, subject, said)
  local list, seen = subject.parts or {}, {}
  local only = #list == 1 and list[1]
  if only and vim.trim(only.command) == vim.trim(subject.command or "") and (not only.reason or only.reason == said) then return end
  for _, part in ipairs(list) do
    local why = part.reason
    if not why or why == said or seen[part.verdict .. why] then
      why = part.rule
    else
      seen[part.verdict .. why] = true
    end
    add(words, "part", line(part.command), { verdict = part.verdict, why = why and line(why) or nil })
  end
end

local of = {}

function of.command(words, params)
  local subject = params.subject
  add(words, "command", visible.text(subject.command or ""))
  parts(words, subject, params.description)
  if not is_here(subject.cwd) then add(words, "fact", "in " .. shown(subject.cwd)) end
  if subject.unsandboxed then
    add(words, "warning", "without the sandbox")
  elseif subject.sandbox and subject.sandbox ~= "" then
    add(words, "fact", "sandbox: " .. line(subject.sandbox))
  end
  if subject.interactive then add(words, "fact", "with a terminal that you type into") end
  if (subject.timeout or 0) > 0 then add(words, "fact", ("stopped after %d s"):format(subject.timeout)) end
end

local ops = { create = "new file", delete = "deleted", rename = "moved" }

function of.fileEdit(words, params)
  for _, file in ipairs(params.subject.files or {}) do
    local diff = file.diff or ""
    local added, removed = require("clined.chat.words").count(diff)
    local text = file.to and ("%s → %s"):format(shown(file.path), shown(file.to.path)) or shown(file.path)
    add(words, "file", text, { path = file.path, op = ops[file.op], added = added, removed = removed })
    marks(words, file)
    if file.to then marks(words, file.to) end
    if diff ~= "" then add(words, "diff", visible.text(diff), { path = file.path }) end
  end
end

function of.fileRead(words, params)
  for _, path in ipairs(params.subject.paths or {}) do
    add(words, "file", shown(path.path), { path = path.path })
    marks(words, path)
  end
end

-- JSON with a line for each value, keys in order.
local function json(value, indent)
  if type(value) ~= "table" then return vim.json.encode(value) end
  local list = vim.islist(value)
  if next(value) == nil then return (list and not getmetatable(value)) and "[]" or "{}" end
  local inner, lines = indent .. "  ", {}
  if list then
    for _, each in ipairs(value) do
      table.insert(lines, inner .. json(each, inner))
    end
  else
    local keys = vim.tbl_keys(value)
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    for _, key in ipairs(keys) do
      table.insert(lines, ("%s%s: %s"):format(inner, vim.json.encode(tostring(key)), json(value[key], inner)))
    end
  end
  return ("%s\n%s\n%s%s"):format(list and "[" or "{", table.concat(lines, ",\n"), indent, list and "]" or "}")
end

function of.mcp(words, params)
  if params.subject.args ~= nil then add(words, "args", visible.text(json(params.subject.args, ""))) end
end

--- What a decision is about, from top to bottom.
---@param decision clined.Decision
---@return clined.Word[]
function M.of(decision)
  local params, words = decision.params, {}
  if decision.kind == "question" then
    add(words, "question", visible.text(params.text))
    for i, option in ipairs(params.options or {}) do
      add(words, "option", line(option), { n = i })
    end
    return words
  end
  add(words, "title", line(params.title, 400))
  if params.description and params.description ~= "" then add(words, "why", line(params.description, 400)) end
  local subject = params.subject
  if of[subject.type] then
    of[subject.type](words, params)
  else -- of a newer daemon
    add(words, "args", visible.text(json(subject, "")))
  end
  if decision.edited then add(words, "fact", "with your changes") end
  if (decision.left_out or 0) > 0 then add(words, "fact", ("%d of %d changes left out"):format(decision.left_out, decision.hunks)) end
  return words
end

local longest = 140

--- What would happen, or is asked, in one line.
---@param decision clined.Decision
---@return string
function M.one_line(decision)
  local params = decision.params
  if decision.kind == "question" then return line(params.text, longest) end
  local details = {}
  for _, word in ipairs(M.of(decision)) do
    if word.kind == "warning" then table.insert(details, word.text) end
    if word.kind == "file" and params.subject.type == "fileEdit" and word.added + word.removed > 0 then
      table.insert(details, ("+%d −%d"):format(word.added, word.removed))
    end
    if word.kind == "command" and word.text:find("\n", 1, true) then
      table.insert(details, visible.plural(#vim.split(vim.trim(word.text), "\n"), "line"))
    end
  end
  local title = line(params.title, longest)
  return #details == 0 and title or ("%s (%s)"):format(title, line(table.concat(details, ", "), longest))
end

--- Whether its line tells all of what would happen, so that it can be allowed from there: a command that is there in full and runs
--- here, or one file that is named by its path. An edit and what a server is sent need more room.
---@param decision clined.Decision
---@return boolean
function M.is_told(decision)
  if decision.kind ~= "approval" then return false end
  local params, subject = decision.params, decision.params.subject
  local said = M.one_line(decision)
  if visible.text(params.title) ~= params.title or params.title:find("[\n\t]") then return false end
  if subject.type == "command" then
    local command = vim.trim(subject.command or "")
    return command ~= "" and said:find(command, 1, true) ~= nil and is_here(subject.cwd)
  end
  local paths = subject.paths or {}
  local path = paths[1]
  return subject.type == "fileRead" and #paths == 1 and (path.real or path.path) == path.path and said:find(path.path, 1, true) ~= nil
end

--- The rule that an option stores, where its name does not say it.
---@param option table
---@return string?
function M.rule_of(option)
  local rule = option.rule
  if not rule then return end
  local reach = rule.scope == "task" and "in this task" or rule.scope == "workspace" and "in this workspace" or "everywhere"
  if option.name:find(("%s (%s)"):format(rule.pattern, reach), 1, true) then return end
  return ("%s, %s"):format(line(rule.pattern), reach)
end

--- The name of an option.
---@param option table
---@return string
function M.option(option)
  local rule = M.rule_of(option)
  return line(option.name) .. (rule and (" (%s)"):format(rule) or "")
end

return M
