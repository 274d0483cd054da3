local t = require("tests.harness")
local find = require("clined.daemon.find")

local function program(path, mode)
  t.write(path, "#!/bin/sh\n")
  vim.uv.fs_chmod(path, tonumber(mode or "755", 8))
  return path
end

local function with_path(path)
  local before = vim.env.PATH
  t.defer(function() vim.env.PATH = before end)
  vim.env.PATH = path
end

-- As if the plugin had been built, or not.
local function built(paths)
  local before = find.built
  t.defer(function() find.built = before end)
  find.built = function() return paths end
end

t.test("the folder of the plugin is known, and where make puts the program", function()
  local plugin = vim.env.CLINED_TEST_PLUGIN
  t.eq(vim.uv.fs_realpath(find.plugin_folder()), plugin)
  t.eq(vim.tbl_map(vim.fs.normalize, find.built()), {
    find.plugin_folder() .. "/bin/clined",
    vim.fs.dirname(vim.fs.dirname(find.plugin_folder())) .. "/bin/clined",
  })
end)

t.test("the one that was named comes first, then the one that was built, then PATH", function()
  local dir = t.folder()
  local own, made, on_path = program(dir .. "/own"), program(dir .. "/made/clined"), program(dir .. "/path/clined")
  with_path("relative:" .. dir .. "/path:/nowhere")
  built({ dir .. "/none/clined", made })
  t.eq(find.program(own), { cmd = { own }, from = "vim.g.clined.bin" })
  t.eq(find.program({ own, "--flag" }), { cmd = { own, "--flag" }, from = "vim.g.clined.bin" })
  t.eq(find.program("clined"), { cmd = { on_path }, from = "vim.g.clined.bin" })
  t.eq(find.program(), { cmd = { made }, from = "the plugin's folder" })
  built({})
  t.eq(find.program(), { cmd = { on_path }, from = "PATH" })
end)

t.test("one that was named but cannot be used is told, and not replaced", function()
  local dir = t.folder()
  with_path(vim.fs.dirname(program(dir .. "/path/clined")))
  local function refused(bin, words)
    local found, why = find.program(bin)
    t.eq(found, nil)
    t.has(why.message, words)
    t.ok(#why.data.hint > 0)
    return why
  end
  refused(dir .. "/none", "is not there")
  refused(dir, "is a folder")
  refused("nosuch", "is not on PATH")
  refused("~/none", vim.env.HOME .. "/none")
  refused(program(dir .. "/locked", "644"), "is not executable")
end)

t.test("a missing program is told with the places, and what to do", function()
  with_path("/nowhere")
  built({ "/a/clined" })
  local found, why = find.program()
  t.eq(found, nil)
  t.has(why.message, "/a/clined is not there, and PATH has none")
  t.has(why.data.hint, "make")
end)

t.test("a program for another machine is told by its first bytes", function()
  local is = require("clined.daemon.machine").is_foreign_head
  local function elf(machine, big) return "\127ELF\2" .. (big and "\2" or "\1") .. ("\0"):rep(12) .. machine .. ("\0"):rep(40) end
  t.ok(not is(elf("\62\0"), "Linux", "x86_64"))
  t.ok(is(elf("\183\0"), "Linux", "x86_64"))
  t.ok(not is(elf("\183\0"), "Linux", "aarch64"))
  t.ok(is(elf("\62\0"), "Darwin", "arm64"))
  t.ok(is(elf("\0\62", true), "Linux", "aarch64"))
  t.ok(not is(elf("\1\2"), "Linux", "unheard-of"))
  t.ok(is("\207\250\237\254" .. ("\0"):rep(40), "Linux", "x86_64"))
  t.ok(is("MZ" .. ("\0"):rep(60), "Linux", "x86_64"))
  t.ok(not is("MZ" .. ("\0"):rep(60), "Windows_NT", "x86_64"))
  t.ok(not is("#!/bin/sh\n", "Linux", "x86_64"))
  t.ok(not is("", "Linux", "x86_64"))
end)
