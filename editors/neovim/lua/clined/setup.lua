--- Connecting a model: the demo, a server found on this machine, or a URL and a key.
---
--- Owns the questions that this takes. Which model there is, is the daemon's to tell; what the user chose goes into the settings of
--- this session, and keys to the daemon's keyring, never into a file of Neovim.
local daemon = require("clined.daemon")
local say = require("clined.say")

local M = {}

---@class clined.SetupStatus
---@field configured boolean
---@field provider? string
---@field model? string
---@field baseUrl? string
---@field demo? boolean
---@field problem? string
---@field hint? string

---@type clined.SetupStatus?
local status

--- What was heard last; nothing before the daemon was asked.
---@return clined.SetupStatus?
function M.status() return status end

local function told(err)
  if err then say.error(err.message, err.data and err.data.hint) end
end

---@param cb? fun(status?: clined.SetupStatus)
function M.refresh(cb)
  daemon.request("clined/setup/status", vim.empty_dict(), function(err, result)
    if not err then status = result end
    require("clined.chat.view").head_changed()
    if cb then cb(status) end
  end)
end

--- Lets the demo model answer, or no more.
function M.demo()
  daemon.request("clined/setup/demo", { stop = status and status.demo or nil }, function(err, result)
    if err then return told(err) end
    status = result
    require("clined.chat.view").head_changed()
    say.info(result.demo and "the demo model answers now; ask it for the weather in Lisbon" or "the demo model answers no more")
  end)
end

---@param model { provider: string, baseUrl?: string, model: string }
local function use(model)
  local own = vim.g.clined
  if type(own) == "function" then own = own() end
  own = vim.tbl_deep_extend("force", own or {}, { settings = model })
  vim.g.clined = own
  daemon.reload()
  M.refresh(function(now)
    if now and now.configured then
      local kept = vim.inspect(own.settings, { newline = " ", indent = "" })
      say.info(("%s answers in this Neovim; to keep that, set vim.g.clined = { settings = %s }"):format(model.model, kept))
    elseif now and now.problem then
      say.warn(now.problem .. (now.hint and "; hint: " .. now.hint or ""))
    end
  end)
end

local function choose_model(place, models)
  vim.ui.select(models, {
    prompt = "Model:",
    kind = "clined.model",
    format_item = function(m) return require("clined.chat.visible").line(m.name or m.id or m, 200) end,
  }, function(m)
    if m then use({ provider = place.provider, baseUrl = place.baseUrl, model = m.id or m }) end
  end)
end

local function list_models(place)
  daemon.request("clined/model/list", { provider = place.provider, baseUrl = place.baseUrl }, function(err, result)
    if err then return told(err) end
    if result.problem then say.warn(result.problem .. (result.hint and "; hint: " .. result.hint or "")) end
    if #(result.models or {}) > 0 then return choose_model(place, result.models) end
    vim.ui.input({ prompt = "Model: " }, function(name)
      if name and name ~= "" then use({ provider = place.provider, baseUrl = place.baseUrl, model = name }) end
    end)
  end)
end

local function enter_url()
  vim.ui.input({ prompt = "URL of the API (empty: OpenAI's own): " }, function(url)
    if not url then return end
    local place = { provider = "openai", baseUrl = url ~= "" and url or nil }
    local secret = vim.fn.inputsecret("API key (empty: none is needed): ")
    if secret == "" then return list_models(place) end
    daemon.request("clined/account/login", { provider = place.provider, baseUrl = place.baseUrl, secret = secret }, function(err)
      if err then return told(err) end
      list_models(place)
    end)
  end)
end

--- Asks how to connect a model.
function M.run()
  daemon.request("clined/setup/discover", vim.empty_dict(), function(err, result)
    local choices = {}
    for _, server in ipairs(not err and result.servers or {}) do
      table.insert(choices, { text = ("%s at %s: %d models"):format(server.name, server.baseUrl, #server.models), server = server })
    end
    table.insert(choices, { text = "Enter a URL and a key", run = enter_url })
    table.insert(choices, { text = status and status.demo and "No more demo model" or "The demo model: nothing to set up", run = M.demo })
    vim.ui.select(choices, {
      prompt = "Connect a model:",
      kind = "clined.setup",
      format_item = function(c) return require("clined.chat.visible").line(c.text, 300) end,
    }, function(choice)
      if not choice then return end
      if choice.run then return choice.run() end
      choose_model(choice.server, choice.server.models)
    end)
  end)
end

return M
