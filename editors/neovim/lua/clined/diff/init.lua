--- Proposals: answers the daemon's `clined/diff` requests with Neovim's own diff.
---
--- Owns which proposals are open and when they come before the user's eyes. A file is touched by `save` alone; nothing is decided
--- here. The rest of the folder is its own.
local approval = require("clined.diff.approval")
local buffers = require("clined.diff.buffers")
local daemon = require("clined.daemon")
local events = require("clined.events")
local follow = require("clined.diff.follow")
local front = require("clined.diff.front")
local hunks = require("clined.diff.hunks")
local marks = require("clined.diff.marks")
local refresh = require("clined.diff.refresh")
local screen = require("clined.diff.screen")
local text = require("clined.diff.text")
local views = require("clined.diff.views")

local M = {}

---@param diff string
---@return clined.DiffView
local function get(diff)
  local view = views.get(diff)
  if not view or not view:is_valid() then error("that view is closed", 0) end
  return view
end

local function decisions() return require("clined.decisions") end

--- Where the hunks of a proposal are now, if it is to be decided.
---@param view clined.DiffView
---@return clined.PlacedHunk[] placed, string? approval
function M.placed(view)
  local decision = decisions().of_diff(view.id)
  for _, file in ipairs(decision and decision.params.subject.files or {}) do
    if file.diffId == view.id then return hunks.place(file.hunks or {}, view.base, view:told(), view:text()), decision.id end
  end
  return {}, nil
end

---@param view clined.DiffView
local function redraw(view)
  if not view:is_valid() then return end
  screen.drawn(view)
  local placed, asked = M.placed(view)
  marks.draw(view, asked, placed, screen.alone(view))
  if screen.win(view) then vim.cmd("redrawstatus!") end
end

---@type clined.DiffView.Hooks
local hooks = {
  before_draw = function(view) screen.before_draw(view) end,
  drawn = function(view)
    if views.get(view.id) then redraw(view) end
  end,
  edited = function(view, now)
    daemon.notify("clined/diff/didChange", { diffId = view.id, text = now })
    require("clined.decisions.desk").changed()
  end,
  lost = function(view)
    if not views.get(view.id) then return end
    M.drop(view, false)
    daemon.notify("clined/diff/didClose", { diffId = view.id })
  end,
}

---@param params clined.protocol.DiffOpenParams
---@param reply clined.Reply
local function open(params, reply)
  local buf = buffers.loaded(vim.uri_to_fname(params.uri))
  if buf then refresh.check(buf) end
  local now = buf and buffers.text(buf)
  local other = now and not buffers.same(now, text.plain(params.baseText))
  local view = require("clined.diff.view").new(params, other and now or text.plain(params.baseText), hooks)
  views.add(view)
  require("clined.diff.actions").attach(view)
  events.tell("DiffOpen", { diffId = view.id, path = view.target })
  if not other then
    reply({ opened = true })
  else
    local dirty = vim.bo[buf].modified
    -- What is not unsaved is what was read from the disk.
    reply({ opened = true, text = now, dirty = dirty, diskHash = not dirty and text.hash(now) or nil })
  end
  front.offer_streaming(view)
end

---@param params clined.protocol.DiffFinalizeParams
---@param reply clined.Reply
local function finalize(params, reply)
  local view = get(params.diffId)
  reply({ textHash = view:finalize(params.newText) })
  local win = screen.win(view)
  if win and follow.followed(view) then follow.look_at(win, text.first_change(text.split(view.base), text.split(view:text()))) end
end

---@param params clined.protocol.DiffSaveParams
---@param reply clined.Reply
local function save(params, reply)
  local view = get(params.diffId)
  view:flush()
  local result = require("clined.diff.save").save(view.path, view.base, params.text or view:text(), view.params.op == "create")
  if result.text then view:set_base(result.text) end
  reply(result)
end

--- Takes a proposal away. Tells whether the user was in it.
---@param view clined.DiffView
---@param written boolean
---@return boolean
function M.drop(view, written)
  views.remove(view.id)
  local inside = screen.close(view)
  screen.forget(view)
  view:dispose()
  events.tell("DiffClose", { diffId = view.id, path = view.target, written = written })
  return inside
end

