--- Finds the clined program: the one that the user named, the one that was built with the plugin, the one on PATH.
---
--- Owns where it is looked for. Starts nothing.
local failure = require("clined.daemon.failure")

local M = {}

---@class clined.Found
---@field cmd string[] the program with the arguments that the user gave
---@field from "vim.g.clined.bin"|"the plugin's folder"|"PATH"

local windows = vim.fn.has("win32") == 1
local name = windows and "clined.exe" or "clined"

--- The folder of the plugin, editors/neovim of the repository.
---@return string
function M.plugin_folder()
  local here = debug.getinfo(1, "S").source:sub(2)
  return vim.fs.normalize(vim.fn.fnamemodify(here, ":p:h:h:h:h"))
end

--- Where `make` puts the program: in the repository that the plugin is a part of. A packed plugin has it in a folder of its own.
---@return string[]
function M.built()
  local plugin = M.plugin_folder()
  return { vim.fs.joinpath(plugin, "bin", name), vim.fs.joinpath(vim.fs.dirname(vim.fs.dirname(plugin)), "bin", name) }
end

---@param path string
---@return "program"|"locked"|"folder"|"nothing"
local function look(path)
  local stat = vim.uv.fs_stat(path)
  if not stat then return "nothing" end
  if stat.type == "directory" then return "folder" end
  return vim.uv.fs_access(path, "X") and "program" or "locked"
end

-- A relative folder in PATH means whatever folder one is in: it does not count.
local function on_path(program)
  for folder in vim.gsplit(vim.env.PATH or "", windows and ";" or ":", { plain = true }) do
    local candidate = vim.fs.joinpath(folder, program)
    if (folder:find("^/") or folder:find("^%a:")) and look(candidate) == "program" then return candidate end
  end
end

---@param bin string|string[]
---@return clined.Found?, clined.Failure?
local function named(bin)
  local cmd = type(bin) == "table" and vim.deepcopy(bin) or { bin }
  local path = vim.fs.normalize(cmd[1])
  if not path:find("[/\\]") then
    path = on_path(path)
    if not path then return nil, failure.named_but(cmd[1], "is not on PATH") end
  end
  path = vim.fn.fnamemodify(path, ":p")
  local seen = look(path)
  if seen == "nothing" then return nil, failure.named_but(path, "is not there") end
  if seen == "folder" then return nil, failure.named_but(path, "is a folder") end
  if seen == "locked" then return nil, failure.not_executable(path) end
  cmd[1] = path
  return { cmd = cmd, from = "vim.g.clined.bin" }
end

--- The program to start. One that was named but is not there is never replaced by another.
---@param bin? string|string[] what vim.g.clined.bin says
---@return clined.Found?, clined.Failure?
function M.program(bin)
  if bin then return named(bin) end
  local locked
  for _, path in ipairs(M.built()) do
    local seen = look(path)
    if seen == "program" then return { cmd = { path }, from = "the plugin's folder" } end
    if seen == "locked" then locked = path end
  end
  local path = on_path(name)
  if path then return { cmd = { path }, from = "PATH" } end
  if locked then return nil, failure.not_executable(locked) end
  local repository = vim.fs.dirname(vim.fs.dirname(M.plugin_folder()))
  local can_build = look(vim.fs.joinpath(repository, "Makefile")) ~= "nothing"
  local places = M.built()
  return nil, failure.missing(places[#places], can_build and repository or nil)
end

return M
