--- What a person can read off the screen of this Neovim; the driver has it run within the one that it works.
---
--- Read otherwise: where a block of the chat ends, for between two messages is a blank line as within one; how the last line of a
--- text ends, and texts of files that no window shows, of which no screen shows anything.
local rows_of = require("tests.conformance.rows")

local api = vim.api
local M = {}

local row_of, starts, texts = rows_of.read, rows_of.starts, rows_of.texts

local function window_of(name)
  local buf = vim.fn.bufnr("^" .. name .. "$")
  return buf > 0 and vim.fn.win_findbuf(buf)[1] or nil, buf
end

-- What can be pressed, of the line of keys below what is asked, and whether a diff can be shown.
local function choices(row)
  local list, shows = {}, false
  for i, look in ipairs(row.looks) do
    local key = row.text:sub(look.from + 1, look.to)
    local behind = row.looks[i + 1]
    local words = vim.trim(row.text:sub(look.to + 1, behind and behind.from or -1))
    if key == "[d]" then
      shows = true
    else
      table.insert(list, words)
    end
  end
  return list, shows
end

local function is_keys(row)
  local first = row.looks[1]
  return first ~= nil and first.group == "ClinedKey" and row.text:sub(first.from + 1, first.from + 1) == "["
end

-- One decision, whose first row is rows[at]; returns the row behind it as well.
local function decision(rows, at)
  local last = at
  while rows[last + 1] and not is_keys(rows[last]) and rows[last].text ~= "  after the one above" do
    last = last + 1
  end
  if rows[at].text ~= "? It asks" then
    local keys, shows = {}, false
    if is_keys(rows[last]) then
      keys, shows = choices(rows[last])
    end
    return { kind = "approval", title = rows[at].text:sub(3), detail = texts(rows, at, last - 1), options = keys, shows = shows }, last + 1
  end
  local question, options = {}, {}
  for i = at + 1, last - 1 do
    local first = rows[i].looks[1]
    if first and first.group == "ClinedKey" then
      table.insert(options, (rows[i].text:sub(first.to + 1)))
    else
      table.insert(question, rows[i].text)
    end
  end
  return { kind = "question", title = vim.trim(table.concat(question, "\n")), options = options }, last + 1
end

local stands = {
  { "Interrupted", "interrupted" },
  { "Stopped at a decision", "needs_user" },
  { "Stopped", "cancelled" },
  { "", "running" }, -- it waits for something
}

