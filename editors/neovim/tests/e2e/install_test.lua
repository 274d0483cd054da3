local t = require("tests.harness")

local root = vim.fs.dirname(vim.fs.dirname(vim.env.CLINED_TEST_PLUGIN))

-- A Neovim that is started once with these arguments, and prints what the Lua returns.
local function run(arguments, lua)
  local script = t.folder() .. "/look.lua"
  t.write(
    script,
    ("local ok, result = pcall(function() %s end)\nio.stdout:write(vim.json.encode({ ok, result }))\nvim.cmd('qall!')"):format(lua)
  )
  local argv = { vim.env.CLINED_TEST_NVIM, "-u", "NORC", "-i", "NONE", "-n", "--headless" }
  vim.list_extend(argv, arguments)
  vim.list_extend(argv, { "-c", "luafile " .. script })
  local ended = vim.system(argv, { text = true }):wait(t.limit)
  t.eq(ended.stderr, "")
  local ok, result = unpack(vim.json.decode(ended.stdout))
  t.ok(ok, tostring(result))
  return result
end

local all_there = [[
  return {
    command = vim.fn.exists(":Clined"),
    plug = vim.fn.maparg("<Plug>(clined-open)", "n"),
    api = type(require("clined").open),
    health = #vim.api.nvim_get_runtime_file("lua/clined/health.lua", true),
    found = require("clined.daemon.find").plugin_folder(),
  }
]]

local function want(plugin) return { command = 2, plug = "<Cmd>Clined<CR>", api = "function", health = 1, found = plugin } end

t.test(
  "the root of the repository in the runtime path is enough",
  function() t.eq(run({ "--cmd", "set runtimepath^=" .. root }, all_there), want(vim.env.CLINED_TEST_PLUGIN)) end
)

t.test(
  "so is the folder of the plugin",
  function() t.eq(run({ "--cmd", "set runtimepath^=" .. vim.env.CLINED_TEST_PLUGIN }, all_there), want(vim.env.CLINED_TEST_PLUGIN)) end
)

-- A copy, as one that is fetched, in a folder with a name that is not easy.
local function fetched(folder)
  vim.fn.mkdir(folder .. "/editors", "p")
  for _, part in ipairs({ "plugin", "editors/neovim" }) do
    local done = vim.system({ "cp", "-r", root .. "/" .. part, folder .. "/" .. part }):wait(t.limit)
    t.eq(done.code, 0)
  end
  return folder .. "/editors/neovim"
end

t.test("a package that Neovim loads by itself is enough", function()
  local packs = t.folder() .. "/a b"
  local plugin = fetched(packs .. "/pack/any/start/clined")
  t.eq(run({ "--cmd", "set packpath^=" .. vim.fn.escape(packs, " ") }, all_there), want(plugin))
end)

t.test("its help is found, and found again after an update", function()
  local packs = t.folder()
  local plugin = fetched(packs .. "/pack/any/start/clined")
  local help = [[
    vim.wait(20000, function() return #vim.fn.getcompletion("clined-begin", "help") > 0 end, 5)
    vim.cmd("silent help clined-begin")
    return vim.api.nvim_buf_get_name(0)
  ]]
  local arguments = { "--cmd", "set packpath^=" .. packs }
  t.eq(run(arguments, help), plugin .. "/doc/clined.txt")
  t.write(plugin .. "/doc/clined.txt", "*clined-other*\n" .. t.read(plugin .. "/doc/clined.txt"))
  vim.uv.fs_utime(plugin .. "/doc/tags", 1, 1)
  t.eq(run(arguments, (help:gsub("clined%-begin", "clined-other"))), plugin .. "/doc/clined.txt")
end)

t.test("a package that is added later is enough", function()
  local packs = t.folder()
  local plugin = fetched(packs .. "/pack/any/opt/clined")
  t.eq(run({ "--cmd", "set packpath^=" .. packs }, "vim.cmd('packadd clined')\n" .. all_there), want(plugin))
end)
