--- What a tool call is in words: what it does to what, and a quiet figure. Made of its kind, title, arguments and output; what is
--- not understood falls back to the title, then to the name.
---
--- Pure.
local args = require("clined.chat.args")
local visible = require("clined.chat.visible")

local M = {}

---@class clined.chat.Words
---@field verb string
---@field target string
---@field as "path"|"code"|"text" how the target is set
---@field file? string the one file that it is about
---@field line? integer from 1
---@field figure? string
---@field added? integer
---@field removed? integer
---@field cut? boolean the target is not shown whole

local plural = visible.plural

---@param call clined.CallItem
---@return boolean
function M.ended(call) return call.status ~= "pending" and call.status ~= "in_progress" end

--- Whether the model may still be writing the arguments.
---@param call clined.CallItem
---@return boolean
function M.writing(call) return call.status == "pending" or (call.status == "in_progress" and not call.title) end

local function first_line(text) return text and text:match("^[^\n]*") or "" end

local function string_of(value)
  if type(value) == "string" then return value end
  return value == nil and "" or vim.json.encode(value)
end

-- A figure of the first line of the output.
local function counted(call, patterns, word, words)
  if call.status ~= "completed" then return end
  for _, pattern in ipairs(patterns) do
    local n = first_line(call.output):match(pattern)
    if n then return plural(tonumber(n), word, words) end
  end
end

local function name_of(call, path)
  if path ~= "." and path ~= "./" then return path end
  return call.locations and call.locations[1] and vim.fs.basename(call.locations[1]) or path
end

--- Lines that a diff adds and takes away.
---@param diff string
---@return integer added, integer removed, integer? line the first that is changed, in the new text
function M.count(diff)
  local added, removed, line = 0, 0, nil
  for row in M.rows(diff) do
    if row.kind == "added" then
      added = added + 1
    elseif row.kind == "removed" then
      removed = removed + 1
    end
    if row.kind == "added" or row.kind == "removed" then line = line or row.line end
  end
  return added, removed, line
end

local signs = { ["+"] = "added", ["-"] = "removed", [" "] = "same", ["\\"] = "note" }

