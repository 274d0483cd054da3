--- Draws the shown task into the chat's buffer, as it changes.
---
--- Owns what is drawn, and the timer of the next drawing, which runs only while something is to be drawn. Nothing is drawn while
--- no window shows the buffer. A window whose cursor is on the last line follows what comes; any other stays where it is.
local Block = require("clined.chat.render.block")
local Transcript = require("clined.chat.transcript")
local compose = require("clined.chat.compose")
local events = require("clined.events")
local message = require("clined.chat.render.message")
local open_decisions = require("clined.decisions")
local rows = require("clined.chat.rows")
local scroll = require("clined.chat.scroll")
local session = require("clined.task.session")

local api = vim.api
local M = {}

--- Milliseconds between two drawings, at least.
local pace = 30

---@type clined.chat.Transcript?
local transcript
-- The items of the blocks between the head (the first) and the tail (the last).
---@type clined.Item[]
local drawn = {}
-- What is to be drawn anew: ids of items, "grew" of those that only grew at their end.
---@type table<string, "set"|"grew">
local dirty = {}
local dirty_order, dirty_head, dirty_tail = true, true, true
local timer ---@type uv.uv_timer_t?
local offs = {} ---@type fun()[]
local older ---@type boolean|string? it is being asked for older items, or why that failed

local function visible() return transcript ~= nil and #transcript:windows() > 0 end

---@param item clined.Item
---@param before? clined.chat.Block
---@param old? clined.chat.Block
local function draw(item, before, old) return compose.item(item, before, old, transcript) end

