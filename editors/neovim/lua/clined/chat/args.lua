--- The arguments of a call, also while the model writes them: JSON that may stop anywhere.
---
--- Pure. What cannot be read has no values; nothing here fails.
local M = {}

-- What is read of arguments that are not whole: paths come first, long texts last.
local most = 8192

---@param text string? JSON of an object
---@return table<string, any> values, boolean whole
function M.whole(text)
  if not text or text == "" then return {}, true end
  local ok, values = pcall(vim.json.decode, text, { luanil = { object = true, array = true } })
  if ok and type(values) == "table" and not vim.islist(values) then return values, true end
  if ok and type(values) == "table" and next(values) == nil then return {}, true end
  return {}, false
end

local function string_at(text, at)
  local stop = at
  while true do
    local found = text:find('["\\]', stop)
    if not found then break end
    if text:byte(found) == 34 then
      stop = found
      break
    end
    stop = found + 2
    if stop > #text then break end
  end
  local raw = text:sub(at, (text:sub(stop, stop) == '"' and stop or #text + 1) - 1)
  for _ = 1, 12 do -- an escape that is not whole yet is left out
    local ok, value = pcall(vim.json.decode, '"' .. raw .. '"')
    if ok then return value end
    raw = raw:sub(1, -2)
  end
end

--- The texts of these keys, as far as they are written.
---@param text string?
---@param ... string keys
---@return table<string, string>
function M.partial(text, ...)
  local values = {}
  if not text then return values end
  local head = text:sub(1, most)
  for _, key in ipairs({ ... }) do
    local from, to = head:find('"' .. key .. '"%s*:%s*"')
    if from and head:sub(from - 1, from - 1) ~= "\\" then values[key] = string_at(head, to + 1) end
  end
  return values
end

--- How many lines of a long text stand in the JSON so far, by its escapes. `from` and `before` go on where an earlier count ended.
---@param text string
---@param from? integer
---@param before? integer
---@return integer lines, integer next
function M.written(text, from, before)
  local at, lines = from or 1, before or 0
  while true do
    local found = text:find("\\", at, true)
    if not found then return lines, #text + 1 end
    if found == #text then return lines, found end
    if text:byte(found + 1) == 110 then lines = lines + 1 end
    at = found + 2
  end
end

return M
