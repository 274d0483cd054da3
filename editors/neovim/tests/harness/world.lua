--- What a process of tests has around it: an environment of its own below a folder, which everything that it starts carries, so that
--- nothing outlives it unseen.
local M = {}

--- The whole environment.
---@param root string
---@param plugin string
---@param slot string of the Neovim that is tested
---@return table<string, string>
function M.environment(root, plugin, slot)
  local tools = vim.fs.dirname(vim.fs.dirname(plugin)) .. "/.cache/neovim"
  return {
    PATH = vim.env.PATH,
    HOME = root .. "/home",
    XDG_CONFIG_HOME = root .. "/home/.config",
    XDG_DATA_HOME = root .. "/home/.local/share",
    XDG_STATE_HOME = root .. "/home/.local/state",
    XDG_CACHE_HOME = root .. "/home/.cache",
    XDG_RUNTIME_DIR = root .. "/run",
    TMPDIR = root .. "/tmp",
    CLINED_HOME = root .. "/clined",
    LANG = "C.UTF-8",
    SHELL = "/bin/sh",
    -- What would go beyond this machine ends here.
    HTTP_PROXY = "http://127.0.0.1:1",
    HTTPS_PROXY = "http://127.0.0.1:1",
    NO_PROXY = "127.0.0.1,localhost",
    NVIM_LOG_FILE = root .. "/nvim.log",
    CLINED_TEST_ROOT = root,
    CLINED_TEST_PLUGIN = plugin,
    CLINED_TEST_TOOLS = tools,
    CLINED_TEST_SLOT = slot,
    CLINED_TEST_NVIM = tools .. "/nvim-" .. slot,
  }
end

--- Makes the folders that the environment names.
---@param root string
function M.make(root)
  for _, name in ipairs({ "home", "run", "tmp" }) do
    vim.fn.mkdir(root .. "/" .. name, "p", tonumber("700", 8))
  end
end

--- Has this process go on in such an environment.
---@param root string
---@param plugin string
---@param slot string
function M.enter(root, plugin, slot)
  M.make(root)
  local environment = M.environment(root, plugin, slot)
  for name in pairs(vim.fn.environ()) do
    if not environment[name] then vim.env[name] = nil end
  end
  for name, value in pairs(environment) do
    vim.env[name] = value
  end
end

-- The processes that carry this root, beside this one, as "pid command line".
local function alive(root)
  local found = {}
  for name in vim.fs.dir("/proc") do
    local environ = name:match("^%d+$") and tonumber(name) ~= vim.uv.os_getpid() and io.open(("/proc/%s/environ"):format(name), "rb")
    if environ then
      local variables = environ:read("*a") or ""
      environ:close()
      if ("\0" .. variables .. "\0"):find("\0CLINED_TEST_ROOT=" .. root .. "\0", 1, true) then
        local cmdline = io.open(("/proc/%s/cmdline"):format(name), "rb")
        local command = cmdline and cmdline:read("*a") or ""
        if cmdline then cmdline:close() end
        if command ~= "" then table.insert(found, { pid = assert(tonumber(name)), command = command:gsub("%z", " ") }) end
      end
    end
  end
  return found
end

--- Waits for the end of what was started, and kills what stays: what that was.
---@param root string
---@return string? problem
function M.outlived(root)
  if vim.wait(5000, function() return #alive(root) == 0 end, 20) then return end
  local left = alive(root)
  for _, process in ipairs(left) do
    vim.uv.kill(process.pid, "sigkill")
  end
  if #left == 0 then return end
  return "outlived the test:\n" .. table.concat(vim.tbl_map(function(p) return p.pid .. " " .. p.command end, left), "\n")
end

return M
