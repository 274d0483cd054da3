--- Highlights what the model says as Markdown, and nothing else: each answer is a region of its own for the parser, so that a code
--- block which is not closed ends with its answer, and no star in a command or a file turns into emphasis.
---
--- Owns the parser of the chat's buffer. Without a parser for Markdown the text stays plain, with the syntax of syntax/clined.vim.
local M = {}

---@type table<integer, vim.treesitter.LanguageTree|false>
local parsers = {}
local starting = false

-- The query of Markdown's highlights, without what hides whole lines: which lines are hidden is asked line by line, in front of all that
-- depends on the height of a window and after each change, and takes ten times as long as everything else in drawing. So the fences
-- of code are shown as they are.
---@return string
local function highlights()
  local texts = {}
  for _, path in ipairs(vim.treesitter.query.get_files("markdown", "highlights")) do
    local file = io.open(path, "r")
    if file then
      table.insert(texts, file:read("*a"))
      file:close()
    end
  end
  local fences = { "%(fenced_code_block_delimiter%) @[%w._]+%s*", "%(language%) @[%w._]+%s*" }
  local query = table.concat(texts, "\n")
  for _, fence in ipairs(fences) do
    query = query:gsub("(" .. fence .. ')%(#set! conceal ""%)', "%1")
  end
  return (query:gsub('%(#set! conceal_lines "[^"]*"%)', ""))
end

-- With the first answer that is seen, and behind its drawing: reading the queries takes longer than opening the chat.
---@param buf integer
local function start(buf)
  local ok, parser = pcall(vim.treesitter.get_parser, buf, "markdown")
  parsers[buf] = ok and parser or false
  if not parsers[buf] then
    vim.bo[buf].syntax = "clined"
    return
  end
  parser:set_included_regions({})
  -- A query of the user's that this Neovim cannot read is told by the second way.
  if not pcall(vim.treesitter.highlighter.new, parser, { queries = { markdown = highlights() } }) then
    vim.treesitter.start(buf, "markdown")
  end
end

--- The buffer is gone.
---@param buf integer
function M.stop(buf) parsers[buf] = nil end

-- The sections of answers that windows show, from top to bottom.
---@param transcript clined.chat.Transcript
---@return Range4[][]
local function seen(transcript)
  local regions, known = {}, {}
  for _, win in ipairs(transcript:windows()) do
    local top, bottom = vim.fn.line("w0", win) - 1, vim.fn.line("w$", win) - 1
    local at = transcript:find(top)
    while at and transcript.blocks[at] and transcript:row(at) <= bottom do
      local row = transcript:row(at)
      for _, range in ipairs(transcript.blocks[at].markdown) do
        local first, last = row + range.first, row + range.last
        if first <= bottom and last >= top and not known[first] then
          known[first] = true
          local region = { { first, 0, last + 1, 0 } }
          if range.open then table.insert(region, 1, { row + range.open, 0, row + range.open + 1, 0 }) end
          regions[#regions + 1] = region
        end
      end
      at = at + 1
    end
  end
  table.sort(regions, function(a, b) return a[#a][1] < b[#b][1] end)
  return regions
end

--- Tells the parser where the answers are that windows show now. Those alone: a region that is not drawn is not parsed, one that is
--- not parsed does not outlive the next change of the buffer, and where one is missing all are parsed again.
---@param transcript clined.chat.Transcript
function M.update(transcript)
  if parsers[transcript.buf] == false then return end
  local regions = seen(transcript)
  local parser = parsers[transcript.buf]
  if parser then return parser:set_included_regions(regions) end
  if #regions == 0 or starting then return end
  starting = true
  vim.schedule(function()
    starting = false
    if not vim.api.nvim_buf_is_loaded(transcript.buf) then return end
    start(transcript.buf)
    M.update(transcript)
  end)
end

return M
