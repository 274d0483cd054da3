--- The settings of clined: types for the language server, and the defaults.
--- Written by go test ./internal/test/docs -update from the daemon's own list.
---
--- The defaults are for people who look for them. Send the daemon only what the
--- user set: it lays that over the user's settings file.

--- US dollars per million tokens.
---@class clined.Price
---@field input? number
---@field output? number
---@field cacheRead? number
---@field cacheWrite? number

---@class clined.Settings.Plan
---@field provider? "openai"|"ollama" openai for any OpenAI-compatible API, ollama for a local Ollama
---@field model? string the model's id as the provider wants it
---@field baseUrl? string where the API is; empty for the provider's own
---@field apiKey? string where the API key is: keyring for the one of clined auth login, or the environment variable that holds it, such as ${env:OPENAI_API_KEY}
---@field contextWindow? integer size of the model's context in tokens; 0 for what is known of the model
---@field reasoning? "low"|"medium"|"high" how much a model that can shall think before it answers; empty for what the model does by itself

---@class clined.Settings.Act
---@field provider? "openai"|"ollama" openai for any OpenAI-compatible API, ollama for a local Ollama
---@field model? string the model's id as the provider wants it
---@field baseUrl? string where the API is; empty for the provider's own
---@field apiKey? string where the API key is: keyring for the one of clined auth login, or the environment variable that holds it, such as ${env:OPENAI_API_KEY}
---@field contextWindow? integer size of the model's context in tokens; 0 for what is known of the model
---@field reasoning? "low"|"medium"|"high" how much a model that can shall think before it answers; empty for what the model does by itself

---@class clined.Settings.AutoApprove
---@field read? boolean read files of the workspace without asking
---@field readOutside? boolean read any file without asking
---@field edit? boolean change files of the workspace without asking
---@field editOutside? boolean change any file without asking
---@field command? false|"safe"|true run commands without asking: false, "safe" for those known to change nothing, or true
---@field mcp? boolean call MCP tools without asking

---@class clined.Settings.Permissions
---@field allow? string[] rules for what runs without asking
---@field ask? string[] rules for what always asks
---@field deny? string[] rules for what never runs

---@class clined.Settings.Limits
---@field requests? integer model requests after which a turn asks whether to go on; 0 for no limit
---@field cost? number US dollars that a task may cost before it asks whether to go on; 0 for no limit

---@class clined.Settings.Sandbox
---@field mode? "required"|"auto"|"off" auto runs commands in a sandbox where the system has one: they write only in the workspace, temporary folders and the caches of tools; required refuses commands where it has none; off uses none
---@field network? boolean whether commands in the sandbox have the network
---@field writable? string[] further files and folders that commands in the sandbox may write
---@field mcp? boolean run MCP servers that are started here in the sandbox too

---@class clined.Settings.Mcp
---@field file? string the file that lists the MCP servers; empty for mcp.json beside the settings
---@field wait? integer seconds that a request waits for MCP servers that have just been started; after that it goes out without their tools, and the user is told

---@class clined.Settings.Log
---@field level? "debug"|"info"|"warn"|"error" the least serious level that is logged to standard error
---@field file? boolean log everything, as JSON lines, to clined.log in the folder log of the state

---@class clined.Settings
---@field provider? "openai"|"ollama" openai for any OpenAI-compatible API, ollama for a local Ollama
---@field model? string the model's id as the provider wants it
---@field baseUrl? string where the API is; empty for the provider's own
---@field apiKey? string where the API key is: keyring for the one of clined auth login, or the environment variable that holds it, such as ${env:OPENAI_API_KEY}
---@field contextWindow? integer size of the model's context in tokens; 0 for what is known of the model
---@field reasoning? ""|"low"|"medium"|"high" how much a model that can shall think before it answers; empty for what the model does by itself
---@field plan? clined.Settings.Plan
---@field act? clined.Settings.Act
---@field toolCalling? "none"|"auto" auto gives a model the tools it can use; none makes it plain chat, without tools
---@field plainTextEnds? boolean take an answer without a tool call as the end of the turn, for frontier models (family next-gen)
---@field prices? table<string, clined.Price> what models cost, in US dollars per million tokens: input, output, cacheRead and cacheWrite of each model id
---@field autoApprove? clined.Settings.AutoApprove
---@field permissions? clined.Settings.Permissions
---@field limits? clined.Settings.Limits
---@field shell? string the shell that commands run in; empty for the user's own
---@field commandTimeout? integer seconds after which a command is stopped, unless the call names its own limit
---@field sandbox? clined.Settings.Sandbox
---@field requestTimeout? integer seconds that the model's server may stay silent before a request is given up; local servers take long to read a prompt
---@field mcp? clined.Settings.Mcp
---@field proxy? string HTTP proxy for the model's API, without a password; empty for HTTPS_PROXY and NO_PROXY of the environment
---@field caFile? string PEM file with further certificates to trust for the model's API
---@field discover? string[] base URLs at which model servers on this machine are looked for when you set up a model; an empty list looks nowhere
---@field log? clined.Settings.Log

---@type clined.Settings
local defaults = {
  provider = "openai",
  model = "",
  baseUrl = "",
  apiKey = "",
  contextWindow = 0,
  reasoning = "",
  plan = {},
  act = {},
  toolCalling = "auto",
  plainTextEnds = false,
  prices = {},
  autoApprove = {
    read = true,
    readOutside = false,
    edit = false,
    editOutside = false,
    command = false,
    mcp = false,
  },
  permissions = {
    allow = {},
    ask = {},
    deny = {},
  },
  limits = {
    requests = 0,
    cost = 0,
  },
  shell = "",
  commandTimeout = 600,
  sandbox = {
    mode = "auto",
    network = true,
    writable = {},
    mcp = false,
  },
  requestTimeout = 300,
  mcp = {
    file = "",
    wait = 10,
  },
  proxy = "",
  caFile = "",
  discover = {
    "http://127.0.0.1:11434/v1",
    "http://127.0.0.1:1234/v1",
    "http://127.0.0.1:8080/v1",
    "http://127.0.0.1:8000/v1",
    "http://127.0.0.1:1337/v1",
    "http://127.0.0.1:4891/v1",
    "http://127.0.0.1:5000/v1",
    "http://127.0.0.1:5001/v1",
    "http://127.0.0.1:30000/v1",
  },
  log = {
    level = "warn",
    file = false,
  },
}

return defaults
