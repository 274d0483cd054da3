--- Highlights what the model says as Markdown, and nothing else: each answer is a region of its own for the parser, so that a code
--- block which is not closed ends with its answer, and no star in a command or a file turns into emphasis.
---
--- Owns the parser of the chat's buffer. Without a parser for Markdown the text stays plain, with the syntax of syntax/clined.vim.
local M = {}

---@type table<integer, vim.treesitter.LanguageTree|false>
local parsers = {}
---@type table<integer, string>
local told = {}

---@param buf integer
function M.start(buf)
  local ok, parser = pcall(vim.treesitter.get_parser, buf, "markdown")
  parsers[buf] = ok and parser or false
  if parsers[buf] then
    parser:set_included_regions({})
    vim.treesitter.start(buf, "markdown")
  else
    vim.bo[buf].syntax = "clined"
  end
end

---@param buf integer
function M.stop(buf)
  parsers[buf], told[buf] = nil, nil
end

--- Tells the parser where the answers are now.
---@param transcript clined.chat.Transcript
function M.update(transcript)
  local parser = parsers[transcript.buf]
  if not parser then return end
  local regions, row, ends = {}, 0, {}
  for _, block in ipairs(transcript.blocks) do
    for _, range in ipairs(block.markdown) do
      regions[#regions + 1] = { { row + range.first, 0, row + range.last + 1, 0 } }
      ends[#ends + 1] = row + range.first
      ends[#ends + 1] = row + range.last
    end
    row = row + #block.lines
  end
  parser:set_included_regions(regions)
end

return M
