--- What the user can do in a proposal: keys, and `:w`.
---
--- Owns the keys of both sides. Decisions are given by clined.decisions.
local hunks = require("clined.diff.hunks")
local screen = require("clined.diff.screen")
local text = require("clined.diff.text")
local views = require("clined.diff.views")

local M = {}

local function decisions() return require("clined.decisions") end

-- The approval that asks about a proposal; says why there is none.
local function asked(view)
  local decision = decisions().of_diff(view.id)
  if decision then return decision.id end
  require("clined.say").info(view.final and "nothing is asked about this one" or "the model is still writing it")
end

-- The line of the proposed side that the cursor means, from 0.
local function line_of(view)
  local win = screen.win(view)
  if not win then return 0 end
  return vim.api.nvim_win_get_cursor(win)[1] - 1
end

-- Leaves out the change under the cursor, else the next one below it, or takes it in again.
local function leave(view)
  local approval = asked(view)
  if not approval then return end
  local line, placed = line_of(view), (require("clined.diff").placed(view))
  local meant
  for _, hunk in ipairs(placed) do
    if not hunk.undone and line < math.max(hunk.to, hunk.from + 1) then
      meant = hunk
      break
    end
    if not hunk.undone and hunk.from == hunk.to and line + 1 == hunk.from then meant = hunk end
  end
  if not meant then return require("clined.say").info("there is no change here or below") end
  hunks.leave_out(approval, meant.id, not hunks.is_left_out(approval, meant.id))
  require("clined.decisions.desk").changed()
end

-- Another file of the same call.
local function go(view, step)
  local list = views.of_call(view.params.toolCallId)
  for i, other in ipairs(list) do
    if other == view and #list > 1 then return require("clined.diff.front").show(list[(i - 1 + step) % #list + 1]) end
  end
end

-- `]c` and `[c` are Neovim's own where it compares; in one window they are these.
local function to_change(view, step)
  if vim.wo.diff then return vim.cmd(("normal! %d%sc"):format(vim.v.count1, step > 0 and "]" or "[")) end
  local changes = text.changes(text.split(view.base), text.split(view:text()))
  local line, meant = vim.api.nvim_win_get_cursor(0)[1] - 1, nil
  for _, change in ipairs(changes) do
    if step > 0 and change.new_from > line then
      meant = change
      break
    end
    if step < 0 and change.new_from < line then meant = change end
  end
  if meant then require("clined.diff.follow").look_at(0, meant.new_from) end
end

---@param view clined.DiffView
local function close(view)
  for _, other in ipairs(views.of_call(view.params.toolCallId)) do
    other.dismissed = true
  end
  screen.close(view)
  require("clined.decisions.desk").changed()
end

local function with(view, fn)
  return function()
    local id = asked(view)
    if id and require("clined.decisions.steady").press() then fn(id) end
  end
end

-- Whether another autocommand than that of `:w` runs. The words around the names of events are in the user's language.
local function is_within_others()
  local events = {}
  for _, name in ipairs(vim.fn.getcompletion("", "event")) do
    events[name] = true
  end
  local running = 0
  for word in vim.fn.expand("<stack>"):gmatch("%a+") do
    if events[word] then running = running + 1 end
  end
  return running > 1
end

-- `:w` accepts; `:w other` and `:saveas other` write a copy. `own` is the name that its buffer began with.
local function write(view, args, own)
  if args.match ~= own and vim.fn.fnamemodify(args.match, ":p") ~= own then
    if vim.v.cmdbang == 0 and vim.uv.fs_stat(args.match) then
      return require("clined.say").error("there is a file of that name", "add ! to write over it")
    end
    return vim.fn.writefile(vim.api.nvim_buf_get_lines(args.buf, 0, -1, false), args.match)
  end
  vim.bo[args.buf].modified = false
  -- What saves buffers by itself, when insert mode is left or the like, decides nothing.
  if is_within_others() then return end
  local id = asked(view)
  if id and require("clined.decisions.steady").press() then decisions().allow(id) end
end

---@param view clined.DiffView
function M.attach(view)
  local actions = {
    allow = with(view, function(id) decisions().allow(id) end),
    allow_always = with(view, function(id) decisions().allow_always(id) end),
    refuse = with(view, function(id) decisions().refuse(id) end),
    refuse_with = with(view, function(id) decisions().refuse_with(id) end),
    leave = function() leave(view) end,
    next_file = function() go(view, 1) end,
    previous_file = function() go(view, -1) end,
    close = function() close(view) end,
    help = function() require("clined.chat.help").open("diff") end,
  }
  for _, buf in ipairs({ view.buf, view.base_buf }) do
    require("clined.keys").attach(buf, "diff", actions)
  end
  for lhs, step in pairs({ ["]c"] = 1, ["[c"] = -1 }) do
    vim.keymap.set("n", lhs, function() to_change(view, step) end, { buffer = view.buf, desc = "clined: next or previous change" })
  end
  local group = vim.api.nvim_create_augroup("clined.diff.buffers", { clear = false })
  local function on(event, callback) vim.api.nvim_create_autocmd(event, { group = group, buffer = view.buf, callback = callback }) end
  local name = vim.api.nvim_buf_get_name(view.buf)
  on("BufWriteCmd", function(args) write(view, args, name) end)
  -- It belongs to no file: nothing is lost when Neovim or its window is left, and nothing asks about it.
  on({ "BufModifiedSet", "QuitPre" }, function() vim.bo[view.buf].modified = false end)
  on("LspAttach", function(args)
    vim.schedule(function() pcall(vim.lsp.buf_detach_client, args.buf, args.data.client_id) end)
  end)
end

return M
