--- What tests are written with: `local t = require("tests.harness")`.
---
--- A test is `t.test(name, function() … end)` in a file `tests/KIND/NAME_test.lua`. It fails by an error, when Neovim reports one, and
--- when a process outlives it. The kinds:
---
---   unit    modules and buffers in this Neovim; all tests of a file share a process
---   e2e     with the real daemon and a scripted model; a process, a home and a folder for each test
---   screen  as e2e, with Neovim in a terminal whose screen is looked at
---
--- This Neovim is started with `--clean`, has the plugin in its runtime path, and sees no setting of the user's and nothing of the
--- machine's environment but PATH. Waits are for conditions: there is no way to just let time pass.
---
---     t.test("a change is asked about and made", function()
---       local nvim = t.child({ files = { ["a.txt"] = "old\n" }, script = 'reply\n  call …' })
---       nvim:cmd("Clined ask change it")
---       nvim:wait("the question", "return #require('clined…').open() == 1")
---       …
---       t.eq(t.read(nvim.work .. "/a.txt"), "new\n")
---     end)
local place = require("tests.harness.place")

local M = {}

--- The folder of this test, removed after it: home/, work/ and what else it needs.
M.root = assert(vim.env.CLINED_TEST_ROOT, "run by make test-neovim")

--- Which Neovim this is: "0.10" or "0.12" (that or newer).
M.slot = vim.env.CLINED_TEST_SLOT

--- How long a condition may take to hold before the test counts as hanging, in milliseconds.
M.limit = 30000

---@type { name: string, run: fun() }[]
M.tests = {}

--- What was measured: lines for people.
---@type string[]
M.figures = {}

---@type fun()[]
local cleanups = {}

--- Adds a test.
---@param name string what holds, as a sentence
---@param run fun()
function M.test(name, run) table.insert(M.tests, { name = name, run = run }) end

--- Has a function called when the test is over, however it ended; the last one given comes first.
---@param cleanup fun()
function M.defer(cleanup) table.insert(cleanups, cleanup) end

--- Calls what was deferred. An error of one hinders no other, and is returned.
---@return string? problem
function M.clean_up()
  local problem
  while #cleanups > 0 do
    local ok, err = xpcall(table.remove(cleanups), debug.traceback)
    if not ok then problem = problem or err end
  end
  return problem
end

local function shown(value) return type(value) == "string" and value or vim.inspect(value) end

--- Fails unless both are equal in depth.
---@param got any
---@param want any
---@param what? string
function M.eq(got, want, what)
  if vim.deep_equal(got, want) then return end
  error(("%sgot\n%s\nwant\n%s"):format(what and what .. ": " or "", shown(got), shown(want)), 2)
end

--- Fails unless the value is true or anything else but false and nil. Returns it.
---@generic T
---@param value T?
---@param what? string
---@return T
function M.ok(value, what)
  if not value then error(what or ("got " .. tostring(value)), 2) end
  return value
end

--- Fails unless the text has the words, verbatim.
---@param text string|string[] lines are joined
---@param words string
function M.has(text, words)
  local all = type(text) == "table" and table.concat(text, "\n") or text --[[@as string]]
  if not all:find(words, 1, true) then error(("no %q in\n%s"):format(words, all), 2) end
end

--- Fails unless the function does, with an error that has the words. Returns the error.
---@param run fun()
---@param words string
---@return string
function M.fails(run, words)
  local ok, err = pcall(run)
  if ok then error("it did not fail", 2) end
  M.has(tostring(err), words)
  return tostring(err)
end

--- Waits until a condition holds and returns its value; everything else in this Neovim goes on meanwhile.
---@generic T
---@param what string what is waited for
---@param condition fun(): T?
---@param limit? integer in milliseconds
---@return T
function M.wait(what, condition, limit)
  local value
  local held, why = vim.wait(limit or M.limit, function()
    value = condition()
    return value and true or false
  end, 10)
  if not held then error(("waited in vain for %s%s"):format(what, why == -2 and ": interrupted" or ""), 2) end
  return value
end

--- Tells a measured figure, and fails when it is above its goal. Only tests in bench/ measure: they run alone.
---@param what string
---@param got number
---@param goal number
---@param unit string
function M.figure(what, got, goal, unit)
  table.insert(M.figures, ("%s: %.2f %s (goal %g)"):format(what, got, unit, goal))
  if got > goal then error(("%s: %.2f %s is above the goal %g"):format(what, got, unit, goal), 2) end
end

--- The middle one of figures.
---@param figures number[]
---@return number
function M.median(figures)
  local sorted = vim.list_slice(figures)
  table.sort(sorted)
  return sorted[math.floor(#sorted / 2) + 1]
end

--- Lets everything that is scheduled happen.
function M.settle()
  local done = false
  vim.schedule(function() done = true end)
  M.wait("what is scheduled", function() return done end)
end

M.read, M.write, M.folder = place.read, place.write, place.folder

--- The program of the daemon, for `vim.g.clined.bin`.
M.bin = place.bin

--- A scripted model, in the language of internal/test/fakellm/script.go. It ends with the test, which fails when a request was not
--- as the script expects or a reply was not asked for.
---@param script string
---@return clined.test.Model
function M.model(script) return require("tests.harness.model").start(M, script) end

--- A workspace with a model that is reachable from it, and the options that say so.
---@param opts? clined.test.PlaceOptions
---@return clined.test.Place
function M.place(opts) return place.make(M, opts or {}) end

--- Makes this Neovim the one of a place: its folder is the current one, and its options are vim.g.clined.
---@param opts? clined.test.PlaceOptions
---@return clined.test.Place
function M.here(opts)
  local made = M.place(opts)
  vim.fn.chdir(made.work)
  vim.g.clined = made.options
  return made
end

--- A Neovim of its own that is driven over its API, for what needs a whole editor: keys, start-up, its death.
---@param opts? clined.test.ChildOptions
---@return clined.test.Child
function M.child(opts) return require("tests.harness.child").start(M, opts or {}) end

--- A Neovim in a terminal of its own, with keys to press and a screen to look at.
---@param opts? clined.test.TerminalOptions
---@return clined.test.Terminal
function M.terminal(opts) return require("tests.harness.terminal").start(M, opts or {}) end

return M
