--- Completes paths of files in the input.
local M = {}

local most = 200

-- What stands before the cursor and may be a path.
---@param before string
---@return integer start, string word byte index from 0
local function word_of(before)
  local start = #before
  while start > 0 and not before:sub(start, start):find("[%s\"'`(%[{<]") do
    start = start - 1
  end
  return start, before:sub(start + 1)
end

---@param word string
---@return { word: string, menu: string }[]
local function candidates(word)
  local sign = word:sub(1, 1) == "@" and "@" or ""
  local path = word:sub(#sign + 1)
  local found = vim.fn.getcompletion(vim.fn.fnameescape(path), "file")
  local list = {}
  for i = 1, math.min(#found, most) do
    local folder = found[i]:sub(-1) == "/"
    table.insert(list, { word = sign .. found[i], menu = folder and "folder" or "file" })
  end
  return list
end

--- For 'omnifunc'.
---@param find integer
---@param base string
function M.omni(find, base)
  if find == 1 then
    local column = vim.api.nvim_win_get_cursor(0)[2]
    return (word_of(vim.api.nvim_get_current_line():sub(1, column)))
  end
  return candidates(base)
end

--- The key: the next one of the list; or the list where a path may stand; else the key's own meaning.
---@param lhs string
function M.key(lhs)
  local column = vim.api.nvim_win_get_cursor(0)[2]
  local _, word = word_of(vim.api.nvim_get_current_line():sub(1, column))
  local keys = lhs
  if vim.fn.pumvisible() == 1 then
    keys = "<C-n>"
  elseif word ~= "" and #candidates(word) > 0 then
    keys = "<C-x><C-o>"
  end
  vim.api.nvim_feedkeys(vim.keycode(keys), "ni", false)
end

return M
