--- The keys of clined's own buffers, and the <Plug> mappings for everywhere else.
---
--- Owns which keys there are; what they do is in the modules that attach them. `vim.g.clined.keys` gives others, by name:
--- `keys = { chat = { allow = "y" }, diff = { refuse = false } }`.
local M = {}

---@alias clined.KeyScope "chat"|"input"|"diff"

---@class clined.Key
---@field scope clined.KeyScope whose buffers: "chat" is the transcript, "input" where one writes, "diff" both sides of a proposal
---@field name string
---@field mode? string|string[] "n" by default
---@field lhs string
---@field desc string for the help and for which-key

--- In the order of the help.
---@type clined.Key[]
M.list = {
  { scope = "chat", name = "allow", lhs = "a", desc = "allow what is asked" },
  { scope = "chat", name = "allow_always", lhs = "A", desc = "allow it from now on: choose a rule" },
  { scope = "chat", name = "refuse", lhs = "r", desc = "refuse it" },
  { scope = "chat", name = "refuse_with", lhs = "R", desc = "refuse it, with words for the model" },
  { scope = "chat", name = "show_diff", lhs = "d", desc = "go to the diff of it, or of the call under the cursor" },
  { scope = "chat", name = "answer", lhs = "o", desc = "answer the question that is asked" },
  { scope = "chat", name = "toggle", lhs = "<Tab>", desc = "open or close what is folded under the cursor (za does, too)" },
  { scope = "chat", name = "open", lhs = "<CR>", desc = "go to the file under the cursor; on a fold, open it" },
  { scope = "chat", name = "goto_file", lhs = "gf", desc = "go to the file under the cursor, and its line" },
  { scope = "chat", name = "next", lhs = "]]", desc = "next message of yours" },
  { scope = "chat", name = "previous", lhs = "[[", desc = "message of yours before" },
  { scope = "chat", name = "write", lhs = "i", desc = "go to the input" },
  { scope = "chat", name = "edit_message", lhs = "c", desc = "change the message under the cursor and go on from there" },
  { scope = "chat", name = "take_back", lhs = "x", desc = "take back the message under the cursor that waits" },
  { scope = "chat", name = "resume", lhs = "gr", desc = "go on with what was interrupted" },
  { scope = "chat", name = "stop", lhs = "<C-c>", desc = "stop what runs" },
  { scope = "chat", name = "background", lhs = "gb", desc = "let the command under the cursor go on in the background" },
  { scope = "chat", name = "type", lhs = "I", desc = "type to the command under the cursor" },
  { scope = "chat", name = "kill", lhs = "X", desc = "stop the command under the cursor" },
  { scope = "chat", name = "mode", lhs = "<S-Tab>", desc = "between plan and act" },
  { scope = "chat", name = "setup", lhs = "gs", desc = "connect a model" },
  { scope = "chat", name = "demo", lhs = "gd", desc = "let the demo model answer, or no more" },
  { scope = "chat", name = "close", lhs = "q", desc = "close the chat; what runs goes on" },
  { scope = "chat", name = "help", lhs = "g?", desc = "these keys" },
  {
    scope = "input",
    name = "send",
    mode = { "n", "i" },
    lhs = "<C-s>",
    desc = "say it; while the model works it is said when the turn ends",
  },
  { scope = "input", name = "send_line", lhs = "<CR>", desc = "say it" },
  { scope = "input", name = "steer", mode = { "n", "i" }, lhs = "<C-g>", desc = "say it to the turn that runs, now" },
  { scope = "input", name = "stop", lhs = "<C-c>", desc = "stop what runs" },
  { scope = "input", name = "older", mode = { "n", "i" }, lhs = "<Up>", desc = "what was said before, on the first line" },
  { scope = "input", name = "newer", mode = { "n", "i" }, lhs = "<Down>", desc = "what was said behind it, on the last line" },
  { scope = "input", name = "mode", mode = { "n", "i" }, lhs = "<S-Tab>", desc = "between plan and act" },
  { scope = "input", name = "allow", lhs = "ga", desc = "allow what is asked" },
  { scope = "input", name = "allow_always", lhs = "gA", desc = "allow it from now on: choose a rule" },
  { scope = "input", name = "refuse", lhs = "gr", desc = "refuse it" },
  { scope = "input", name = "refuse_with", lhs = "gR", desc = "refuse it, with words for the model" },
  { scope = "input", name = "complete", mode = "i", lhs = "<Tab>", desc = "complete the path of a file; <C-x><C-o> does, too" },
  { scope = "input", name = "setup", lhs = "gs", desc = "connect a model" },
  { scope = "input", name = "demo", lhs = "gd", desc = "let the demo model answer, or no more" },
  { scope = "input", name = "close", lhs = "q", desc = "close the chat; what runs goes on" },
  { scope = "input", name = "help", lhs = "g?", desc = "these keys" },
  { scope = "diff", name = "allow", lhs = "ga", desc = "accept the proposal as it is now; :w does, too" },
  { scope = "diff", name = "allow_always", lhs = "gA", desc = "accept, from now on: choose a rule" },
  { scope = "diff", name = "refuse", lhs = "gr", desc = "refuse it" },
  { scope = "diff", name = "refuse_with", lhs = "gR", desc = "refuse it, with words for the model" },
  { scope = "diff", name = "leave", lhs = "gh", desc = "leave out the change under the cursor, or take it in again" },
  { scope = "diff", name = "next_file", lhs = "]f", desc = "next file of the same edit" },
  { scope = "diff", name = "previous_file", lhs = "[f", desc = "file before" },
  { scope = "diff", name = "close", lhs = "q", desc = "close the diff; this decides nothing" },
  { scope = "diff", name = "help", lhs = "g?", desc = "these keys" },
}

---@class clined.Plug
---@field name string behind `<Plug>(clined-`
---@field mode string|string[]
---@field command string
---@field desc string

--- In the order of the help.
---@type clined.Plug[]
M.plugs = {
  { name = "open", mode = "n", command = "Clined", desc = "open the chat, or go to it" },
  { name = "ask", mode = "x", command = "Clined", desc = "open the chat with the selection" },
  { name = "new", mode = "n", command = "Clined new", desc = "begin a new task" },
  { name = "stop", mode = "n", command = "Clined stop", desc = "stop what runs" },
  { name = "history", mode = "n", command = "Clined history", desc = "the tasks so far" },
  { name = "allow", mode = "n", command = "Clined allow", desc = "allow what is asked" },
  { name = "refuse", mode = "n", command = "Clined refuse", desc = "refuse what is asked" },
}

--- The keys of one scope, as the user has them. A key that is set to false is left out.
---@param scope clined.KeyScope
---@return clined.Key[]
function M.of(scope)
  local own = require("clined.config").get().keys[scope] or {}
  local keys = {}
  for _, key in ipairs(M.list) do
    local lhs = own[key.name]
    if key.scope == scope and lhs ~= false then table.insert(keys, vim.tbl_extend("force", key, { lhs = lhs or key.lhs })) end
  end
  return keys
end

--- Maps the keys of a scope in a buffer; `actions` has a function for each name.
---@param buf integer
---@param scope clined.KeyScope
---@param actions table<string, fun()>
function M.attach(buf, scope, actions)
  for _, key in ipairs(M.of(scope)) do
    local action = assert(actions[key.name], scope .. " has no action " .. key.name)
    vim.keymap.set(key.mode or "n", key.lhs, action, { buffer = buf, nowait = true, silent = true, desc = "clined: " .. key.desc })
  end
end

return M
