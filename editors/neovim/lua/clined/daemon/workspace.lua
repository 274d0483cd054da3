--- The folder that tasks are about: the working directory of the tab page (`:tcd`) where it has one, else Neovim's (`:cd`).
---
--- Owns telling the daemon when that is another one; tasks that exist keep theirs. A window's own (`:lcd`) does not count, for it
--- would come and go with each look at another window. With 'autochdir' it is the repository that the directory is in.
local M = {}

---@type string?
local told
---@type integer?
local group

--- The folder now, which new tasks are about.
---@return string
function M.folder()
  local path = vim.fs.normalize(vim.fn.getcwd(-1, 0))
  return vim.o.autochdir and vim.fs.root(path, ".git") or path
end

---@param path string
local function described(path) return { uri = vim.uri_from_fname(path), name = vim.fs.basename(path) } end

--- What a process is started with: its folder.
---@return string
function M.start()
  told = M.folder()
  return told
end

--- As `initialize` has it.
function M.folders() return { described(told or M.folder()) } end

---@param session clined.Session
local function tell(session)
  local path = M.folder()
  if path == told then return end
  session.rpc:notify("workspace/didChangeWorkspaceFolders", { event = { added = { described(path) }, removed = { described(told) } } })
  told = path
end

--- Tells a process from now on, until another one is told.
---@param session clined.Session
function M.follow(session)
  group = vim.api.nvim_create_augroup("clined_workspace", { clear = true })
  vim.api.nvim_create_autocmd("DirChanged", { group = group, callback = function() tell(session) end })
  tell(session)
end

return M
