--- Text that may lie about itself, made fit to be shown: control characters and those that turn the direction of what is beside
--- them become signs, long lines are cut.
---
--- Pure. Whatever comes from the model, from tools or from files goes through here before it is drawn.
local M = {}

--- Bytes of a line that are shown; what is longer would slow the drawing.
M.longest = 2000

-- U+2028 becomes a sign as well: it is no line end to Neovim, but is to terminals.
local lying = {
  { "\194[\128-\159]", 0x80, 0x9f }, -- C1 controls
  { "\194\173", 0xad, 0xad }, -- soft hyphen
  { "\216\156", 0x61c, 0x61c },
  { "\225\160\142", 0x180e, 0x180e },
  { "\226\128[\139\142\143\168-\174]", 0x200b, 0x202e }, -- joiners stay: scripts and emoji need them
  { "\226\129[\160-\175]", 0x2060, 0x206f },
  { "\239\187\191", 0xfeff, 0xfeff },
  { "\239\191[\185-\187]", 0xfff9, 0xfffb },
  { "\243\160[\128\129][\128-\191]", 0xe0000, 0xe007f }, -- tags
}

local function sign(char) return ("<%04x>"):format(vim.fn.char2nr(char, true)) end

local function caret(char)
  local code = char:byte()
  return code == 127 and "^?" or "^" .. string.char(code + 64)
end

--- The text with signs for what cannot be seen; line feeds and tabs stay.
---@param text string
---@return string
function M.text(text)
  if text:find("[%z\1-\8\11-\31\127]") then text = text:gsub("\r\n", "\n"):gsub("[%z\1-\8\11-\31\127]", caret) end
  if text:find("[\194\216\225\226\239\243]") then
    for _, kind in ipairs(lying) do
      text = text:gsub(kind[1], sign)
    end
  end
  return text
end

--- The text cut to so many bytes, between two characters, with a sign that it is.
---@param text string
---@param most integer
---@return string
function M.clip(text, most)
  if #text <= most then return text end
  local stop = most
  while stop > most - 4 and (text:byte(stop + 1) or 0) >= 0x80 and (text:byte(stop + 1) or 0) < 0xc0 do
    stop = stop - 1
  end
  return text:sub(1, stop) .. "…"
end

--- The text as one line: what breaks lines and repeated blanks are one blank.
---@param text string
---@param most? integer bytes
---@return string
function M.line(text, most)
  text = most and #text > most * 4 and text:sub(1, most * 4) or text
  text = vim.trim(M.text((text:gsub("%s+", " "))))
  return most and M.clip(text, most) or text
end

local function cut(line)
  local left = #line - M.longest
  return ("%s [%d bytes more]"):format(M.clip(line, M.longest), left)
end

--- The lines of a text, as they are drawn. None holds a line feed.
---@param text string
---@return string[] lines
---@return table<integer, true>? cut which of them, from 1, are not whole
function M.lines(text)
  local lines = vim.split(text, "\n", { plain = true })
  local short
  for i, line in ipairs(lines) do
    if line:sub(-1) == "\r" then line = line:sub(1, -2) end
    if #line > M.longest then
      short = short or {}
      short[i] = true
      line = cut(line)
    end
    lines[i] = M.text(line)
  end
  return lines, short
end

---@param n integer
---@param word string
---@param words? string
---@return string
function M.plural(n, word, words)
  local figure = tostring(n):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return figure .. " " .. (n == 1 and word or words or word .. "s")
end

return M
