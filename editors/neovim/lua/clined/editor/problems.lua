--- Problems as LSP has them, and as much of them as the daemon uses: those of all sources that tell vim.diagnostic.
local M = {}

--- Problems of one file that are told, and bytes of a message; a broken file may have tens of thousands.
local most, longest = 1000, 2000

---@param buf integer
---@return table[] diagnostics
function M.of(buf)
  local list = vim.diagnostic.get(buf)
  if #list > most then table.sort(list, function(a, b) return a.severity < b.severity end) end
  return vim
    .iter(list)
    :take(most)
    :map(function(d)
      local text = d.message
      if #text > longest then text = vim.fn.strpart(text, 0, longest) .. "…" end
      return {
        range = {
          start = { line = d.lnum, character = d.col },
          ["end"] = { line = d.end_lnum or d.lnum, character = d.end_col or d.col },
        },
        severity = d.severity,
        message = text,
        source = d.source,
      }
    end)
    :totable()
end

--- Buffers that have problems now.
---@return integer[]
function M.buffers()
  local seen = {}
  for _, d in ipairs(vim.diagnostic.get()) do
    seen[d.bufnr] = true
  end
  return vim.tbl_keys(seen)
end

return M