--- The lines of a unified diff: `kind`, `text`, and where in the new text (`line`, from 1) they are. A hunk has as many lines as
--- its head says: what looks like the head of a file within it is none.
---@param diff string
---@return fun(): { kind: "head"|"hunk"|"added"|"removed"|"same"|"note", text: string, line?: integer, path?: string }?
function M.rows(diff)
  local lines, i, old, new, at = vim.split(diff, "\n", { plain = true }), 0, 0, 0, 1
  if lines[#lines] == "" then table.remove(lines) end
  return function()
    i = i + 1
    local text = lines[i]
    if not text then return end
    local kind = old + new > 0 and (signs[text:sub(1, 1)] or text == "" and "same") or text:sub(1, 1) == "\\" and "note"
    if not kind then
      local minus, start, plus = text:match("^@@ %-%d+,?(%d*) %+(%d+),?(%d*) @@")
      if not start then return { kind = "head", text = text, path = text:match("^%+%+%+ b?/?([^\t]+)") } end
      old, new, at = tonumber(minus) or 1, tonumber(plus) or 1, tonumber(start)
      return { kind = "hunk", text = text, line = at }
    end
    local row = { kind = kind, text = text, line = math.max(at, 1) }
    if kind ~= "added" and kind ~= "note" then old = old - 1 end
    if kind ~= "removed" and kind ~= "note" then
      new, at = new - 1, at + 1
    end
    return row
  end
end

---@type table<string, fun(call: clined.CallItem, values: table): clined.chat.Words>
local tools = {}

function tools.read_file(call, values)
  local list = type(values.files) == "table" and values.files or {}
  local one = #list == 1 and not values.path and (type(list[1]) == "table" and list[1] or { path = list[1] }) or values
  local n = #list + (values.path and 1 or 0)
  if n > 1 then return { verb = "Read", target = plural(n, "file"), as = "text" } end
  local path = string_of(one.path or one.absolutePath)
  local from, to = first_line(call.output):match(", lines (%d+)%-(%d+)")
  local figure = from and ("%s–%s"):format(from, to) or counted(call, { ", (%d+) lines?$" }, "line")
  local start = tonumber(from) or tonumber(one.start_line)
  local file = call.locations and call.locations[1] or path
  return { verb = "Read", target = path, as = "path", figure = figure, file = file ~= "" and file or nil, line = start }
end

function tools.list_files(call, values)
  local figure = counted(call, { "%((%d+) entr", "%(the first (%d+) entr" }, "entry", "entries")
  return { verb = "List", target = name_of(call, string_of(values.path)), as = "path", figure = figure }
end

function tools.search_files(call, values)
  local figure = (call.output or ""):find("^No matches") and "no matches" or counted(call, { "^Found (%d+) match" }, "match", "matches")
  local where = {}
  for _, part in ipairs({ string_of(values.path), string_of(values.file_pattern) }) do
    if part ~= "" and part ~= "." then table.insert(where, part) end
  end
  if #where > 0 then figure = "in " .. table.concat(where, " · ") .. (figure and ", " .. figure or "") end
  return { verb = "Search", target = string_of(values.regex), as = "code", figure = figure }
end

function tools.list_code_definition_names(call, values)
  local figure = counted(call, { "^(%d+) definitions?" }, "definition")
  return { verb = "Outline", target = name_of(call, string_of(values.path)), as = "path", figure = figure }
end

-- How a command ended, as the first line of its result says.
local function exit(call)
  if not M.ended(call) then return end
  local terminal, said = call.terminal or {}, first_line(call.output)
  if terminal.state == "background" then return "in background" end
  if terminal.state ~= "exited" and (said:find("still running in the background") or said:find("the user let the command go on")) then
    return "sent to background"
  end
  if said:find("stopped by its timeout") then return "timed out" end
  if terminal.signal and call.status ~= "cancelled" then return terminal.signal end
  local code = terminal.exitCode or tonumber(said:match("exit code (%-?%d+)"))
  if code and code ~= 0 then return "exit " .. code end
  local took = said:match("%(exit code 0, ([^)]+)%)")
  if took and took ~= "0s" and not took:match("^%d%d?%d?ms$") then return took end
end

function tools.execute_command(call, values)
  local outside = vim.startswith(call.title or "", "Run outside the sandbox")
  local command = call.terminal and call.terminal.command or string_of(values.command)
  return { verb = outside and "Run outside the sandbox" or "Run", target = command, as = "code", figure = exit(call) }
end

function tools.ask_followup_question(call, values)
  local answer = call.status == "completed" and ((call.output or ""):match("<answer>\n?(.-)\n?</answer>") or call.output)
  return {
    verb = "Ask",
    target = (string_of(values.question):gsub("%*%*", ""):gsub("`", "")),
    as = "text",
    figure = answer and answer ~= "" and "→ " .. answer or nil,
  }
end

function tools.access_mcp_resource(_, values)
  local server = string_of(values.server_name)
  return { verb = server ~= "" and server or "Read", target = string_of(values.uri), as = "code" }
end

local verbs = { Edit = true, Create = true, Delete = true, Move = true }

local function editing(call, values)
  local verb = (call.title or ""):match("^(%S+) ")
  local words =
    { verb = verbs[verb] and verb or call.name == "write_to_file" and "Write" or "Edit", target = string_of(values.path), as = "path" }
  if words.target == "" then
    local paths, seen = {}, {}
    for path in string_of(values.input):gmatch("%*%*%* %u%l+ File: ([^\n]*)") do
      if not seen[path] then
        seen[path] = true
        table.insert(paths, vim.trim(path))
      end
    end
    words.target = paths[1] or ""
    if #paths > 1 then
      words.target, words.as, words.verb = plural(#paths, "file"), "text", "Edit"
    end
  end
  local places = call.locations or {}
  words.file = #places == 1 and places[1] or words.as == "path" and words.target ~= "" and words.target or nil
  if call.diff then
    words.added, words.removed, words.line = M.count(call.diff)
  end
  return words
end
tools.write_to_file, tools.replace_in_file, tools.apply_patch = editing, editing, editing

-- A tool of a newer daemon, or one that does not exist.
local function of_title(call, values)
  if call.title then
    local verb, target = call.title:match("^(%S+)%s+(.*)$")
    return { verb = verb or call.title, target = target or "", as = "text" }
  end
  local _, first = next(values)
  return { verb = call.name ~= "" and call.name or "Tool", target = type(first) == "string" and first or "", as = "text" }
end

---@param call clined.CallItem
---@return clined.chat.Words
function M.of(call)
  local values, whole = args.whole(not M.writing(call) and call.args or nil)
  if M.writing(call) or not whole then
    values = args.partial(call.args, "path", "command", "regex", "question", "input", "uri", "server_name")
  end
  local words
  if tools[call.name] then
    words = tools[call.name](call, values)
  elseif call.server or call.callKind == "mcp" then
    words = { verb = call.server or "MCP", target = call.tool or call.name, as = "text" }
  else
    words = of_title(call, values)
  end
  words.target = visible.line(words.target, 300)
  words.verb = visible.line(words.verb, 80)
  words.figure = words.figure and visible.line(words.figure, 200)
  return words
end

--- Calls that say nothing beside what follows them as a message: they are not shown unless they fail.
---@param call clined.CallItem
---@return boolean
function M.quiet(call)
  local bad = call.status == "failed" or call.status == "denied"
  return call.callKind == "control" and not bad and call.name ~= "load_mcp_documentation"
end

--- What went wrong, in one line.
---@param call clined.CallItem
---@return string?
function M.reason(call)
  local output = call.output or ""
  if call.status == "failed" then
    local said = first_line(output):gsub("^Error: ", "")
    if call.callKind == "command" and said:find("^The command failed with exit code") then return end
    if said:find("^The tool reports an error:?$") then said = output:sub(#first_line(output) + 1, #said + 300) end
    return said ~= "" and visible.line(said, 200) or nil
  elseif call.status == "denied" then
    local feedback = output:match("<feedback>\n(.-)\n</feedback>")
    return feedback and "“" .. visible.line(feedback, 200) .. "”" or nil
  end
end

return M
