--- Messages: what the user said, beside a bar; what the model says, as it is, in Markdown; its reasoning, folded.
local Block = require("clined.chat.render.block")
local sections = require("clined.chat.render.sections")
local visible = require("clined.chat.visible")

local M = {}

--- Reasoning that is being written shows its newest lines, so many.
local glimpse = 6

local function blank(text) return not text or not text:find("%S") end

local function is_open(item) return item.status == "in_progress" or item.status == "pending" end

--- The words of a message, without reasoning.
---@param item clined.MessageItem
---@return string
function M.words(item)
  local parts = {}
  for _, part in ipairs(item.content) do
    if part.type == "text" and not blank(part.text) then table.insert(parts, part.text) end
  end
  return table.concat(parts, "\n\n")
end

--- Whether there is anything to show of it. What the user said and the model has not heard yet is shown at the end.
---@param item clined.MessageItem
---@return boolean
function M.shows(item)
  if item.role == "user" then return item.status ~= "pending" end
  if item.command then return true end
  for _, part in ipairs(item.content) do
    if part.type ~= "image" and not blank(part.text) then return true end
  end
  return false
end

--- What the user said.
---@param item clined.MessageItem
---@param kind "user"|"waiting"
---@return clined.chat.Block
function M.said(item, kind)
  local block = Block.new()
  local pictures = 0
  for _, part in ipairs(item.content) do
    if part.type == "image" then pictures = pictures + 1 end
  end
  local group = kind == "user" and "ClinedUser" or "ClinedWaiting"
  block:text(vim.trim(M.words(item)), { name = "what you said", most = 400 })
  if pictures > 0 then block:line({ "[" .. visible.plural(pictures, "picture") .. "]", "ClinedFigure" }) end
  for row = 0, #block.lines - 1 do
    block:mark(row, 0, { line_hl_group = group, priority = 90 })
    block.gutter[row] = kind
  end
  return block
end

local function thought(block, text, done, last, unfolded)
  text = vim.trim(text)
  local head = block:line({ done and "◇ Thought" or "◇ Thinking", "ClinedThought" })
  if not last then block.first = "line" end
  if done then
    block:text(text, { group = "ClinedThought", indent = "  ", name = "reasoning", most = 2000 })
    block:fold(head, unfolded)
  else
    -- Only the end is looked at: this is drawn at each delta.
    local tail = #text > 4000 and text:sub(-4000):gsub("^[^\n]*\n?", "") or text
    local lines = visible.lines(tail)
    for i = math.max(1, #lines - glimpse + 1), #lines do
      block:line({ "  " .. lines[i], "ClinedThought" })
    end
  end
end

---@param block clined.chat.Block
---@param text string
---@param part integer
---@param open boolean
local function answer(block, text, part, open)
  local lead = #text:match("^%s*") -- a blank line in front is the chat's to make
  local lead_lines = text:sub(1, lead):match("^.*\n") -- but the indent of the first line is the text's
  lead = lead_lines and #lead_lines or 0
  local body = text:sub(lead + 1)
  if not open then body = body:gsub("%s+$", "") end
  local first = block:row()
  local lines, short = visible.lines(body)
  for i, line in ipairs(lines) do
    block.lines[#block.lines + 1] = line
    if short and short[i] then block.links[#block.lines - 1] = { text = text, name = "the answer" } end
  end
  table.insert(block.markdown, { first = first, last = block:row() - 1 })
  local section = sections.new()
  sections.cut(section, block.markdown, block.lines, not open)
  local last = body:match("^.*\n")
  block.growing = { part = part, from = lead + (last and #last or 0) + 1, section = section }
end

---@param item clined.MessageItem
---@return clined.chat.Block
local function heard(item)
  local block, last = Block.new(), nil
  local unfolded = require("clined.config").get().chat.reasoning
  local ended = not is_open(item)
  for i, part in ipairs(item.content) do
    if not blank(part.text) then
      local kind = part.type == "thought" and "line" or "text"
      if last and not (last == "line" and kind == "line") then block:line("") end
      block.growing = nil
      if part.type == "thought" then
        thought(block, part.text, ended or i < #item.content, last, unfolded)
      else
        answer(block, part.text, i, not ended and i == #item.content)
      end
      if not last then block.first = kind end
      last = kind
    end
  end
  block.last = last or "text"
  if ended then block.growing = nil end
  if item.status == "cancelled" then block:line({ "stopped here", "ClinedFigure" }) end
  if item.command then
    if last then block:line("") end
    block:line({ "To run yourself: ", "ClinedLabel" }, { visible.line(item.command, 1000), "ClinedCommand" })
    block.last = "text"
  end
  return block
end

---@param item clined.MessageItem
---@return clined.chat.Block
function M.draw(item)
  if item.role == "user" then return M.said(item, "user") end
  return heard(item)
end

--- What a message that grew by text at its end has from `row` on, in place of what it had there. Nothing where more than that
--- changed. The cost follows what was added.
---@param block clined.chat.Block as it is drawn; it is changed
---@param item clined.MessageItem
---@return integer? row, string[]? lines
function M.grow(block, item)
  local growing = block.growing
  if not growing or growing.part ~= #item.content or not is_open(item) then return end
  local text = item.content[growing.part].text
  local fresh = text:sub(growing.from)
  local lines, short = visible.lines(fresh)
  local row = #block.lines - 1
  for i, line in ipairs(lines) do
    block.lines[row + i] = line
    if short and short[i] then block.links[row + i - 1] = { text = text, name = "the answer" } end
  end
  local last = fresh:match("^.*\n")
  if last then growing.from = growing.from + #last end
  block.markdown[#block.markdown].last = #block.lines - 1
  sections.cut(growing.section, block.markdown, block.lines)
  return row, lines
end

return M
