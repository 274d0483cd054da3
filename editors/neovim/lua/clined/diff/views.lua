--- The proposals that are open, by id.
local M = {}

---@type table<string, clined.DiffView>
local views = {}
---@type string[] ids in the order of opening
local order = {}

---@param view clined.DiffView
function M.add(view)
  views[view.id] = view
  table.insert(order, view.id)
end

---@param id? string
---@return clined.DiffView?
function M.get(id) return id and views[id] or nil end

---@param id string
function M.remove(id)
  views[id] = nil
  order = vim.tbl_filter(function(other) return other ~= id end, order)
end

--- In the order in which they were opened.
---@return clined.DiffView[]
function M.list()
  return vim.tbl_map(function(id) return views[id] end, order)
end

--- Those of one call.
---@param call string
---@return clined.DiffView[]
function M.of_call(call)
  return vim.tbl_filter(function(view) return view.params.toolCallId == call end, M.list())
end

--- The one that has a buffer as one of its sides.
---@param buf integer
---@return clined.DiffView?
function M.of_buffer(buf)
  for _, view in pairs(views) do
    if view.buf == buf or view.base_buf == buf then return view end
  end
end

return M
