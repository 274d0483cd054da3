--- Rows of the screen of this Neovim, as they look, and what a block of them in the chat is: by the bar beside it, its sign, and its
--- colours.
local M = {}

local api = vim.api

---@class clined.conformance.Row
---@field row integer from 0
---@field text string
---@field bar string what stands in the column beside it
---@field looks { from: integer, to: integer, group: string }[] by where they begin

--- Reads a row of a buffer in a window.
---@param win integer
---@param buf integer
---@param row integer from 0
---@return clined.conformance.Row
function M.read(win, buf, row)
  local looks = {}
  local ns = api.nvim_get_namespaces()[vim.startswith(api.nvim_buf_get_name(buf), "clined://chat") and "clined.chat" or "clined.list"]
  for _, mark in ipairs(api.nvim_buf_get_extmarks(buf, ns, { row, 0 }, { row, -1 }, { details = true })) do
    local details = mark[4]
    if details.hl_group then table.insert(looks, { from = mark[3], to = details.end_col, group = details.hl_group }) end
  end
  local column = vim.wo[win].statuscolumn
  local bar = column ~= "" and api.nvim_eval_statusline(column, { winid = win, use_statuscol_lnum = row + 1 }).str or ""
  return { row = row, text = api.nvim_buf_get_lines(buf, row, row + 1, true)[1], bar = bar:sub(1, 3), looks = looks }
end

--- Whether a row begins with a text that looks so.
---@param row clined.conformance.Row
---@param sign string
---@param group string
---@return boolean
function M.starts(row, sign, group)
  local look = row.looks[1]
  return vim.startswith(row.text, sign) and look ~= nil and look.from == 0 and look.group == group
end

--- The texts of some rows.
---@param rows clined.conformance.Row[]
---@param from integer
---@param to integer
---@return string
function M.texts(rows, from, to)
  local list = {}
  for i = from, to do
    list[#list + 1] = rows[i].text
  end
  return table.concat(list, "\n")
end

local ends = { ["✓"] = "completed", ["✗"] = "failed", ["⊘"] = "denied", ["○"] = "pending", ["●"] = "in_progress" }
local outcomes = { ClinedFigure = true, ClinedDenied = true, ClinedFailed = true, ClinedAdded = true, ClinedRemoved = true }

-- A call: its sign, what is done to what, and how it ended.
local function call(row)
  local title, status = row.text, ends[row.text:match("^[^ ]+")]
  for i = 2, #row.looks do
    local look = row.looks[i]
    if outcomes[look.group] then
      title = title:sub(1, look.from)
      break
    end
  end
  if status == "denied" and row.text:find("  stopped", #title + 1, true) then status = "cancelled" end
  return { kind = "call", text = vim.trim(title:match(" (.*)$") or ""), status = status }
end

-- A message of the model, without its reasoning.
local function message(rows)
  local list, status, thinks = {}, "completed", false
  for _, row in ipairs(rows) do
    local first = row.looks[1]
    thinks = first ~= nil and first.group == "ClinedThought" and (thinks or vim.startswith(row.text, "◇ "))
    if M.starts(row, "stopped here", "ClinedFigure") then
      status = "cancelled"
    elseif not thinks and not M.starts(row, "To run yourself: ", "ClinedLabel") then
      table.insert(list, row.text)
    end
  end
  return { kind = "assistant", text = vim.trim(table.concat(list, "\n")), status = status }
end

--- What a block of the chat is.
---@param rows clined.conformance.Row[] its own, without blank ones above
---@return { kind: string, text: string, status?: string }
function M.item(rows)
  local first = rows[1]
  if first.bar == "▌" then return { kind = "user", text = M.texts(rows, 1, #rows), status = "completed" } end
  if first.looks[2] and first.looks[2].group == "ClinedCall" then return call(first) end
  for sign, group in pairs({ ["✗ "] = "ClinedFailed", ["! "] = "ClinedDenied", ["i "] = "ClinedRunning" }) do
    if M.starts(first, sign, group) then return { kind = "notice", text = first.text:sub(#sign + 1) } end
  end
  return message(rows)
end

return M
