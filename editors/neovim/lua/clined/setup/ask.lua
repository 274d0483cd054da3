--- The steps in which the user connects a model: a place, a key where one is needed, a model.
---
--- Owns the questions, by vim.ui. Leaving one leaves everything as it is. A key is typed unseen, and goes to the daemon alone.
local pick = require("clined.decisions.pick")
local place = require("clined.setup.place")
local say = require("clined.say")

local M = {}

local function setup() return require("clined.setup") end

--- More models than that are not shown as a list to choose from, but completed.
local most_listed = 40

---@type string[]
local completions = {}

--- For vim.ui.input's `completion`.
---@param lead string
---@return string[]
function M.complete(lead)
  return vim.tbl_filter(function(id) return id:lower():find(lead:lower(), 1, true) ~= nil end, completions)
end

---@param prompt string
---@param cb fun(text?: string)
local function input(prompt, cb, completion)
  vim.ui.input({ prompt = prompt, completion = completion }, function(text)
    text = text and vim.trim(text)
    cb(text ~= "" and text or nil)
  end)
end

-- vim.ui has nothing for what must not be seen.
---@param prompt string
---@return string? secret, boolean left
local function input_secret(prompt)
  vim.fn.inputsave()
  local ok, secret = pcall(vim.fn.inputsecret, { prompt = prompt, cancelreturn = vim.NIL })
  vim.fn.inputrestore()
  vim.api.nvim_echo({ { "" } }, false, {}) -- nor that there was one
  if not ok or type(secret) ~= "string" then return nil, true end
  secret = vim.trim(secret)
  return secret ~= "" and secret or nil, false
end

---@param choice clined.Choice
---@param done fun(done: boolean)
local function keep(choice, done)
  setup().choose(choice, function(problem, note)
    if problem then
      say.error("the model could not be set up: " .. problem)
    elseif note then
      say.warn(note)
    else
      say.info(("tasks use %s from now on"):format(choice.model))
    end
    done(not problem)
  end)
end

---@param choice { provider: string, baseUrl: string, secret?: string }
---@param ids string[]
---@param done fun(done: boolean)
local function choose_model(choice, ids, done)
  local function chosen(id)
    if not id then return done(false) end
    keep(vim.tbl_extend("force", choice, { model = id }), done)
  end
  if #ids == 1 then return chosen(ids[1]) end
  if #ids > 0 and #ids <= most_listed then return pick.select(ids, { prompt = "Model:", kind = "clined" }, chosen) end
  completions = ids
  local prompt = #ids > 0 and ("Model (one of %d, Tab completes): "):format(#ids) or "Model (its id, as the server has it): "
  input(prompt, chosen, #ids > 0 and "customlist,v:lua.require'clined.setup.ask'.complete" or nil)
end

---@param models clined.protocol.ModelInfo[]
local function ids_of(models)
  return vim.tbl_map(function(m) return m.id end, models)
end

-- Whether a key may travel to a place: unencrypted only where the user says so.
---@param choice { baseUrl: string, secret?: string }
---@param cb fun(yes: boolean)
local function if_allowed(choice, cb)
  if not choice.secret or not place.is_exposed(choice.baseUrl) then return cb(true) end
  local back, go_on = "leave it", "send the key unencrypted: I trust the network"
  pick.select({ back, go_on }, {
    prompt = ("The key would travel unencrypted to %s:"):format(choice.baseUrl),
    kind = "clined",
  }, function(answer) cb(answer == go_on) end)
end

-- Asks the place for its models with what was given, which checks both.
---@param choice { provider: string, baseUrl: string, secret?: string }
---@param done fun(done: boolean)
local function check(choice, done)
  if_allowed(choice, function(yes)
    if not yes then return done(false) end
    setup().models(choice, function(err, result)
      if err or not result then
        say.error("the server could not be asked: " .. (err and err.message or ""))
        return done(false)
      end
      if not result.problem then return choose_model(choice, ids_of(result.models), done) end
      local hint = result.hint and (" (%s)"):format(result.hint) or ""
      local again, force = "try another address or key" .. hint, "use it all the same: name a model by hand"
      pick.select({ again, force }, {
        prompt = result.problem .. ":",
        kind = "clined",
      }, function(answer)
        if answer == again then return M.elsewhere(choice.baseUrl, done) end
        if answer == force then return choose_model(choice, {}, done) end
        done(false)
      end)
    end)
  end)
end

---@param url string
---@param done fun(done: boolean)
local function with_key(url, done)
  local secret, left = input_secret(("API key for %s (empty for none): "):format(url))
  if left then return done(false) end
  check({ provider = "openai", baseUrl = url, secret = secret }, done)
end

--- Asks for an address and a key.
---@param before? string an address that was given before
---@param done fun(done: boolean)
function M.elsewhere(before, done)
  vim.ui.input({ prompt = "Address of the API: ", default = before or "https://" }, function(typed)
    if not typed or vim.trim(typed) == "" or typed == "https://" then return done(false) end
    local url, why = place.parse(typed)
    if url then return with_key(url, done) end
    say.warn(("%s; hint: %s"):format(assert(why).problem, why.hint))
    M.elsewhere(typed, done)
  end)
end

local openai = "https://api.openai.com/v1"

---@class clined.setup.Step
---@field text string
---@field run fun(done: fun(done: boolean))

---@param servers clined.protocol.FoundServer[]
---@param status clined.protocol.SetupStatus
---@return clined.setup.Step[]
local function steps(servers, status)
  local list = {}
  local function add(text, run) table.insert(list, { text = text, run = run }) end
  for _, server in ipairs(servers) do
    local count = #server.models == 1 and server.models[1] or ("%d models"):format(#server.models)
    add(
      ("%s on this machine: %s (%s)"):format(server.name, count, server.baseUrl),
      function(done) choose_model({ provider = server.provider, baseUrl = server.baseUrl }, server.models, done) end
    )
  end
  add("OpenAI, with an API key", function(done) with_key(openai, done) end)
  add("Another server that speaks OpenAI's API: its address and key", function(done) M.elsewhere(nil, done) end)
  if status.demo then
    add("End the demo", function(done)
      setup().demo(true, function(err) done(not err) end)
    end)
  else
    add("The demo: a scripted model that needs no key", function(done)
      setup().demo(false, function(err, now)
        local example = now and now.examples and now.examples[1]
        if not err then say.info("the scripted model answers" .. (example and (": ask it “%s”"):format(example) or "")) end
        done(not err)
      end)
    end)
  end
  return list
end

--- Asks which model, by what there is.
---@param done fun(done: boolean) false where the user left it, or it failed
function M.run(done)
  local setup_ = setup()
  setup_.status(function(err, status)
    if err or not status then
      say.error(err and err.message or "", err and vim.tbl_get(err, "data", "hint"))
      return done(false)
    end
    setup_.discover(function(_, servers)
      local now = status.configured and (" (now: %s)"):format(status.demo and "the demo" or status.model or "") or ""
      pick.select(steps(servers or {}, status), {
        prompt = ("Which model shall clined use?%s"):format(now),
        kind = "clined",
        format_item = function(step) return step.text end,
      }, function(step)
        if not step then return done(false) end
        -- Another question may not be asked from within the answer to one.
        vim.schedule(function() step.run(done) end)
      end)
    end)
  end)
end

return M
