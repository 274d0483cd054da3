--- The keys of the chat and the input, in a window over them.
local api = vim.api
local M = {}

local titles = { chat = "in the chat", input = "in the input", diff = "in a diff" }

---@param scope clined.KeyScope
function M.open(scope)
  local lines, marks, wide = {}, {}, 0
  local order = scope == "input" and { "input", "chat", "diff" }
    or scope == "diff" and { "diff", "chat", "input" }
    or { "chat", "input", "diff" }
  for _, part in ipairs(order) do
    if #lines > 0 then table.insert(lines, "") end
    table.insert(lines, " Keys " .. titles[part])
    table.insert(marks, { #lines - 1, 0, #lines[#lines], "ClinedTitle" })
    for _, key in ipairs(require("clined.keys").of(part)) do
      local pad = (" "):rep(math.max(1, 10 - #key.lhs))
      table.insert(lines, ("  %s%s%s "):format(key.lhs, pad, key.desc))
      table.insert(marks, { #lines - 1, 2, 2 + #key.lhs, "ClinedKey" })
    end
  end
  for _, line in ipairs(lines) do
    wide = math.max(wide, vim.fn.strdisplaywidth(line))
  end
  local buf = api.nvim_create_buf(false, true)
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local ns = api.nvim_create_namespace("clined.help")
  for _, m in ipairs(marks) do
    api.nvim_buf_set_extmark(buf, ns, m[1], m[2], { end_col = m[3], hl_group = m[4] })
  end
  vim.bo[buf].modifiable, vim.bo[buf].bufhidden = false, "wipe"
  local width, height = math.min(wide, vim.o.columns - 4), math.min(#lines, vim.o.lines - 6)
  local win = api.nvim_open_win(buf, true, {
    relative = "editor",
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
    style = "minimal",
    border = "rounded",
    title = " clined ",
  })
  vim.wo[win].wrap = false
  for _, lhs in ipairs({ "q", "<Esc>", "g?" }) do
    vim.keymap.set("n", lhs, "<Cmd>close<CR>", { buffer = buf, nowait = true, desc = "clined: close" })
  end
  api.nvim_create_autocmd("WinLeave", {
    buffer = buf,
    once = true,
    callback = function()
      vim.schedule(function() pcall(api.nvim_win_close, win, true) end)
    end,
  })
end

return M