-- The end of the chat: what waits to be said, what is asked, what it does and why it does nothing.
local function tail(rows, seen)
  local i = 1
  while i <= #rows do
    local row = rows[i]
    if row.bar == "┊" then
      local from = i
      while rows[i + 1] and rows[i + 1].bar == "┊" do
        i = i + 1
      end
      table.insert(seen.items, { kind = "user", text = texts(rows, from, i), status = "pending", row = rows[from].row })
    elseif starts(row, "? ", "ClinedDecision") and row.text ~= "? Waits for a decision" then
      local found
      found, i = decision(rows, i)
      table.insert(seen.pending, found)
      i = i - 1
    elseif starts(row, "● ", "ClinedRunning") then
      seen.doing = "running"
      seen.writing = vim.startswith(row.text, "● Writing")
    elseif row.text == "◌ Starting clined" then
      seen.starting = true
    elseif vim.startswith(row.text, "◌ ") then
      for _, stand in ipairs(stands) do
        if row.text:find("◌ " .. stand[1], 1, true) == 1 then
          seen.doing = stand[2]
          break
        end
      end
    elseif starts(row, "✗ ", "ClinedFailed") then
      local hint = rows[i + 1] and starts(rows[i + 1], "  ", "ClinedFigure") and rows[i + 1].text or ""
      table.insert(seen.troubles, row.text:sub(#"✗ " + 1) .. (hint ~= "" and "; " .. vim.trim(hint) or ""))
    end
    i = i + 1
  end
end

local states = {
  working = "running",
  waiting = "running",
  ["needs you"] = "requires_action",
  stopped = "cancelled",
  interrupted = "interrupted",
  failed = "error",
  ["plan ready"] = "plan_presented",
  done = "completed",
}

-- The line above the chat.
local function bar(win, seen)
  local drawn = api.nvim_eval_statusline(vim.wo[win].winbar, { winid = win, use_winbar = true, highlights = true })
  local title, right = drawn.str, ""
  for i, look in ipairs(drawn.highlights) do
    local behind = drawn.highlights[i + 1]
    if (look.group or look.groups[#look.groups]) == "ClinedBar" and behind then
      title, right = drawn.str:sub(look.start + 1, behind.start), drawn.str:sub(behind.start + 1)
    end
  end
  seen.title = vim.trim(title)
  for _, word in ipairs(vim.split(vim.trim(right), " · ", { plain = true })) do
    seen.says = seen.says or states[word]
    if word == "act" or word == "plan" then seen.mode = word end
    if word == "clined does not run" or word == "starting" then seen.down = true end
  end
end

-- What a task does. The line above the chat is a moment ahead of the chat, which is drawn a few times a second: as long as both
-- differ it is what the chat says, so that all of it is of one moment.
local function status_of(seen)
  if #seen.pending > 0 then return "requires_action" end
  if seen.says == "running" then return "running" end
  return seen.doing or seen.says or ""
end

-- The chat, wherever it is shown.
local function chat()
  local seen = { items = {}, pending = {}, troubles = {} }
  local win, buf = window_of("clined://chat")
  local drawn = require("clined.chat.view").transcript()
  if not win or not drawn then return seen end
  bar(win, seen)
  for at = 2, #drawn.blocks do
    local rows = {}
    for row = drawn:row(at), drawn:row(at) + #drawn.blocks[at].lines - 1 do
      table.insert(rows, row_of(win, buf, row))
    end
    if at == #drawn.blocks then
      tail(rows, seen)
    else
      while rows[1] and rows[1].text == "" do
        table.remove(rows, 1)
      end
      if rows[1] then table.insert(seen.items, vim.tbl_extend("force", rows_of.item(rows), { row = rows[1].row })) end
    end
  end
  local last = #drawn.blocks > 2 and drawn.blocks[#drawn.blocks - 1]
  for i = #seen.items, 1, -1 do
    local one = seen.items[i]
    if one.status ~= "pending" or one.kind ~= "user" then
      if last and seen.writing and one.kind == "assistant" then one.status = "in_progress" end
      break
    end
  end
  seen.connected = seen.mode ~= nil and not (seen.down and (seen.starting or #seen.troubles > 0))
  local begins = vim.startswith(table.concat(api.nvim_buf_get_lines(buf, 0, 3, false), "\n"), "\nWhat shall we work on?")
  if not begins and seen.title ~= "clined" then seen.task = { title = seen.title, status = status_of(seen) } end
  return seen
end

--- The text of a buffer, as it would be written.
---@param buf integer
---@return string
function M.text(buf)
  local lines = api.nvim_buf_get_lines(buf, 0, -1, false)
  if #lines == 1 and lines[1] == "" then return "" end
  return table.concat(lines, "\n") .. (vim.bo[buf].endofline and "\n" or "")
end

--- Views of proposals: both sides of each, with the window of the proposed one.
---@return { path: string, base: string, proposed: string, win: integer }[]
function M.diffs()
  local list = {}
  for _, tab in ipairs(api.nvim_list_tabpages()) do
    local base
    for _, win in ipairs(api.nvim_tabpage_list_wins(tab)) do
      local buf = api.nvim_win_get_buf(win)
      local kind, path = api.nvim_buf_get_name(buf):match("^clined://(%a+)/%d+/(.*)$")
      if kind == "base" and vim.wo[win].diff then base = M.text(buf) end
      if kind == "proposal" and vim.wo[win].diff and base then
        table.insert(list, { path = path, base = base, proposed = M.text(buf), win = win })
      end
    end
  end
  return list
end

local function buffers()
  local found, work = vim.empty_dict(), vim.fn.getcwd(-1, -1) .. "/"
  for _, buf in ipairs(api.nvim_list_bufs()) do
    local name = api.nvim_buf_get_name(buf)
    if vim.bo[buf].buflisted and api.nvim_buf_is_loaded(buf) and vim.startswith(name, work) then
      found[name:sub(#work + 1)] = M.text(buf)
    end
  end
  return found
end

--- All of it.
function M.read()
  local seen = chat()
  seen.diffs, seen.buffers = M.diffs(), buffers()
  seen.messages = vim.split(api.nvim_exec2("messages", { output = true }).output, "\n")
  return seen
end

local listed = {
  [""] = "completed", -- of one that is simply done nothing is said
  ["● works"] = "running",
  ["? needs you"] = "requires_action",
  ["◌ interrupted"] = "interrupted",
  ["✗ failed"] = "error",
  ["⊘ stopped"] = "cancelled",
  ["plan"] = "plan_presented",
}

--- The list of tasks, once it is there.
---@return { title: string, status: string }[]?
function M.history()
  local win, buf = window_of("clined://history")
  if not win or api.nvim_buf_get_lines(buf, 0, 1, false)[1] == " …" then return end
  local list = {}
  for row = 0, api.nvim_buf_line_count(buf) - 1 do
    local line = row_of(win, buf, row)
    local ago
    for _, look in ipairs(line.looks) do
      if look.from > 4 and look.group == "ClinedFigure" then
        ago = look
        break
      end
    end
    if ago then
      local state = vim.trim(vim.fn.strcharpart(line.text:sub(ago.to + 1), 0, 15))
      table.insert(list, { title = vim.trim(vim.fn.strcharpart(line.text:sub(1, ago.from), 1)), status = listed[state] or state })
    end
  end
  return list
end

return M
