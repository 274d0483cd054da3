--- One proposal: the text that is there and the text that is proposed, each in a buffer, from its opening to its end. It follows
--- what the model writes, then what the user makes of it.
---
--- Owns the two buffers. Decides nothing, knows no windows, and never touches the file or its buffer.
local buffers = require("clined.diff.buffers")
local proposal = require("clined.diff.proposal")
local text = require("clined.diff.text")

local M = {}

--- How long what the user changes may wait to be told, and how long what the model writes may wait to be drawn, in milliseconds.
local tell_ms, draw_ms, most_ms = 100, 40, 1000

---@class clined.DiffView.Hooks
---@field edited fun(view: clined.DiffView, text: string) the user made another text of it, or went back
---@field before_draw fun(view: clined.DiffView)
---@field drawn fun(view: clined.DiffView) what it shows is another
---@field lost fun(view: clined.DiffView) the user wiped its buffer out

---@class clined.DiffView
---@field id string
---@field params clined.protocol.DiffOpenParams
---@field path string of the file as it is
---@field target string of the file as it will be
---@field base string the text that the proposal is made on
---@field base_buf integer
---@field buf integer the proposed side
---@field final boolean the proposal is whole, and the user may change it
---@field look_only boolean
---@field active? integer the line where the model writes, from 0
---@field dismissed boolean the user closed it: it is shown again when they ask
---@field private lines string[] of the text that was told last
---@field private joined? string these as one text
---@field private held_at? string for which state of the buffer `held_text` is its text
---@field private held_text? string
---@field private hooks clined.DiffView.Hooks
---@field private known? string what the daemon knows of the user's text
---@field private ours boolean the buffer is being changed from here
---@field private drawing? uv.uv_timer_t
---@field private telling? uv.uv_timer_t
---@field private cost number milliseconds that the last drawing took
---@field private telling_cost number and the last telling of what the user changed
---@field private gone? boolean
local View = {}
View.__index = View

---@param params clined.protocol.DiffOpenParams
---@param base string
---@param hooks clined.DiffView.Hooks
---@return clined.DiffView
function M.new(params, base, hooks)
  local self = setmetatable({
    id = params.diffId,
    params = params,
    path = vim.uri_to_fname(params.uri),
    target = vim.uri_to_fname(params.newUri or params.uri),
    base = base,
    final = not params.streaming and base == text.plain(params.baseText),
    look_only = params.op == "delete" or params.op == "rename",
    dismissed = false,
    lines = text.split(params.newText),
    hooks = hooks,
    ours = false,
    cost = 0,
    telling_cost = 0,
  }, View) --[[@as clined.DiffView]]
  self.base_buf = proposal.base(self)
  self.buf = proposal.buffer(self)
  self:set_base(base)
  self:draw()
  proposal.colour(self.base_buf, true)
  proposal.colour(self.buf, self.final)
  self:listen()
  if self.final then self:settle() end
  return self
end

-- Calls back once, later, with a timer that can be taken away.
local function after(ms, fn)
  local timer = assert(vim.uv.new_timer())
  timer:start(
    ms,
    0,
    vim.schedule_wrap(function()
      if timer:is_closing() then return end
      timer:close()
      fn()
    end)
  )
  return timer
end

local function cancel(timer)
  if timer and not timer:is_closing() then timer:close() end
end

---@private
function View:listen()
  vim.api.nvim_buf_attach(self.buf, false, {
    on_lines = function()
      if self.gone then return true end
      if self.ours or not self.final or self.telling then return end
      self.telling = after(math.min(math.max(tell_ms, 5 * self.telling_cost), most_ms), function() self:flush() end)
      vim.schedule(function()
        if self:is_valid() then vim.bo[self.buf].modified = false end
      end)
    end,
    on_detach = function()
      if not self.gone then vim.schedule(function() self.hooks.lost(self) end) end
    end,
  })
end

---@return boolean
function View:is_valid() return not self.gone and vim.api.nvim_buf_is_valid(self.buf) and vim.api.nvim_buf_is_valid(self.base_buf) end

