--- Where a test happens: its folders, and the options under which the plugin finds the daemon and the model.
local M = {}

---@class clined.test.PlaceOptions
---@field files? table<string, string> files of the workspace
---@field script? string what the model says; without it no model is set up
---@field options? table for vim.g.clined, on top of those that make daemon and model reachable

---@class clined.test.Place
---@field work string the workspace
---@field options table for vim.g.clined
---@field model? clined.test.Model

local tools = assert(vim.env.CLINED_TEST_TOOLS)

M.tools = tools
M.bin = tools .. "/clined"

---@param path string
---@return string
function M.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

--- Writes a file, making its folder.
---@param path string
---@param text string
function M.write(path, text)
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local made = 0

--- A new folder with these files, gone after the test.
---@param files? table<string, string>
---@return string
function M.folder(files)
  made = made + 1
  local path = ("%s/work%s"):format(vim.env.CLINED_TEST_ROOT, made == 1 and "" or made)
  vim.fn.mkdir(path, "p")
  for name, text in pairs(files or {}) do
    M.write(path .. "/" .. name, text)
  end
  return path
end

---@param t table the harness
---@param opts clined.test.PlaceOptions
---@return clined.test.Place
function M.make(t, opts)
  local model = opts.script and t.model(opts.script) or nil
  local reachable = model and { baseUrl = model.url, model = "fake-model" } or {}
  local settings = vim.tbl_extend("force", { log = { file = true, level = "debug" } }, reachable)
  local options = vim.tbl_deep_extend("force", { bin = M.bin, settings = settings }, opts.options or {})
  return { work = M.folder(opts.files), options = options, model = model }
end

return M