---@param params clined.protocol.DiffCloseParams
---@param reply clined.Reply
local function close(params, reply)
  local view = views.get(params.diffId)
  if view then
    local inside = M.drop(view, not params.revert)
    -- What the daemon wrote itself shows at once.
    for _, path in ipairs({ view.path, view.target }) do
      local buf = buffers.loaded(path)
      if buf then refresh.check(buf) end
    end
    -- What the model is told next must not show the screen as it was before.
    local ok, editor = pcall(require, "clined.editor")
    if ok then editor.flush() end
    if inside then vim.schedule(front.look) end
  end
  reply(vim.empty_dict())
end

---@param params clined.protocol.DiffRevealParams
---@param reply clined.Reply
local function reveal(params, reply)
  local view = get(params.diffId)
  reply(vim.empty_dict())
  front.offer(view, params.line)
end

--- Goes to a proposal, also to one that the user closed. False when there is none.
---@param diff string
---@return boolean
function M.reveal(diff)
  local view = views.get(diff)
  if not view or not view:is_valid() then return false end
  front.show(view)
  return true
end

--- Shows the patch of a call that has ended.
---@param title string
---@param diff string a unified diff
function M.show_patch(title, diff) require("clined.diff.patch").show(title, diff) end

--- The proposals that are open.
---@return { diffId: string, path: string, base: string, proposed: string, final: boolean, shown: boolean }[]
function M.views()
  return vim.tbl_map(
    function(view)
      return {
        diffId = view.id,
        path = view.target,
        base = view.base,
        proposed = view:text(),
        final = view.final,
        shown = screen.win(view) ~= nil,
      }
    end,
    views.list()
  )
end

--- What the bar above a proposal tells.
---@param view clined.DiffView
---@return { asked: boolean, hunks: integer, left: integer, file: integer, files: integer }
function M.state(view)
  local state = { asked = false, hunks = 0, left = 0, file = 1, files = 0 }
  for i, other in ipairs(views.of_call(view.params.toolCallId)) do
    state.files = i
    if other == view then state.file = i end
  end
  local decision = decisions().of_diff(view.id)
  if not decision then return state end
  state.asked, state.hunks, state.left = true, decision.hunks or 0, decision.left_out or 0
  return state
end

-- What decisions have of the proposals; see clined.diff.approval and clined.diff.hunks.
M.of_approval = approval.of
M.kept = hunks.kept
M.flush = approval.flush
M.is_seen = approval.is_seen
M.shows = approval.shows

-- The user closed windows: that decides nothing, and the proposal can be had again.
local function look_for_left()
  for _, left in ipairs(screen.left()) do
    for _, view in ipairs(views.of_call(left.params.toolCallId)) do
      view.dismissed = true
    end
    require("clined.decisions.desk").changed()
  end
end

-- A call that ended may have written files.
---@param params clined.protocol.TaskEventParams
local function heard(params)
  local event = params.event
  if event.type ~= "toolCall" or (event.status ~= "completed" and event.status ~= "failed") then return end
  if event.kind == "command" then return refresh.all() end
  if event.kind ~= "edit" then return end
  for _, path in ipairs(event.locations or {}) do
    local buf = buffers.loaded(path)
    if buf then refresh.check(buf) end
  end
end

--- Begins to answer the daemon; called before the first one starts.
function M.attach()
  require("clined.highlight").setup()
  refresh.attach()
  daemon.handle("clined/diff/open", open)
  daemon.handle("clined/diff/finalize", finalize)
  daemon.handle("clined/diff/save", save)
  daemon.handle("clined/diff/close", close)
  daemon.handle("clined/diff/reveal", reveal)
  daemon.on("clined/diff/update", function(params)
    local view = views.get(params.diffId)
    if view then view:update(params) end
  end)
  daemon.on("clined/task/event", heard)
  -- The daemon is gone: nothing of its proposals is to stay.
  events.on("DaemonState", function(state)
    if state.kind == "running" or state.kind == "starting" then return end
    for _, view in ipairs(views.list()) do
      M.drop(view, false)
    end
  end)
  events.on("TaskChange", function(change)
    if change.what == "options" or change.what == "all" then front.look_at_streaming() end
  end)
  events.on("Decision", function() vim.schedule(front.look) end)
  events.on("DecisionEnd", function(data) hunks.forget(data.id) end)
  require("clined.decisions.desk").subscribe(function()
    for _, view in ipairs(views.list()) do
      redraw(view)
    end
  end)
  vim.api.nvim_create_autocmd({ "WinClosed", "TabClosed", "BufWinEnter", "BufHidden" }, {
    group = vim.api.nvim_create_augroup("clined.diff", { clear = true }),
    callback = function()
      if #views.list() > 0 then vim.schedule(look_for_left) end
    end,
  })
end

return M