--- What the daemon told of the proposed side last.
---@return string
function View:told()
  self.joined = self.joined or text.join(self.lines)
  return self.joined
end

-- The text of the buffer, which is asked for with each drawing of the bar.
---@private
function View:held()
  local key = ("%d %s"):format(vim.api.nvim_buf_get_changedtick(self.buf), vim.bo[self.buf].endofline)
  if self.held_at ~= key then
    self.held_at, self.held_text = key, buffers.text(self.buf)
  end
  return self.held_text
end

--- The proposed side as the user left it.
---@return string
function View:text()
  if not self.final or not self:is_valid() then return self:told() end
  local now = self:held()
  -- Of a line without anything a buffer does not tell whether it is there.
  if now == "\n" or now == "" then
    local told = self:told()
    if told == "\n" or told == "" then return told end
  end
  return now
end

--- Whether the user changed it.
---@return boolean
function View:is_edited() return self.final and self:text() ~= self:told() end

--- The proposal is made on another text from now on.
---@param base string
function View:set_base(base)
  self.base = base
  proposal.fill(self.base_buf, base)
end

---@param params clined.protocol.DiffUpdateParams
function View:update(params)
  if not self:is_valid() then return end
  self:reopen()
  text.apply(self.lines, params.edits) -- what was lost shows in the hash
  self.joined = nil
  self.active = params.activeLine
  if self.drawing then return end
  self.drawing = after(math.max(draw_ms, 4 * self.cost), function()
    self.drawing = nil
    self:draw()
  end)
end

--- Ends the stream and tells the hash of what is shown.
---@param whole? string the proposed side, if some of it was lost
---@return string
function View:finalize(whole)
  if whole then
    self:reopen()
    self.lines, self.joined = text.split(whole), nil
  end
  cancel(self.drawing)
  self.drawing, self.active = nil, nil
  self:draw()
  self:settle()
  self.hooks.drawn(self)
  return text.hash(self:text())
end

-- A final proposal is made anew: what the user made of the old one goes, as the daemon lets it go.
---@private
function View:reopen()
  if not self.final then return end
  self.final = false
  proposal.lock(self.buf)
end

-- The user may change it from now on, and their own changes alone can be undone.
---@private
function View:settle()
  self.final, self.known = true, self:told()
  proposal.colour(self.buf, true)
  if not self.look_only then proposal.unlock(self.buf) end
end

---@private
function View:draw()
  if not self:is_valid() then return end
  local began = vim.uv.hrtime()
  self.ours = true
  self.hooks.before_draw(self)
  local ok, err = pcall(proposal.fill, self.buf, self:told())
  self.ours = false
  if not ok then require("clined.log").error("a proposal could not be drawn: " .. tostring(err)) end
  self.hooks.drawn(self)
  self:measure(began)
end

-- What it costs to show it, with all that Neovim does for it: the dearer, the less often it is drawn.
---@private
function View:measure(began)
  vim.schedule(function() -- behind the redrawing
    vim.schedule(function() self.cost = (vim.uv.hrtime() - began) / 1e6 end)
  end)
end

--- Tells what the user made of it so far.
function View:flush()
  cancel(self.telling)
  self.telling = nil
  if not self.final or self.look_only or not self:is_valid() then return end
  vim.bo[self.buf].modified = false -- nothing of it is on any disk: leaving Neovim asks no question
  local began = vim.uv.hrtime()
  local now = self:text()
  if now ~= self.known then
    self.known = now
    self.hooks.edited(self, now)
  end
  self.hooks.drawn(self)
  self.telling_cost = (vim.uv.hrtime() - began) / 1e6
end

--- Takes its buffers away.
function View:dispose()
  self.gone = true
  cancel(self.drawing)
  cancel(self.telling)
  for _, buf in ipairs({ self.buf, self.base_buf }) do
    if vim.api.nvim_buf_is_valid(buf) then pcall(vim.api.nvim_buf_delete, buf, { force = true }) end
  end
end

return M
