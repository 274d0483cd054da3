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
  local state = require("clined.diff").state(view)
  local out = state.left > 0 and ("%d of %d left out"):format(state.left, state.hunks) or ""
  return (" %%#ClinedBarDim#%s%%*  %s%%=%s "):format(what, plain(short(path, width() - #what - #out - 5)), out)
end

-- The keys, the most important first.
---@return string[]
local function keys_of(view, state)
  local lhs = {}
  for _, key in ipairs(require("clined.keys").of("diff")) do
    lhs[key.name] = key.lhs
  end
  local words = {}
  local function add(name, word)
    if lhs[name] then table.insert(words, ("%%#ClinedKey#%s%%* %s"):format(plain(lhs[name]), word)) end
  end
  if state.asked then
    add("allow", "accept")
    add("refuse", "refuse")
    if state.hunks > 1 then add("leave", "leave out") end
  elseif not view.final then
    table.insert(words, "%#ClinedRunning#being written%*")
  end
  if state.files > 1 then add("next_file", "next file") end
  add("help", "keys")
  return words
end

-- What it is, the most important first.
---@return string[]
local function parts_of(view, state)
  local parts = { kinds[view.params.op] or "proposed" }
  if state.files > 1 then parts[1] = ("%s %d/%d"):format(parts[1], state.file, state.files) end
  local alone = require("clined.diff.screen").alone(view)
  if alone then table.insert(parts, 1, vim.fs.basename(view.target)) end
  if alone and state.left > 0 then table.insert(parts, ("%d of %d left out"):format(state.left, state.hunks)) end
  if view:is_edited() then table.insert(parts, "changed by you") end
  return parts
end

---@param id string
---@return string
function M.proposal(id)
  local view = view_of(id)
  if not view then return "" end
  local state = require("clined.diff").state(view)
  local words, parts = keys_of(view, state), parts_of(view, state)
  local function bar(between)
    return (" %%#ClinedTitle#%s%%*%s%s "):format(plain(table.concat(parts, ", ")), between, table.concat(words, "  "))
  end
  local function fits() return vim.api.nvim_eval_statusline(bar("  "), { maxwidth = 1000 }).width <= width() end
  -- What does not fit goes, the last first; the help has all keys.
  while not fits() and #words > 2 do
    table.remove(words)
  end
  while not fits() and #parts > 1 do
    table.remove(parts)
  end
  return bar("%=")
end

return M
