--- The lines above the two sides of a proposal: what each is, and the keys.
---
--- Owns these words, made for the width there is.
local M = {}

-- A text as a part of a status line.
local function plain(text) return (require("clined.chat.visible").line(text):gsub("%%", "%%%%")) end

local function width() return vim.api.nvim_win_get_width(vim.g.statusline_winid or 0) end

-- The end of a path that fits.
local function short(path, most)
  if vim.fn.strdisplaywidth(path) <= most then return path end
  local name = vim.fs.basename(path)
  if vim.fn.strdisplaywidth(name) + 2 <= most then return "…/" .. name end
  return vim.fn.strcharpart(name, 0, math.max(most - 1, 1)) .. "…"
end

local kinds = { create = "new file", delete = "to be deleted", rename = "to be moved" }

local function view_of(id) return require("clined.diff.views").get(id) end

---@param id string
---@return string
function M.base(id)
  local view = view_of(id)
  if not view then return "" end
  local path = vim.fn.fnamemodify(view.path, ":~:.")
  local what = view.params.op == "create" and "not there yet" or "as it is"
  return (" %%#ClinedBarDim#%s%%* %s"):format(what, plain(short(path, width() - #what - 3)))
end

local function keys_of(view)
  local lhs = {}
  for _, key in ipairs(require("clined.keys").of("diff")) do lhs[key.name] = key.lhs end
  local words = {}
  local function add(name, word)
    if lhs[name] then table.insert(words, ("%%#ClinedKey#%s%%* %s"):format(plain(lhs[name]), word)) end
  end
  local state = require("clined.diff").state(view)
  if state.asked then
    add("allow", "accept")
    add("refuse", "refuse")
    if state.hunks > 1 then add("leave", "leave out") end
  elseif not view.final then
    table.insert(words, "%#ClinedRunning#being written%*")
  end
  add("help", "keys")
  return words
end

---@param id string
---@return string
function M.proposal(id)
  local view = view_of(id)
  if not view then return "" end
  local state = require("clined.diff").state(view)
  local what = kinds[view.params.op] or "proposed"
  if state.files > 1 then what = ("%s %d/%d"):format(what, state.file, state.files) end
  if state.left > 0 then what = ("%s, %d of %d left out"):format(what, state.left, state.hunks) end
  if view:is_edited() then what = what .. ", changed by you" end
  local words = keys_of(view)
  local function bar() return (" %%#ClinedTitle#%s%%*%%=%s "):format(plain(what), table.concat(words, "  ")) end
  local function wide() return vim.api.nvim_eval_statusline(bar(), { maxwidth = 1000 }).width end
  -- What does not fit goes, the last first; the help has all of them.
  while #words > 2 and wide() > width() do table.remove(words, #words - 1) end
  return bar()
end

return M
