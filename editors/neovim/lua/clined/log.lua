--- The plugin's own log, for whoever looks for a fault: `:Clined log` shows it together with the daemon's.
---
--- Owns a file beside Neovim's other logs. Tells the user nothing: that is `vim.notify`'s, in clined.say.
local M = {}

--- Where it is: "clined.nvim.log" in `stdpath("log")`.
---@return string
function M.path()
  return vim.fs.joinpath(vim.fn.stdpath("log") --[[@as string]], "clined.nvim.log")
end

--- Bytes behind which the file begins anew, with the one before beside it as .old.
local most = 4 * 1024 * 1024

local function write(level, text)
  local path = M.path()
  local stat = vim.uv.fs_stat(path)
  if stat and stat.size > most then vim.uv.fs_rename(path, path .. ".old") end
  if not stat then vim.fn.mkdir(vim.fs.dirname(path), "p") end
  local file = io.open(path, "a")
  if not file then return end -- there is nobody to tell
  file:write(("%s %s %s\n"):format(os.date("!%Y-%m-%dT%H:%M:%SZ"), level, text))
  file:close()
end

---@param text string
function M.error(text) write("ERROR", text) end

---@param text string
function M.info(text) write("INFO", text) end

return M
