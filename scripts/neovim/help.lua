-- Writes editors/neovim/doc/clined.txt: nvim --clean -l scripts/neovim/help.lua. Its prose is help.txt beside this file, where a line
-- {{NAME}} stands for a part made of the plugin's own tables and annotations; a test holds the help to them.
--
-- Owns how those parts are laid out. As a module it gives `text(plugin)`, and changes nothing.
local M = {}

local width = 78
local folder = vim.fs.dirname(debug.getinfo(1, "S").source:sub(2))

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- Words in lines of `width`, each with this indentation.
local function wrapped(text, indent)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if line ~= "" and indent + #line + 1 + #word > width then
      table.insert(lines, (" "):rep(indent) .. line)
      line = word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  table.insert(lines, (" "):rep(indent) .. line)
  return lines
end

-- A name and what it is, in two columns.
local function row(out, name, text, column)
  local lines = wrapped(text, column)
  if #name + 2 > column then
    table.insert(out, name)
  else
    lines[1] = name .. (" "):rep(column - #name) .. vim.trim(lines[1])
  end
  vim.list_extend(out, lines)
end

local function tag(out, ...)
  local tags = table.concat(vim.tbl_map(function(t) return "*" .. t .. "*" end, { ... }), " ")
  table.insert(out, (" "):rep(math.max(width - vim.fn.strdisplaywidth(tags), 0)) .. tags)
end

-- LuaCATS as the help has it: code is in backticks there already.
local function sentence(text)
  local made = vim.trim(text)
  return made:find("[.:!?]$") and made or made .. "."
end

-- A type, which may have spaces within brackets, and what is said behind it.
local function parted(text)
  local depth = 0
  for at = 1, #text do
    local sign = text:sub(at, at)
    if sign:find("[%(<{]") then depth = depth + 1 end
    if sign:find("[%)>}]") then depth = depth - 1 end
    if sign == " " and depth == 0 and text:sub(at - 1, at - 1) ~= ":" then return text:sub(1, at - 1), text:sub(at + 1) end
  end
  return text, ""
end

-- A type as the help may show it: bars without spaces would be links.
local function code(type) return "`" .. type:gsub("|", " | ") .. "`" end

-- The classes of a file: { name, fields = { { name, type, desc } } }, in order.
local function classes(path)
  local list, current = {}, nil
  for line in vim.gsplit(read(path), "\n") do
    local class = line:match("^%-%-%-@class ([%w_.]+)")
    local name, rest = line:match("^%-%-%-@field ([%w_]+)%?? (.*)$")
    if class then
      current = { name = class, fields = {} }
      table.insert(list, current)
      list[class] = current
    elseif name and current then
      local type, desc = parted(rest)
      table.insert(current.fields, { name = name, type = type, desc = desc })
    elseif line == "" then
      current = nil
    end
  end
  return list
end

local function default(value)
  if value == nil or type(value) == "table" and next(value) == nil then return "" end
  return " Default: `" .. vim.inspect(value, { newline = " ", indent = "" }) .. "`"
end

-- Fields of a class and of those that they are of, by their whole names.
local function fields(out, all, class, prefix, tags, values)
  for _, field in ipairs(class.fields) do
    local name = prefix .. field.name
    local value = values and values[field.name]
    local inner = all[field.type]
    if inner and inner ~= class then
      fields(out, all, inner, name .. ".", tags, value)
    else
      tag(out, tags .. name)
      table.insert(out, name .. "  " .. code(field.type))
      local text = vim.trim((field.desc ~= "" and sentence(field.desc) or "") .. default(value))
      if text ~= "" then vim.list_extend(out, wrapped(text, 4)) end
    end
  end
end

local parts = {}

function parts.commands(out)
  for _, sub in ipairs(require("clined.command").list) do
    tag(out, ":Clined-" .. sub.name)
    local call = ":Clined " .. sub.name .. (sub.args and " " .. sub.args or "")
    row(out, call, sentence(sub.desc:sub(1, 1):upper() .. sub.desc:sub(2)), 28)
  end
end

local function keys(scope)
  return function(out)
    for _, key in ipairs(require("clined.keys").list) do
      if key.scope == scope then row(out, ("%-10s %s"):format(key.lhs, key.name), key.desc, 28) end
    end
  end
end
parts.keys_chat, parts.keys_input, parts.keys_diff = keys("chat"), keys("input"), keys("diff")

function parts.plugs(out)
  for _, plug in ipairs(require("clined.keys").plugs) do
    local mode = plug.mode == "x" and "Visual mode: " or ""
    tag(out, ("<Plug>(clined-%s)"):format(plug.name))
    row(out, ("<Plug>(clined-%s)"):format(plug.name), mode .. plug.desc, 28)
  end
end

function parts.events(out)
  for _, event in ipairs(require("clined.events").list) do
    tag(out, "Clined" .. event.name)
    row(out, event.silent and event.name or "Clined" .. event.name, event.desc, 28)
    local how = event.silent and "Only by `require(\"clined\").on()`, since it comes often. " or ""
    vim.list_extend(out, wrapped(how .. "Data: " .. event.data .. ".", 28))
  end
end

function parts.highlights(out)
  for _, group in ipairs(require("clined.highlight").list) do
    tag(out, "hl-" .. group.name)
    row(out, group.name, ("%s (%s)"):format(group.desc, group.link), 28)
  end
end

function parts.options(out, plugin)
  local all = classes(plugin .. "/lua/clined/config.lua")
  fields(out, all, all["clined.Config"], "", "clined-option-", require("clined.config").defaults)
end

function parts.settings(out, plugin)
  local all = classes(plugin .. "/lua/clined/settings.lua")
  fields(out, all, all["clined.Settings"], "", "clined-setting-", require("clined.settings"))
end

-- The functions of init.lua with the comments above them.
function parts.api(out, plugin)
  local said, params, returns = {}, {}, nil
  for line in vim.gsplit(read(plugin .. "/lua/clined/init.lua"), "\n") do
    local name, args = line:match("^function M%.([%w_]+)%((.-)%)")
    if name then
      tag(out, ("clined.%s()"):format(name))
      table.insert(out, ("require(\"clined\").%s(%s)"):format(name, args))
      vim.list_extend(out, wrapped(table.concat(said, " "), 4))
      vim.list_extend(out, params)
      if returns then vim.list_extend(out, wrapped("Returns " .. returns, 4)) end
    end
    local param, rest = line:match("^%-%-%-@param ([%w_]+%??) (.*)$")
    local told = line:match("^%-%-%-@return (.*)$")
    local words = line:match("^%-%-%- ([^@].*)$")
    if param then
      local type, desc = parted(rest)
      vim.list_extend(params, wrapped(vim.trim(("{%s} %s %s"):format(param:gsub("%?", ""), code(type), desc)), 4))
    elseif told then
      local type, desc = parted(told)
      returns = vim.trim(code(type) .. " " .. desc)
    elseif words then
      table.insert(said, words)
    else
      said, params, returns = {}, {}, nil
    end
  end
end

--- The whole help.
---@param plugin string the folder of the plugin, which is in the runtime path
---@return string
function M.text(plugin)
  local out = {}
  for line in vim.gsplit(vim.trim(read(folder .. "/help.txt")), "\n") do
    local name = line:match("^{{([%w_]+)}}$")
    if name then
      assert(parts[name], "help.txt: there is no part " .. name)(out, plugin)
    else
      table.insert(out, line)
    end
  end
  return table.concat(out, "\n") .. "\n"
end

if arg and arg[0] and arg[0]:find("help%.lua$") then
  local plugin = vim.fs.normalize(folder .. "/../../editors/neovim")
  vim.opt.runtimepath:prepend(plugin)
  vim.fn.mkdir(plugin .. "/doc", "p")
  local file = assert(io.open(plugin .. "/doc/clined.txt", "wb"))
  file:write(M.text(plugin))
  file:close()
end

return M
