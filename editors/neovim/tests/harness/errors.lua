--- What Neovim prints when Lua of ours fails where no one catches it.
local M = {}

local signs = { "Error executing", "Error in ", "Error detected while processing", "stack traceback:", "E5108:", "Lua callback:" }

--- The text from the line of the first such report on, and the line before it.
---@param text string
---@return string?
function M.find(text)
  local lines = vim.split(text, "\n")
  for i, line in ipairs(lines) do
    for _, sign in ipairs(signs) do
      if line:find(sign, 1, true) then return table.concat(lines, "\n", math.max(i - 1, 1)) end
    end
  end
end

return M
