--- What the keys of the chat do.
local session = require("clined.task.session")
local say = require("clined.say")

local api = vim.api
local M = {}

local function told(err)
  if err then say.error(err.message, err.data and err.data.hint) end
end

local function view() return require("clined.chat.view") end

local function spot() return view().at(api.nvim_win_get_cursor(0)[1] - 1) end

local function decisions()
  local ok, module = pcall(require, "clined.decisions")
  return ok and module or nil
end

-- The decision that is shown first.
---@param kind? "approval"|"question"
local function decision(kind)
  local all, task = decisions(), session.current()
  for _, open in ipairs(all and all.list() or {}) do
    if (not task or open.taskId == task.info.taskId) and (not kind or open.kind == kind) then return open, all end
  end
  say.info("nothing is to be decided")
end

function M.allow()
  local open, all = decision()
  if not open then return end
  if open.kind == "question" then return M.answer() end
  all.allow(open.id, {}, told)
end

function M.allow_always()
  local open, all = decision("approval")
  if not open then return end
  local options = vim.tbl_filter(function(o) return o.kind == "allow_always" end, open.params.options or {})
  if #options == 0 then return say.info("there is no rule for this: it asks each time") end
  vim.ui.select(options, {
    prompt = "Allow from now on:",
    kind = "clined.always",
    format_item = function(o) return require("clined.chat.visible").line(o.name, 300) end,
  }, function(option)
    if option then all.allow(open.id, { optionId = option.optionId }, told) end
  end)
end

---@param text? string for the model
function M.refuse(text)
  local open, all = decision()
  if open then all.refuse(open.id, type(text) == "string" and text or nil, told) end
end

function M.refuse_with()
  local open, all = decision("approval")
  if not open then return end
  require("clined.chat.input").ask({
    title = "Refuse, saying why: " .. (open.params.title or ""),
    done = function(text) all.refuse(open.id, text, told) end,
  })
end

function M.answer()
  local open, all = decision("question")
  if not open then return end
  local options = open.params.options or {}
  if #options == 0 then return require("clined.chat").focus_input() end
  local other = "Something else …"
  vim.ui.select(vim.list_extend(vim.list_slice(options), { other }), {
    prompt = require("clined.chat.visible").line(open.params.text or "", 200),
    kind = "clined.answer",
    format_item = function(o) return require("clined.chat.visible").line(o, 300) end,
  }, function(option)
    if not option then return end
    if option == other then return require("clined.chat").focus_input() end
    all.answer(open.id, { option = option }, told)
  end)
end

function M.show_diff()
  local here = spot()
  local call = here.item and here.item.kind == "call" and here.item or nil
  local diff = require("clined.diff")
  if call and call.diff then return diff.show_patch(call.title or "Change", call.diff) end
  local all = decisions()
  for _, open in ipairs(all and all.list() or {}) do
    local subject = open.kind == "approval" and open.params.subject or {}
    if not call or open.params.toolCallId == call.id then
      for _, file in ipairs(subject.files or {}) do
        if file.diffId and diff.reveal(file.diffId) then return end
      end
      local texts = vim.tbl_map(function(file) return file.diff or "" end, subject.files or {})
      if #texts > 0 then return diff.show_patch(open.params.title or "Change", table.concat(texts)) end
    end
  end
  say.info("there is no diff here")
end

function M.toggle()
  if vim.fn.foldlevel(".") > 0 then vim.cmd("normal! za") end
end

function M.open()
  if vim.fn.foldclosed(".") ~= -1 then return vim.cmd("normal! zo") end
  if not require("clined.chat.links").follow(spot().link) then M.toggle() end
end

function M.goto_file()
  if not require("clined.chat.links").follow(spot().link) then say.info("there is no file under the cursor") end
end

local function to_said(direction)
  local row = view().said_at(api.nvim_win_get_cursor(0)[1] - 1, direction)
  if row then
    api.nvim_win_set_cursor(0, { row + 1, 0 })
  elseif direction == 1 then
    vim.cmd("normal! G")
  else
    vim.cmd("normal! gg")
    view().older()
  end
end

function M.next() to_said(1) end

function M.previous() to_said(-1) end

function M.write() require("clined.chat").focus_input() end

-- The user's message at the cursor, or the one before it.
local function said_here()
  local here = spot().item
  local task = session.current()
  local before
  for _, item in ipairs(task and task.items or {}) do
    if item.kind == "message" and item.role == "user" and item.status ~= "pending" then before = item end
    if item == here then return before end
  end
  return before
end

function M.edit_message()
  local item = said_here()
  if not item then return say.info("there is no message of yours here") end
  require("clined.chat.input").ask({
    title = "Say this instead, and forget what followed",
    text = require("clined.chat.render.message").words(item),
    done = function(text)
      local blocks = { { type = "text", text = text } }
      for _, part in ipairs(item.content) do
        if part.type == "image" then table.insert(blocks, { type = "image", mimeType = part.mimeType, data = part.data }) end
      end
      session.edit_message(item.id, blocks, told)
    end,
  })
end

function M.resume() session.resume(told) end

function M.stop()
  if not session.working() then return say.info("nothing runs") end
  local task = session.current()
  local _, queued = require("clined.chat.render.tail").waiting(task)
  session.stop(function(err)
    if err then return told(err) end
    -- What waited is dropped with the turn: it goes back to where it was written.
    for i = #queued, 1, -1 do require("clined.chat.input").add(require("clined.chat.render.message").words(queued[i])) end
  end)
end

function M.take_back()
  local link = spot().link
  local task = session.current()
  local item = link and link.id and task and select(2, require("clined.task.reduce").find(task.items, link.id))
  if not item then return say.info("there is nothing here that waits") end
  session.stop(function(err)
    if err then return told(err) end
    require("clined.chat.input").add(require("clined.chat.render.message").words(item))
  end, item.turnId)
end

-- The command under the cursor, or else the last that runs.
local function command()
  local here, task = spot().item, session.current()
  local function runs(item)
    if item.kind ~= "call" or item.callKind ~= "command" then return false end
    return not require("clined.chat.words").ended(item) or (item.terminal ~= nil and item.terminal.state ~= "exited")
  end
  if here and runs(here) then return here end
  for i = task and #task.items or 0, 1, -1 do
    if runs(task.items[i]) then return task.items[i] end
  end
  say.info("no command runs")
end

local function terminal(method, params, call)
  params.taskId, params.terminalId = session.current().info.taskId, call.id
  require("clined.daemon").request("clined/terminal/" .. method, params, told)
end

function M.background()
  local call = command()
  if call then terminal("detach", {}, call) end
end

function M.kill()
  local call = command()
  if call then terminal("kill", {}, call) end
end

function M.type()
  local call = command()
  if not call then return end
  local asks = call.terminal and call.terminal.asks
  require("clined.chat.input").ask({
    title = asks and ("Type: " .. asks) or "Type to the command",
    empty = true,
    done = function(text) terminal("input", { text = text:gsub("\n", "\r") .. "\r" }, call) end,
  })
end

function M.mode()
  local mode = session.option("mode")
  session.set_option("mode", mode == "plan" and "act" or "plan", told)
end

function M.setup() require("clined.setup").run() end

function M.demo() require("clined.setup").demo() end

function M.close() require("clined.chat").close() end

function M.help() require("clined.chat.help").open("chat") end

return M
