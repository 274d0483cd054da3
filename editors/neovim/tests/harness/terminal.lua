--- A Neovim in a terminal: tmux holds that, presses its keys and tells what it shows.
local M = {}

---@class clined.test.TerminalOptions: clined.test.ChildOptions
---@field columns? integer 120 by default
---@field rows? integer 40 by default

---@class clined.test.Terminal: clined.test.Place
---@field place clined.test.Place
---@field private socket string
---@field private t table
---@field private over? boolean
local Terminal = {}
Terminal.__index = Terminal

-- The whole terminal is Neovim's, and colours are as they are.
local config = "set -g status off\nset -sg escape-time 0\nset -g default-terminal tmux-256color\nset -as terminal-features ',*:RGB'\n"
local made = 0

---@return string output
function Terminal:tmux(...)
  local argv = { vim.env.CLINED_TEST_TOOLS .. "/tmux", "-S", self.socket, "-f", self.socket .. ".conf", ... }
  local result = vim.system(argv, { text = true }):wait(self.t.limit)
  if result.code ~= 0 then error(("tmux %s: %s"):format(argv[6], result.stderr), 0) end
  return result.stdout
end

---@param t table the harness
---@param opts clined.test.TerminalOptions
---@return clined.test.Terminal
function M.start(t, opts)
  local place = opts.place or t.place(opts)
  made = made + 1
  local terminal = setmetatable({
    t = t,
    place = place,
    work = place.work,
    model = place.model,
    options = place.options,
    socket = ("%s/tmux%d"):format(t.root, made),
  }, Terminal)
  t.write(terminal.socket .. ".conf", config)
  local argv, env = require("tests.harness.child").command(opts, place)
  local command = { "env", "-i" }
  for name, value in pairs(vim.tbl_extend("force", env, { TERM = "tmux-256color", COLORTERM = "truecolor" })) do
    if value ~= "" then table.insert(command, name .. "=" .. value) end
  end
  vim.list_extend(command, argv)
  local quoted = table.concat(vim.tbl_map(vim.fn.shellescape, command), " ")
  local size = { "-x", tostring(opts.columns or 120), "-y", tostring(opts.rows or 40) }
  t.defer(function() terminal:stop() end)
  terminal:tmux("new-session", "-d", "-c", place.work, size[1], size[2], size[3], size[4], "exec " .. quoted)
  return terminal
end

--- Presses keys by the names that tmux gives them: "Escape", "Enter", "C-s", "Up".
---@param ... string
function Terminal:press(...) self:tmux("send-keys", ...) end

--- Types text, letter by letter.
---@param text string
function Terminal:type(text) self:tmux("send-keys", "-l", text) end

--- What the screen shows.
---@return string
function Terminal:screen() return self:tmux("capture-pane", "-p") end

--- Waits until the screen shows these words, each somewhere; returns what it shows.
---@param ... string
---@return string
function Terminal:shows(...)
  local words, last = { ... }, ""
  local held = pcall(self.t.wait, "", function()
    last = self:screen()
    return vim.iter(words):all(function(w) return last:find(w, 1, true) ~= nil end)
  end)
  if not held then error(("the screen does not show %s\n%s"):format(vim.inspect(words), last), 2) end
  return last
end

--- Waits until the screen shows these words no longer.
---@param words string
function Terminal:hides(words)
  local last = ""
  local held = pcall(self.t.wait, "", function()
    last = self:screen()
    return not last:find(words, 1, true)
  end)
  if not held then error(("the screen still shows %q\n%s"):format(words, last), 2) end
end

---@param columns integer
---@param rows integer
function Terminal:resize(columns, rows) self:tmux("resize-window", "-x", tostring(columns), "-y", tostring(rows)) end

--- Leaves a picture of the screen in .cache/screenshots, neovim-NAME.png (from the older Neovim neovim-NAME-0.10.png): wait until it
--- shows what it should, then look at it.
---@param name string
function Terminal:picture(name)
  local suffix = self.t.slot == "0.12" and "" or "-" .. self.t.slot
  local cursor = vim.trim(self:tmux("display-message", "-p", "#{pane_width} #{pane_height} #{cursor_x} #{cursor_y}"))
  local text = cursor .. "\n" .. self:tmux("capture-pane", "-p", "-e")
  require("tests.harness.place").write(("%s/neovim-%s%s.ansi"):format(vim.env.CLINED_TEST_PICTURES, name, suffix), text)
end

--- The process of the Neovim.
---@return integer
function Terminal:pid() return assert(tonumber(vim.trim(self:tmux("display-message", "-p", "#{pane_pid}")))) end

--- Ends the terminal, as closing its window does.
function Terminal:stop()
  if self.over then return end
  self.over = true
  pcall(self.tmux, self, "kill-server")
end

return M
