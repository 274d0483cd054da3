-- Runs the tests: nvim --clean -l tests/run.lua [NAME...], as scripts/test-neovim.sh does. Names are of test files; without any all
-- are run. Each file runs in each Neovim, two processes at a time.
--
-- Owns the processes and folders of the tests: each has a root of its own, which everything that it starts carries in its
-- environment, so that nothing outlives it unseen.
local plugin = vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, "S").source:sub(2))))
plugin = assert(vim.uv.fs_realpath(plugin))
local world = dofile(plugin .. "/tests/harness/world.lua")
local tools = vim.fs.dirname(vim.fs.dirname(plugin)) .. "/.cache/neovim"
local screenshots = vim.fs.dirname(tools) .. "/screenshots"

-- How long a process of tests may take in all, in milliseconds.
local limit = tonumber(vim.env.CLINED_TEST_LIMIT) or 180000
local slots = vim.env.NEOVIM_SLOTS and vim.split(vim.env.NEOVIM_SLOTS, " ") or { "0.10", "0.12" }
local kinds = vim.split(vim.env.CLINED_TEST_KINDS or "screen e2e unit", " ")
-- How many processes run at a time; what is measured runs alone.
local most = kinds[1] == "bench" and 1 or 2

---@class Job
---@field slot string
---@field kind string
---@field name string of the file
---@field only? string the test that runs alone in its process; "?" tells which there are

local function environment(root, job)
  return vim.tbl_extend("error", world.environment(root, plugin, job.slot), {
    CLINED_TEST_FILE = ("%s/tests/%s/%s_test.lua"):format(plugin, job.kind, job.name),
    CLINED_TEST_ONLY = job.only,
    CLINED_TEST_PICTURES = vim.env.NEOVIM_PICTURES or root,
    CLINED_TEST_RESULTS = root .. "/results",
  })
end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return "" end
  local text = file:read("*a")
  file:close()
  return text
end

-- Where the logs of failures are kept.
local function kept(name, slot) return ("%s/failed-neovim-%s-%s"):format(screenshots, name, slot) end

-- Keeps the logs of a failure: the daemon's and Neovim's.
local function keep(root, job)
  local into = kept(job.name, job.slot)
  vim.fn.mkdir(into, "p")
  local logs = vim.fs.find(function(name) return name:match("%.log$") ~= nil end, { path = root, type = "file", limit = math.huge })
  for _, log in ipairs(logs) do
    vim.uv.fs_copyfile(log, ("%s/%s"):format(into, log:sub(#root + 2):gsub("/", "_")))
  end
  return into
end

local passed, failed = 0, 0

local function report(job, test, problem, figures)
  if problem then
    failed = failed + 1
  else
    passed = passed + 1
  end
  local line = ("%s %s %s/%s: %s\n"):format(problem and "failed" or "ok    ", job.slot, job.kind, job.name, test)
  io.stdout:write(line, problem and problem:gsub("^", "    "):gsub("\n", "\n    ") .. "\n" or "")
  for _, figure in ipairs(figures or {}) do
    io.stdout:write("       ", figure, "\n")
  end
  io.stdout:flush()
end

-- Starts a job; `done` is told the tests that it has when it was only asked for them.
local function start(job, done)
  local root = assert(vim.uv.fs_mkdtemp((vim.env.TMPDIR or "/tmp") .. "/clined-nvim-XXXXXX"))
  world.make(root)
  local argv = { tools .. "/nvim-" .. job.slot, "--clean", "--headless", "-i", "NONE", "-n" }
  vim.list_extend(argv, { "--cmd", "set runtimepath^=" .. plugin, "-c", "luafile " .. plugin .. "/tests/one.lua" })
  local options = { cwd = root, env = environment(root, job), clear_env = true, text = true, detach = true }
  local hung = false
  local process
  local guard = vim.defer_fn(function()
    hung = true
    vim.uv.kill(-process.pid, "sigkill")
  end, limit)
  process = vim.system(
    argv,
    options,
    vim.schedule_wrap(function(ended)
      guard:stop()
      local output = (ended.stdout or "") .. (ended.stderr or "")
      local results, problem = {}, nil
      for line in read(root .. "/results"):gmatch("[^\n]+") do
        table.insert(results, vim.json.decode(line))
      end
      if hung then
        problem = ("it hung: more than %d s"):format(limit / 1000)
      elseif ended.code ~= 0 or ended.signal ~= 0 then
        problem = ("Neovim ended with code %d, signal %d"):format(ended.code, ended.signal)
      end
      problem = problem or dofile(plugin .. "/tests/harness/errors.lua").find(output)
      local left = world.outlived(root)
      problem = problem or left or (#results == 0 and "nothing was tested" or nil)
      local bad = problem ~= nil
      for _, result in ipairs(results) do
        if problem and result.name == job.only then
          result.problem = result.problem or problem .. "\n" .. output
          problem = nil
        end
        bad = bad or result.problem ~= nil
        if not result.listed then report(job, result.name, result.problem, result.figures) end
      end
      if problem then report(job, job.only or "all of it", problem .. "\n" .. output) end
      if bad then io.stdout:write("    what is left of it: ", keep(root, job), "\n") end
      vim.fn.delete(root, "rf")
      done(results)
    end)
  )
end

-- What is still to be done, in order.
---@type Job[]
local queue = {}
local wanted = {}
for _, name in ipairs(arg) do
  wanted[name] = true
end
for _, kind in ipairs(kinds) do
  for file in vim.fs.dir(plugin .. "/tests/" .. kind) do
    local name = file:match("^(.*)_test%.lua$")
    if name and (not next(wanted) or wanted[name]) then
      for _, slot in ipairs(slots) do
        vim.fn.delete(kept(name, slot), "rf")
        table.insert(queue, { slot = slot, kind = kind, name = name, only = kind ~= "unit" and "?" or nil })
      end
    end
  end
end

local running = 0
local function fill()
  while running < most and #queue > 0 do
    local job = table.remove(queue, 1)
    running = running + 1
    start(job, function(results)
      running = running - 1
      local at = 1
      for _, result in ipairs(results) do
        if result.listed then
          table.insert(queue, at, vim.tbl_extend("force", job, { only = result.name }))
          at = at + 1
        end
      end
      fill()
    end)
  end
end

fill()
while running > 0 do
  vim.wait(1000, function() return running == 0 end, 10)
end
io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
if passed + failed == 0 then io.stdout:write("no test has such a name\n") end
os.exit((failed > 0 or passed == 0) and 1 or 0)
