--- The user's terminals: what runs in them and what they show last. The plugin opens none of its own (commands of the model run
--- in the daemon), so each one is the user's.
local M = {}

local api = vim.api

--- Lines that are looked at, bytes of them that are told (the model is shown at most about 3,000), and terminals.
local lines, told, most = 200, 4096, 50

---@type table<integer, true>
local followed = {}

--- Calls `touch` whenever a terminal shows something new.
---@param buf integer
---@param touch fun()
function M.follow(buf, touch)
  if followed[buf] then return end
  followed[buf] = api.nvim_buf_attach(buf, false, {
    on_lines = function() touch() end,
    on_detach = function()
      followed[buf] = nil
      touch()
    end,
  }) or nil
end

---@param text string
---@return string
local function tail(text)
  if #text <= told then return text end
  local cut = text:sub(-told)
  local line = cut:find("\n", 1, true)
  if line and line < #cut then return cut:sub(line + 1) end
  return (cut:gsub("^[\128-\191]+", "")) -- not in the middle of a character
end

local function output(buf)
  local list = api.nvim_buf_get_lines(buf, -lines - 1, -1, false)
  while #list > 0 and list[#list]:match("^%s*$") do
    table.remove(list)
  end
  for i, line in ipairs(list) do
    list[i] = (line:gsub("%s+$", ""))
  end
  local text = tail(table.concat(list, "\n"))
  return text ~= "" and text or nil
end

-- "term://~/shop//4711:/bin/zsh"
local function named(buf)
  local cwd, command = api.nvim_buf_get_name(buf):match("^term://(.-)//%d+:(.*)$")
  return cwd and vim.fn.fnamemodify(cwd, ":p") or nil, command
end

-- The program that runs in a shell, or the one that is there in place of a shell.
local function running(pid, command)
  local children = api.nvim_get_proc_children(pid)
  if #children > 0 then
    local info = api.nvim_get_proc(children[#children])
    return info and info.name or command
  end
  local shell = vim.fs.basename(vim.split(vim.o.shell, " ")[1])
  local name = vim.fs.basename(vim.split(command or "", " ")[1])
  if name ~= shell and not vim.list_contains({ "sh", "bash", "zsh", "fish", "dash", "ksh", "nu" }, name) then return command end
end

-- What the program made the title; Neovim's own is the name of the buffer.
local function title(buf)
  local given = vim.b[buf].term_title
  return given and not vim.startswith(given, "term://") and given or nil
end

local function describe(buf)
  local pid = vim.b[buf].terminal_job_pid
  local alive = pid and vim.fn.jobwait({ vim.bo[buf].channel }, 0)[1] == -1
  local cwd, command = named(buf)
  local runs = alive and running(pid, command) or nil
  return {
    id = tostring(buf),
    name = title(buf) or vim.fs.basename(command or "terminal"),
    cwd = alive and vim.uv.fs_readlink(("/proc/%d/cwd"):format(pid)) or cwd,
    busy = runs ~= nil or nil,
    command = runs,
    output = output(buf),
  }
end

--- As the daemon is told of them, those opened last at the end.
---@return table[]
function M.list()
  local list = {}
  for _, buf in ipairs(api.nvim_list_bufs()) do
    if api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == "terminal" then table.insert(list, describe(buf)) end
  end
  return vim.list_slice(list, math.max(1, #list - most + 1))
end

return M
