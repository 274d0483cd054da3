--- What the keys of the chat do.
local session = require("clined.task.session")
local say = require("clined.say")

local api = vim.api
local M = {}

local function spot() return require("clined.chat.spot").at(api.nvim_win_get_cursor(0)[1] - 1) end

local function decisions() return require("clined.decisions") end

-- The decision that is shown first. What another task asks is not decided unseen.
---@param kind? "approval"|"question"
---@return clined.Decision?
local function decision(kind)
  local task, list = session.current(), decisions().list()
  for _, open in ipairs(list) do
    if task and open.taskId == task.info.taskId and (not kind or open.kind == kind) then return open end
  end
  say.info(#list > 0 and "nothing is to be decided here; :Clined history has the task that waits" or "nothing is to be decided")
end

-- The same for a key that decides by itself: what came only just now is not what it was pressed for.
---@param kind? "approval"|"question"
---@return clined.Decision?
local function meant(kind)
  local open = decision(kind)
  return open and require("clined.decisions.steady").press() and open or nil
end

function M.allow()
  local open = meant()
  if not open then return end
  if open.kind == "question" then return M.answer() end
  decisions().allow(open.id)
end

function M.allow_always()
  local open = meant("approval")
  if open then decisions().allow_always(open.id) end
end

---@param text? string for the model
function M.refuse(text)
  local open = meant()
  if not open then return end
  if open.kind == "question" then return decisions().answer(open.id, { text = text }) end
  decisions().refuse(open.id, text)
end

function M.refuse_with()
  local open = decision("approval")
  if not open then return end
  require("clined.chat.input").ask({
    title = "Refuse, and say what instead: " .. open.title,
    done = function(text) decisions().refuse(open.id, text) end,
  })
end

function M.answer()
  local open = decision("question")
  if not open then return end
  if #open.options == 0 then return require("clined.chat").focus_input(true) end
  local other = "Something else …"
  require("clined.decisions.pick").select(vim.list_extend(vim.list_slice(open.options), { other }), {
    prompt = open.title,
    kind = "clined",
  }, function(option)
    if not option then return end
    if option == other then return require("clined.chat").focus_input(true) end
    decisions().answer(open.id, { option = option })
  end)
end

function M.show_diff()
  local here = spot()
  local call = here.item and here.item.kind == "call" and here.item or nil
  local diff = require("clined.diff")
  if call and call.diff then return diff.show_patch(call.title or "Change", call.diff) end
  for _, open in ipairs(decisions().list()) do
    local files = open.kind == "approval" and open.params.subject.files or {}
    if open.taskId == session.task_id() and (not call or open.params.toolCallId == call.id) then
      for _, file in ipairs(files) do
        if file.diffId and diff.reveal(file.diffId) then return end
      end
      local texts = vim.tbl_map(function(file) return file.diff or "" end, files)
      if #texts > 0 then return diff.show_patch(open.title, table.concat(texts)) end
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
  local row = require("clined.chat.spot").said(api.nvim_win_get_cursor(0)[1] - 1, direction)
  if row then
    api.nvim_win_set_cursor(0, { row + 1, 0 })
  elseif direction == 1 then
    vim.cmd("normal! G")
  else
    vim.cmd("normal! gg")
    require("clined.chat.view").older()
  end
end

function M.next() to_said(1) end

function M.previous() to_said(-1) end

function M.write() require("clined.chat").focus_input(true) end

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
      session.edit_message(item.id, blocks, say.failed)
    end,
  })
end

function M.resume() require("clined.history").resume() end

function M.stop()
  if not session.working() then return say.info("nothing runs") end
  local task = session.current()
  local _, queued = require("clined.chat.render.tail").waiting(task)
  session.stop(function(err)
    if err then return say.failed(err) end
    -- What waited is dropped with the turn: it goes back to where it was written.
    for i = #queued, 1, -1 do
      require("clined.chat.input").give_back(require("clined.chat.render.message").words(queued[i]))
    end
  end)
end

function M.take_back()
  local link = spot().link
  local task = session.current()
  local item = link and link.id and task and select(2, require("clined.task.reduce").find(task.items, link.id))
  if not item or not task then return say.info("there is nothing here that waits") end
  -- It bears the id of the turn that runs: to cancel that would end the turn.
  if require("clined.chat.render.tail").steers(task, item) then
    return say.info("what was said to the turn that runs cannot be taken back")
  end
  session.stop(function(err)
    if err then return say.failed(err) end
    require("clined.chat.input").give_back(require("clined.chat.render.message").words(item))
  end, item.turnId)
end

-- The command under the cursor, or else the last that runs, with the id of its task.
---@return string? task, clined.CallItem? call
local function command()
  local here, task = spot().item, session.current()
  local function runs(item)
    if item.kind ~= "call" or item.callKind ~= "command" then return false end
    return not require("clined.chat.words").ended(item) or (item.terminal ~= nil and item.terminal.state ~= "exited")
  end
  if task and here and runs(here) then return task.info.taskId, here end
  for i = task and #task.items or 0, 1, -1 do
    if runs(task.items[i]) then return task.info.taskId, task.items[i] end
  end
  say.info("no command runs")
end

local function terminal(method, params, task, call)
  params.taskId, params.terminalId = task, call.id
  require("clined.daemon").request("clined/terminal/" .. method, params, say.failed)
end

function M.background()
  local task, call = command()
  if call then terminal("detach", {}, task, call) end
end

function M.kill()
  local task, call = command()
  if call then terminal("kill", {}, task, call) end
end

function M.type()
  local task, call = command()
  if not call then return end
  local asks = call.terminal and call.terminal.asks
  require("clined.chat.input").ask({
    title = asks and ("Type: " .. asks) or "Type to the command",
    empty = true,
    done = function(text) terminal("input", { text = text:gsub("\n", "\r") .. "\r" }, task, call) end,
  })
end

function M.mode()
  local mode = session.option("mode")
  session.set_option("mode", mode == "plan" and "act" or "plan", say.failed)
end

function M.setup() require("clined.setup").run() end

function M.demo()
  local setup = require("clined.setup")
  local now = setup.known()
  setup.demo(now and now.demo, say.failed)
end

function M.close() require("clined.chat").close() end

function M.help() require("clined.chat.help").open("chat") end

return M
