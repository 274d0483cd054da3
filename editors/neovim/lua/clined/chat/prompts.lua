--- What the user said before, in any task: kept over restarts, walked through from the input.
---
--- Owns a file in `stdpath("state")`, one JSON text a line, the oldest first.
local M = {}

local most = 300

---@type string[]?
local all

---@return string
function M.path()
  return vim.fs.joinpath(vim.fn.stdpath("state") --[[@as string]], "clined", "said")
end

---@return string[]
local function read()
  local kept = {}
  local file = io.open(M.path(), "r")
  if not file then return kept end
  for line in file:lines() do
    local ok, text = pcall(vim.json.decode, line)
    if ok and type(text) == "string" then table.insert(kept, text) end
  end
  file:close()
  return vim.list_slice(kept, math.max(1, #kept - most + 1))
end

local function write(texts, mode)
  vim.fn.mkdir(vim.fs.dirname(M.path()), "p", "0700")
  local fd = vim.uv.fs_open(M.path(), mode, 384) -- 0600
  if not fd then return end
  for _, text in ipairs(texts) do
    vim.uv.fs_write(fd, vim.json.encode(text) .. "\n")
  end
  vim.uv.fs_close(fd)
end

--- The oldest first.
---@return string[]
function M.list()
  all = all or read()
  return all
end

---@param text string
function M.add(text)
  if #text > 100000 or not text:find("%S") then return end
  local list = M.list()
  if list[#list] == text then return end
  table.insert(list, text)
  if #list > most * 2 then
    all = vim.list_slice(list, #list - most + 1)
    write(all, "w")
  else
    write({ text }, "a")
  end
end

return M
