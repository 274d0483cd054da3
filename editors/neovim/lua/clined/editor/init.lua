--- The editor as the model sees it.
---
--- Owns what the daemon is told of screen, terminals and problems, and when. Texts of buffers are told by
--- clined.daemon.documents; nothing is drawn, and no buffer is changed. The rest of the folder is its own.
local daemon = require("clined.daemon")
local events = require("clined.events")
local problems = require("clined.editor.problems")
local screen = require("clined.editor.screen")
local settle = require("clined.editor.settle")
local terminals = require("clined.editor.terminals")

local M = {}

local delay = require("clined.editor.delay").new(function() M.flush() end)
local rev = 0
-- The state that was told last, and as text without its number.
local told, last
local stale = false
-- Buffers with news of their problems.
---@type table<integer, true>
local news = {}

local function running() return daemon.state().kind == "running" end

--- Tells at once what was not told yet. To be called before something is said, so that the model sees what the user sees.
function M.flush()
  delay:cancel()
  if not running() or not stale then return end
  stale = false
  for buf in pairs(news) do
    local uri = screen.uri(buf)
    if uri then daemon.notify("clined/editor/didChangeDiagnostics", { uri = uri, diagnostics = problems.of(buf) }) end
  end
  news = {}
  local state = screen.read(told)
  state.terminals = terminals.list()
  state.checkedLanguages = settle.languages()
  local text = vim.json.encode(state)
  if text == last then return end
  last, told = text, state
  rev = rev + 1
  daemon.notify("clined/editor/didChangeState", vim.tbl_extend("error", { rev = rev }, state))
end

local function touch()
  if not running() then return end
  stale = true
  delay:touch()
end

-- A new process knows nothing. It is told before the request that it was started for.
local function begin()
  last, stale = nil, true
  for _, buf in ipairs(problems.buffers()) do
    news[buf] = true
  end
  M.flush()
end

---@param buf integer
local function published(buf)
  settle.published(buf)
  if not running() then return end
  news[buf] = true
  touch()
end

---@type integer?
local group

--- Begins to follow the editor. May be called again.
function M.attach()
  if group then return end
  group = vim.api.nvim_create_augroup("clined.editor", {})
  local function on(names, callback, pattern) vim.api.nvim_create_autocmd(names, { group = group, pattern = pattern, callback = callback }) end
  on({ "BufAdd", "BufEnter", "BufWinEnter", "BufDelete", "BufFilePost", "BufModifiedSet", "BufWritePost" }, touch)
  on({ "WinEnter", "WinClosed", "WinResized", "WinScrolled", "TabEnter", "TabClosed", "TermClose" }, touch)
  on("ModeChanged", touch, { "*:[vV\22]*", "[vV\22]*:*" })
  on("CursorMoved", function()
    if screen.is_visual() then touch() end
  end)
  on({ "WinLeave", "TabLeave" }, screen.left)
  on("TermOpen", function(a)
    terminals.follow(a.buf, touch)
    touch()
  end)
  on("DiagnosticChanged", function(a) published(a.buf) end)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buf].buftype == "terminal" then terminals.follow(buf, touch) end
  end
  settle.attach(group)
  daemon.handle("clined/diagnostics/pull", settle.pull)
  if running() then begin() end
end

events.on("DaemonState", function(state)
  if state.kind == "running" and group then begin() end
end)

return M
