-- The least that makes Neovim 0.11 or newer a front of clined:
--
--   nvim -S examples/neovim/clined.lua
--   :Clined explain what main.go does
--   :ClinedCancel
--
-- The task is shown in a split. Buffers are told of by Neovim's own LSP client,
-- so unsaved text is what the agent reads; edits of open buffers come back by
-- workspace/applyEdit and can be undone.
local cmd = { vim.env.CLINED or "clined", "--stdio" }
local yes = vim.empty_dict() -- an object means yes
local task, transcript, rev = nil, vim.api.nvim_create_buf(false, true), 0

local function show(text)
  local lines = vim.split(text .. "\n", "\n")
  vim.api.nvim_buf_set_lines(transcript, -1, -1, false, lines)
  for _, win in ipairs(vim.fn.win_findbuf(transcript)) do
    vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(transcript), 0 })
  end
end

local function on_event(_, p)
  local e = p.event
  if e.type == "message" and (e.status == "completed" or e.status == "cancelled") then
    for _, part in ipairs(e.content) do
      show((e.role == "user" and "> " or "") .. (part.text or "[image]"))
    end
  elseif e.type == "toolCall" and e.kind ~= "control" and e.status ~= "pending" and e.status ~= "in_progress" then
    show(("[%s] %s"):format(e.status, e.title or e.name))
  elseif e.type == "notice" then
    show(e.severity .. ": " .. e.text)
  elseif e.type == "state" and e.state == "idle" then
    show(e.error and ("-- " .. e.error.message .. ". " .. (e.error.hint or "")) or ("-- " .. e.stopReason))
  end -- any other type is skipped
end

local function on_approval(_, p)
  local about = { p.title, p.description or "" }
  for _, file in ipairs(p.subject.files or {}) do
    table.insert(about, file.diff)
  end
  local names = { allow_once = "&Yes", allow_always = "&Always", reject_once = "&No" }
  local choices = vim.tbl_map(function(o) return names[o.kind] or o.name end, p.options)
  local n = vim.fn.confirm(table.concat(about, "\n"), table.concat(choices, "\n"), #choices)
  if n == 0 then return vim.NIL end -- no decision: it stays open
  return { optionId = p.options[n].optionId, subjectHash = p.subjectHash }
end

local function on_ask(_, p)
  local text = vim.fn.input(p.text .. "\n" .. table.concat(p.options or {}, " | ") .. "\n> ")
  if text == "" then return { action = "decline" } end
  return { action = "accept", text = text }
end

-- The one daemon of this Neovim: started when first needed, then reused.
local function client()
  return vim.lsp.get_client_by_id(vim.lsp.start({
    name = "clined", cmd = cmd, root_dir = vim.fn.getcwd(),
    capabilities = vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), {
      experimental = { clined = {
        protocol = { min = 1, max = 1 }, client = { name = "Neovim" },
        caps = { approvals = yes, asks = yes, editorState = yes },
      } },
    }),
    handlers = {
      ["clined/task/event"] = on_event, ["clined/approval/request"] = on_approval,
      ["clined/approval/resolved"] = function() end, ["clined/ask"] = on_ask,
    },
  }, { attach = false }))
end

local function is_file(buf) return vim.bo[buf].buflisted and vim.bo[buf].buftype == "" end

local function attach(buf)
  if is_file(buf) then vim.lsp.buf_attach_client(buf, client().id) end
end

-- What the user sees goes into every request to the model.
local function push_state()
  local uri, visible, tabs = vim.uri_from_bufnr, {}, {}
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    local buf = vim.api.nvim_win_get_buf(win)
    if is_file(buf) then table.insert(visible, { uri = uri(buf) }) end
  end
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if is_file(buf) then table.insert(tabs, { uri = uri(buf), dirty = vim.bo[buf].modified }) end
  end
  rev = rev + 1
  client():notify("clined/editor/didChangeState", { rev = rev, visible = visible, tabs = tabs })
end

vim.iter(vim.api.nvim_list_bufs()):each(attach)
vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, { callback = function(a) attach(a.buf) end })
vim.api.nvim_create_autocmd({ "BufWinEnter", "BufDelete", "WinClosed" }, { callback = vim.schedule_wrap(push_state) })

vim.api.nvim_create_user_command("Clined", function(o)
  if #vim.fn.win_findbuf(transcript) == 0 then
    vim.cmd("botright vertical sbuffer " .. transcript .. " | setlocal wrap | wincmd p")
  end
  push_state()
  local prompt = { { type = "text", text = o.args } }
  local function answered(err, res)
    if err then return show("error: " .. err.message) end
    task = res.taskId or task
  end
  if task then
    client():request("clined/task/prompt", { taskId = task, prompt = prompt }, answered)
  else
    client():request("clined/task/new", { prompt = prompt }, answered)
  end
end, { nargs = "+" })

vim.api.nvim_create_user_command("ClinedCancel", function()
  if task then client():request("clined/task/cancel", { taskId = task }, function() end) end
end, {})
