--- What a command printed, as a terminal would leave it: a carriage return begins the line anew, escape sequences go.
---
--- Pure.
local M = {}

---@param line string
---@return string
local function screen(line)
  if line:find("\27", 1, true) then
    line = line:gsub("\27%[[0-?]*[ -/]*[@-~]", ""):gsub("\27%][^\7\27]*\7?", ""):gsub("\27[PX^_][^\27]*", ""):gsub("\27[ -/]*[0-~]?", "")
  end
  line = line:gsub("\r+$", "")
  if line:find("\r", 1, true) then
    local kept = ""
    for part in line:gmatch("[^\r]+") do
      kept = #part >= #kept and part or part .. kept:sub(#part + 1)
    end
    line = kept
  end
  while line:find("\8", 1, true) do
    local shorter = line:gsub("[^\8]\8", "", 1)
    line = shorter ~= line and shorter or line:gsub("\8", "")
  end
  return line
end

--- The text without what only a terminal understands.
---@param text string
---@return string
function M.plain(text)
  if not text:find("[\27\r\8]") then return text end
  return (text:gsub("[^\n]+", screen))
end

--- The last lines of a text, so many at most. The cost follows them, not the text.
---@param text string
---@param lines integer
---@return string tail, integer? left bytes that are left out
function M.tail(text, lines)
  local at = #text - (text:sub(-1) == "\n" and 1 or 0)
  local window = math.max(1, at - lines * 400)
  local start = window
  local n = 0
  for i = at, window, -1 do
    if text:byte(i) == 10 then
      n = n + 1
      if n == lines then
        start = i + 1
        break
      end
    end
  end
  if n < lines and window > 1 then
    local feed = text:find("\n", window, true)
    start = feed and feed < at and feed + 1 or window
  end
  return text:sub(start, at), start > 1 and start - 1 or nil
end

return M
