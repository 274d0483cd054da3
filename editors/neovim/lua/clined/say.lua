--- Sentences for the user outside of the chat, by `vim.notify` with the title "clined".
---
--- Owns that they never block: Neovim's own vim.notify waits for a key where a sentence does not fit into its line, and nothing
--- that streams in is heard until then. `:echomsg` shows what fits, and `:messages` has all of it.
local M = {}

local groups = { [vim.log.levels.WARN] = "WarningMsg", [vim.log.levels.ERROR] = "ErrorMsg" }

-- Whether no plugin shows notifications.
local function is_own()
  local source = debug.getinfo(vim.notify, "S").source
  return source == "?" or vim.startswith(source, "@vim/")
end

---@param text string
---@param level integer
local function echo(text, level)
  local shortmess = vim.o.shortmess
  vim.opt.shortmess:append("T")
  vim.cmd.redraw() -- what was told before is seen, and is no second line now
  vim.cmd.echohl(groups[level] or "None")
  pcall(vim.cmd, { cmd = "echomsg", args = { vim.fn.string((text:gsub("%s*\n%s*", " "))) } })
  vim.cmd.echohl("None")
  vim.o.shortmess = shortmess
end

--- Tells a sentence now; for what is called on the main loop.
---@param text string
---@param level integer of vim.log.levels
function M.tell(text, level)
  if is_own() then return echo(text, level) end
  vim.notify(text, level, { title = "clined" })
end

local function notify(text, level)
  vim.schedule(function() M.tell("clined: " .. text, level) end)
end

---@param text string
function M.info(text) notify(text, vim.log.levels.INFO) end

---@param text string
function M.warn(text) notify(text, vim.log.levels.WARN) end

--- What failed, and what to do next.
---@param problem string
---@param hint? string
function M.error(problem, hint) notify(hint and hint ~= "" and ("%s; hint: %s"):format(problem, hint) or problem, vim.log.levels.ERROR) end

--- What a request failed by; nothing where it did not. It may be given as what hears the answer.
---@param err? clined.Error
function M.failed(err)
  if err then M.error(err.message, vim.tbl_get(err, "data", "hint")) end
end

return M
