--- What the user set: `vim.g.clined`, checked and laid over the defaults.
---
--- Owns the plugin's own options. The settings of the agent (`settings`) are the daemon's, see clined.settings for their types.
--- Nothing is read before it is needed; what is wrong is told once, and the default holds in its place.
local M = {}

---@class clined.Config
---@field bin? string|string[] the daemon: a path, or a command with its arguments
---@field settings? clined.Settings what the daemon is told over its settings files
---@field chat? clined.Config.Chat
---@field diff? clined.Config.Diff
---@field keys? clined.Config.Keys
---@field notify? boolean say by vim.notify that a turn ended or something is asked while the chat is hidden
---@field select? boolean ask by vim.ui.select while the chat is hidden

---@class clined.Config.Chat
---@field position? "right"|"left"|"below"|"tab" where the chat opens
---@field size? number columns of the chat, its lines with "below"; a number below 1 is a part of the screen
---@field input? integer lines of the input where less is written
---@field reasoning? boolean show reasoning unfolded

---@class clined.Config.Diff
---@field layout? "tab"|"inline" a tab with both sides, or one buffer in the window of the file
---@field focus? boolean go to the diff when a proposal is to be decided on

---@class clined.Config.Keys
---@field chat? table<string, string|false> other keys in the chat, by their names; false for none
---@field input? table<string, string|false> other keys in the input, by their names; false for none
---@field diff? table<string, string|false> other keys in a diff, by their names; false for none

---@type clined.Config
M.defaults = {
  settings = {},
  chat = { position = "right", size = 0.42, input = 3, reasoning = false },
  diff = { layout = "tab", focus = true },
  keys = { chat = {}, input = {}, diff = {} },
  notify = true,
  select = true,
}

local function one_of(...)
  local choices = { ... }
  return function(value)
    if vim.list_contains(choices, value) then return end
    return "one of " .. table.concat(vim.tbl_map(function(c) return ('"%s"'):format(c) end, choices), ", ")
  end
end

local function a(kind)
  return function(value)
    if type(value) ~= kind then return "a " .. kind end
  end
end

local function positive(value)
  if type(value) ~= "number" or value <= 0 then return "a number above 0" end
end

local function program(value)
  if type(value) == "string" and value ~= "" then return end
  if type(value) == "table" and vim.islist(value) and #value > 0 and vim.iter(value):all(function(v) return type(v) == "string" end) then
    return
  end
  return "a path, or a list of a path and arguments"
end

local function keys(scope)
  return function(value)
    if type(value) ~= "table" then return "a table" end
    for name, lhs in pairs(value) do
      local known = vim.iter(require("clined.keys").list):any(function(k) return k.scope == scope and k.name == name end)
      if not known then return ("names of keys, not %q"):format(name) end
      if lhs ~= false and (type(lhs) ~= "string" or lhs == "") then return ("a key or false for %q"):format(name) end
    end
  end
end

-- What each option must be: a function that says so if it is not, or a table of such.
local checks = {
  bin = program,
  settings = a("table"),
  chat = { position = one_of("right", "left", "below", "tab"), size = positive, input = positive, reasoning = a("boolean") },
  diff = { layout = one_of("tab", "inline"), focus = a("boolean") },
  keys = { chat = keys("chat"), input = keys("input"), diff = keys("diff") },
  notify = a("boolean"),
  select = a("boolean"),
}

-- How many letters are to be put in, left out or exchanged to make one word of the other.
---@param a string
---@param b string
---@return integer
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local corner = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      row[j] = math.min(above + 1, row[j - 1] + 1, corner + (a:byte(i) == b:byte(j) and 0 or 1))
      corner = above
    end
  end
  return row[#b]
end

---@param name string
---@param known table<string, any>
---@return string?
local function nearest(name, known)
  local best, least = nil, 3
  local names = vim.tbl_keys(known)
  table.sort(names)
  for _, candidate in ipairs(names) do
    local away = #name > 2 and vim.startswith(candidate, name) and 1 or distance(name, candidate)
    if away < least and away < #name then
      best, least = candidate, away
    end
  end
  return best
end

-- The values that hold, and sentences about those that do not.
local function checked(given, defaults, rules, prefix, problems)
  local out = vim.deepcopy(defaults)
  for name, value in pairs(given) do
    local rule = rules[name]
    if not rule then
      local near = type(name) == "string" and nearest(name, rules)
      table.insert(
        problems,
        ("%s%s is no option%s"):format(prefix, tostring(name), near and ("; did you mean %s%s?"):format(prefix, near) or "")
      )
    elseif type(rule) == "table" and type(value) == "table" then
      out[name] = checked(value, defaults[name], rule, prefix .. name .. ".", problems)
    else
      local must = type(rule) == "table" and "a table" or type(rule) == "function" and rule(value)
      if must then
        table.insert(problems, ("%s%s must be %s"):format(prefix, name, must))
      else
        out[name] = vim.deepcopy(value)
      end
    end
  end
  return out
end

--- Lays `given` over the defaults.
---@param given any what vim.g.clined holds: a table, a function that returns one, or nil
---@return clined.Config config, string[] problems sentences, in no order
function M.check(given)
  if type(given) == "function" then
    local ok, result = pcall(given)
    if not ok then return vim.deepcopy(M.defaults), { "vim.g.clined failed: " .. tostring(result) } end
    given = result
  end
  if given == nil then return vim.deepcopy(M.defaults), {} end
  if type(given) ~= "table" then return vim.deepcopy(M.defaults), { "vim.g.clined must be a table" } end
  local problems = {}
  local config = checked(given, M.defaults, checks, "", problems)
  table.sort(problems)
  return config, problems
end

---@type clined.Config?
local current

--- The options as they hold now; read when first asked for.
---@return clined.Config
function M.get()
  if not current then
    local problems
    current, problems = M.check(vim.g.clined)
    for _, problem in ipairs(problems) do
      require("clined.say").warn("vim.g.clined: " .. problem .. "; the default holds (:help clined-options)")
    end
  end
  return current
end

--- Reads vim.g.clined anew, for whoever changed it.
function M.reload() current = nil end

return M
