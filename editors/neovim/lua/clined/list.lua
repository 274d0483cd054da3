--- A list in a buffer of its own: lines that stand for things, keys that do something with the one under the cursor.
---
--- Owns the buffer and its window, over the others; the history, the rules and the like say what is in it.
local api = vim.api
local M = {}

---@class clined.ListEntry
---@field pieces { [1]: string, [2]: string? }[] fit to be shown
---@field value any

---@class clined.ListKey
---@field lhs string
---@field desc string
---@field run fun(value: any?)

---@class clined.List
---@field buf integer
---@field private values any[] of the entries, by their line
local List = {}
List.__index = List

local ns = api.nvim_create_namespace("clined.list")

---@param name string of the buffer: "clined://history"
---@param keys clined.ListKey[] their `run` gets the value under the cursor
---@return clined.List
function M.open(name, keys)
  require("clined.highlight").setup()
  local buf = vim.fn.bufnr("^" .. name .. "$")
  if buf < 0 then
    buf = api.nvim_create_buf(false, true)
    api.nvim_buf_set_name(buf, name)
  end
  local bo = vim.bo[buf]
  bo.buftype, bo.bufhidden, bo.swapfile, bo.modeline, bo.filetype, bo.undolevels = "nofile", "wipe", false, false, "clined-list", -1
  local self = setmetatable({ buf = buf, values = {} }, List)
  for _, key in ipairs(keys) do
    vim.keymap.set("n", key.lhs, function() key.run(self:value()) end, { buffer = buf, nowait = true, desc = "clined: " .. key.desc })
  end
  vim.keymap.set("n", "q", function() self:close() end, { buffer = buf, nowait = true, desc = "clined: close" })
  local win = vim.fn.win_findbuf(buf)[1]
  if not win then
    local width, height = math.min(vim.o.columns - 4, 110), math.max(8, math.floor(vim.o.lines * 0.6))
    win = api.nvim_open_win(buf, true, {
      relative = "editor",
      width = width,
      height = math.min(height, vim.o.lines - 5),
      row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
      col = math.floor((vim.o.columns - width) / 2) - 1,
      border = "rounded",
      title = (" clined: %s "):format(name:match("//(.*)")),
    })
  end
  api.nvim_set_current_win(win)
  local wo = vim.wo[win][0]
  wo.number, wo.relativenumber, wo.signcolumn, wo.wrap, wo.cursorline, wo.foldenable, wo.list, wo.spell =
    false, false, "no", false, true, false, false, false
  wo.winfixbuf, wo.statuscolumn, wo.colorcolumn = true, "", ""
  local hints = vim.tbl_map(
    function(key) return ("%%#ClinedKey#%s%%#ClinedBarDim# %s"):format(key.lhs:gsub("%%", "%%%%"), key.desc) end,
    keys
  )
  wo.winbar = " " .. table.concat(hints, "  ") .. "  %#ClinedKey#q%#ClinedBarDim# close%<"
  wo.fillchars = "eob: "
  return self
end

---@return boolean
function List:is_open() return api.nvim_buf_is_valid(self.buf) end

--- The value under the cursor.
---@return any?
function List:value()
  local win = vim.fn.win_findbuf(self.buf)[1]
  return win and self.values[api.nvim_win_get_cursor(win)[1]]
end

---@param entries clined.ListEntry[]
---@param empty string what stands there when there is none
function List:set(entries, empty)
  if not self:is_open() then return end
  local lines, marks = {}, {}
  self.values = {}
  for i, entry in ipairs(entries) do
    local text = ""
    for _, piece in ipairs(entry.pieces) do
      if piece[2] then table.insert(marks, { i - 1, #text, #text + #piece[1], piece[2] }) end
      text = text .. piece[1]
    end
    lines[i], self.values[i] = text, entry.value
  end
  if #lines == 0 then lines = { empty } end
  vim.bo[self.buf].modifiable = true
  api.nvim_buf_set_lines(self.buf, 0, -1, false, lines)
  vim.bo[self.buf].modifiable, vim.bo[self.buf].modified = false, false
  api.nvim_buf_clear_namespace(self.buf, ns, 0, -1)
  for _, m in ipairs(marks) do
    api.nvim_buf_set_extmark(self.buf, ns, m[1], m[2], { end_col = m[3], hl_group = m[4] })
  end
end

function List:close()
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    if not pcall(api.nvim_win_close, win, true) then
      vim.wo[win].winfixbuf = false
      api.nvim_win_set_buf(win, api.nvim_create_buf(true, false))
    end
  end
end

return M