local function draw_order(task)
  local wanted = task and rows.of(task) or {}
  local at, count, last = rows.difference(drawn, wanted)
  local blocks = {}
  local before = at > 1 and transcript.blocks[at] or nil
  for i = at, last do
    before = draw(wanted[i], before)
    table.insert(blocks, before)
    dirty[wanted[i].id] = nil
  end
  transcript:splice(at + 1, count, blocks)
  drawn = wanted
  -- What stands behind may need a blank line more or less.
  if wanted[last + 1] and (count > 0 or #blocks > 0) then dirty[wanted[last + 1].id] = "set" end
end

---@type fun(i: integer)
local redraw

---@param i integer
function redraw(i)
  local before, old = i > 1 and transcript.blocks[i] or nil, transcript.blocks[i + 1]
  local block = draw(drawn[i], before, old)
  transcript:set(i + 1, block)
  if block.last ~= old.last and drawn[i + 1] then redraw(i + 1) end
end

local function draw_dirty()
  local left = vim.tbl_count(dirty)
  for i = #drawn, 1, -1 do
    if left == 0 then break end
    local how = dirty[drawn[i].id]
    if how then
      left = left - 1
      local block = transcript.blocks[i + 1]
      local lines_before = #block.lines
      local row, lines
      if how == "grew" and drawn[i].kind == "message" then
        row, lines = message.grow(block, drawn[i])
      end
      if row then
        transcript:grow(i + 1, row, lines_before, lines)
      else
        redraw(i)
      end
    end
  end
  dirty = {}
end

--- Draws what is to be drawn, now.
function M.flush()
  if not visible() then return end
  local task = session.current()
  if not transcript:intact() then
    transcript:clear()
    drawn, dirty = {}, {}
    dirty_order, dirty_head, dirty_tail = true, true, true
  end
  local windows, before = scroll.following(transcript.buf), api.nvim_buf_line_count(transcript.buf)
  if #transcript.blocks == 0 then transcript:splice(1, 0, { Block.new(), Block.new() }) end
  if dirty_order then draw_order(task) end
  draw_dirty()
  if dirty_head then transcript:set(1, compose.head(task, older)) end
  if dirty_tail then transcript:set(#transcript.blocks, compose.tail(task)) end
  dirty_order, dirty_head, dirty_tail = false, false, false
  local more = api.nvim_buf_line_count(transcript.buf) - before
  for _, win in ipairs(windows) do
    scroll.to_end(win, more)
  end
  require("clined.chat.markdown").update(transcript)
end

local function is_dirty() return dirty_order or dirty_head or dirty_tail or next(dirty) ~= nil end

local function on_time()
  if not timer then return end
  if not is_dirty() or not visible() then
    timer:close()
    timer = nil
    return
  end
  local started = vim.uv.hrtime()
  local ok, err = xpcall(M.flush, debug.traceback)
  if not ok then
    require("clined.log").error("the chat could not be drawn: " .. err)
    drawn, dirty = {}, {}
    dirty_order, dirty_head, dirty_tail = false, false, false
    if transcript then transcript.tick = -1 end -- the next change draws all anew
  end
  -- A drawing that is slow leaves most of the time to the user.
  local took = (vim.uv.hrtime() - started) / 1e6
  if timer then timer:start(math.max(pace, math.ceil(took * 4)), 0, vim.schedule_wrap(on_time)) end
end

local function soon()
  if timer or not visible() then return end
  timer = assert(vim.uv.new_timer())
  timer:start(0, 0, vim.schedule_wrap(on_time))
end

-- What stands above the windows and in an empty input.
local function bars_changed(input)
  if input and visible() then require("clined.chat.input").changed() end
  require("clined.chat.winbar").changed()
end

-- Whether an item grew at its very end.
local function at_end(task, change)
  local item, grown = task.items[change.at], change.grown
  return change.op == "grow" and not (grown.part and grown.part < #item.content)
end

---@param task clined.Task
---@param change clined.Change
local function changed(task, change)
  if change.what == "items" then
    if change.op == "set" or change.op == "grow" then
      if change.id and dirty[change.id] ~= "set" then dirty[change.id] = at_end(task, change) and "grew" or "set" end
      -- A thing that said nothing may say something now, or the other way.
      if change.op == "set" or not transcript or not drawn[#drawn] or drawn[#drawn].id ~= change.id then dirty_order = true end
    else
      dirty_order = true
      if change.id then dirty[change.id] = "set" end
    end
    if change.op ~= "grow" then dirty_tail = true end
  elseif change.what == "all" then
    older = nil
    dirty_order, dirty_head, dirty_tail = true, true, true
    for _, item in ipairs(drawn) do
      dirty[item.id] = "set"
    end
  elseif change.what ~= "usage" then
    dirty_tail = true
  end
  if change.op ~= "grow" then bars_changed(change.what ~= "items") end
  soon()
end

local function tail_changed()
  dirty_tail = true
  bars_changed(true)
  soon()
end

--- Asks for older items, once at a time.
function M.older()
  local task = session.current()
  if older == true or not task or not task.more then return end
  older, dirty_head = true, true
  soon()
  session.older(function(err)
    older = err and ("what was before could not be had: " .. err.message) or nil
    dirty_head = true
    soon()
  end)
end

--- Begins to draw into a buffer.
---@param buf integer
function M.start(buf)
  transcript = Transcript.new(buf)
  drawn, dirty = {}, {}
  dirty_order, dirty_head, dirty_tail = true, true, true
  offs = {
    session.subscribe(changed),
    events.on("DaemonState", function()
      dirty_head = true
      tail_changed()
    end),
    open_decisions.subscribe(tail_changed),
    events.on("Setup", M.head_changed),
  }
end

--- The buffer is gone.
function M.stop()
  for _, off in ipairs(offs) do
    off()
  end
  offs = {}
  if timer then timer:close() end
  timer, transcript = nil, nil
end

--- Windows look at other lines.
function M.scrolled()
  if not transcript then return end
  require("clined.chat.markdown").update(transcript)
  for _, win in ipairs(transcript:windows()) do
    if vim.fn.line("w0", win) == 1 then M.older() end
  end
end

--- The tab page is another one: what follows there shows the end.
function M.seen()
  if not transcript then return end
  M.flush()
  for _, win in ipairs(scroll.following(transcript.buf)) do
    scroll.to_end(win)
  end
end

--- Goes to the last line, in each window.
function M.to_end()
  if not transcript then return end
  for _, win in ipairs(transcript:windows()) do
    scroll.to_end(win)
  end
end

--- Draws the head anew, whatever it showed.
function M.head_changed()
  dirty_head = true
  soon()
end

--- A window shows the buffer: it gets its folds, and what happened meanwhile.
---@param win integer
function M.shown(win)
  if not transcript then return end
  local empty = transcript:height() == 0
  M.flush()
  if not empty then transcript:fold(win) end -- else they were just made
  scroll.to_end(win)
end

--- What is drawn; nothing before there is a buffer.
---@return clined.chat.Transcript?
function M.transcript() return transcript end

return M
