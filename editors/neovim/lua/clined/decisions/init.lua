--- Approvals and questions: which are open, and the user's answers to them. Drawing them is for others.
---
--- Owns what an answer says to the daemon. The rest of the folder is its own.
local desk = require("clined.decisions.desk")
local words = require("clined.decisions.words")

local M = {}

---@return clined.Decision[] the oldest first
function M.list() return desk.list() end

---@param id? string
---@return clined.Decision?
function M.get(id) return desk.get(id) end

--- Hears that the list, or what is shown of one in it, is another.
---@param listener fun()
---@return fun() off
function M.subscribe(listener) return desk.subscribe(listener) end

--- What a decision is about, as lines for whoever draws them.
---@param decision clined.Decision
---@return clined.Word[]
function M.words(decision) return words.of(decision) end

--- The approval whose edit a proposal shows.
---@param diff string its id
---@return clined.Decision?
function M.of_diff(diff)
  for _, decision in ipairs(desk.list()) do
    for _, file in ipairs(decision.kind == "approval" and decision.params.subject.files or {}) do
      if file.diffId == diff then return decision end
    end
  end
end

local function option(decision, kind)
  for _, each in ipairs(decision.options) do
    if each.kind == kind then return each end
  end
end

--- The options that store a rule.
---@param decision clined.Decision
---@return table[]
function M.always(decision)
  return vim.tbl_filter(function(each) return each.kind == "allow_always" end, decision.options)
end

--- An option in words, with its rule.
---@param each table
---@return string
function M.option_words(each) return words.option(each) end

local function decide(decision, outcome, cb)
  outcome.subjectHash = decision.params.subjectHash
  desk.respond(decision.id, "clined/approval/respond", { approvalId = decision.id, outcome = outcome }, cb)
end

local function feedback(text)
  if text and vim.trim(text) ~= "" then return { text = text } end
end

---@class clined.AllowOptions
---@field optionId? string by default the one that allows once
---@field feedback? string words for the model
---@field hunks? string[] ids of those that are allowed; by default all that the user did not leave out

--- Allows what an approval asks, as it is shown now.
---@param id string
---@param opts? clined.AllowOptions
---@param cb? fun(counts: boolean)
function M.allow(id, opts, cb)
  opts, cb = opts or {}, cb or function() end
  local decision = desk.get(id)
  if not decision or decision.kind ~= "approval" then
    require("clined.say").info("that was decided already")
    return cb(false)
  end
  local chosen = opts.optionId or (option(decision, "allow_once") or {}).optionId
  if not chosen then return cb(false) end
  local diff = require("clined.diff")
  diff.flush(decision.params)
  local hunks = opts.hunks or diff.kept(decision.params)
  if hunks and #hunks == 0 then
    require("clined.say").warn("every change is left out: keep one of them, or refuse the edit")
    return cb(false)
  end
  decide(decision, { optionId = chosen, feedback = feedback(opts.feedback), hunks = hunks }, cb)
end

--- Refuses it, perhaps with words for the model.
---@param id string
---@param text? string
---@param cb? fun(counts: boolean)
function M.refuse(id, text, cb)
  cb = cb or function() end
  local decision = desk.get(id)
  if not decision or decision.kind ~= "approval" then
    require("clined.say").info("that was decided already")
    return cb(false)
  end
  local no = option(decision, "reject_once")
  if not no then return cb(false) end
  decide(decision, { optionId = no.optionId, feedback = feedback(text) }, cb)
end

--- Answers a question by one of its options, by words, or both. With neither the user declines to answer.
---@param id string
---@param result { option?: string, text?: string }
---@param cb? fun(counts: boolean)
function M.answer(id, result, cb)
  local said = result.option or (result.text and result.text ~= "")
  local answer = said and { action = "accept", option = result.option, text = result.text } or { action = "decline" }
  desk.respond(id, "clined/ask/respond", { askId = id, result = answer }, cb)
end

--- Has the user choose the rule that an approval is to store, and allows it.
---@param id string
function M.allow_always(id)
  local decision = desk.get(id)
  if not decision then return end
  local options = M.always(decision)
  if #options == 0 then return require("clined.say").info("this can only be allowed once") end
  local opts = { prompt = "Allow from now on: " .. decision.title, format_item = words.option, kind = "clined" }
  require("clined.decisions.pick").select(options, opts, function(chosen)
    if chosen then M.allow(id, { optionId = chosen.optionId }) end
  end)
end

--- Has the user write to the model why not.
---@param id string
function M.refuse_with(id)
  local decision = desk.get(id)
  if not decision then return end
  vim.ui.input({ prompt = "What should it do instead? " }, function(text)
    if text then M.refuse(id, text) end
  end)
end

--- Begins to hear the daemon; called before the first one starts.
function M.attach()
  desk.attach()
  require("clined.decisions.idle").attach()
  require("clined.decisions.ask").attach()
end

return M
