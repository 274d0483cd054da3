--- When whatever checks a file has seen it as it is now, and which files something checks.
---
--- vim.diagnostic does not say of which version problems are, so the order of events tells: they are of the present text if they
--- came after its last change, and the checkers are taken to be done when nothing more has come for a moment (many publish in
--- parts: syntax first, then types). Whoever checks a clean file tells that as well, so that what was ever told of is checked,
--- and the files of the same type.
local problems = require("clined.editor.problems")
local screen = require("clined.editor.screen")

local M = {}

--- In ms.
local quiet = 250

local tick = 0
-- By URI: the tick of the last change; tick and time of what was published last.
local changed, news = {}, {}
---@type table<string, true> file types of which something was published
local checked = {}
---@type table<fun(), true> those that wait
local waiting = {}

---@param buf integer
function M.published(buf)
  local uri = screen.uri(buf)
  if not uri then return end
  tick = tick + 1
  vim.uv.update_time()
  news[uri] = { tick = tick, at = vim.uv.now() }
  if vim.bo[buf].filetype ~= "" then checked[vim.bo[buf].filetype] = true end
  for look in pairs(waiting) do
    look()
  end
end

--- A file is about to be changed, or was: what was published until now is of its old text.
---@param uri string
function M.before(uri)
  tick = tick + 1
  changed[uri] = tick
end

--- File types that something checks, sorted: as language ids they are near enough.
---@return string[]
function M.languages()
  local list = vim.tbl_keys(checked)
  table.sort(list)
  return list
end

---@param group integer of autocommands
function M.attach(group)
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP", "BufWritePost" }, {
    group = group,
    callback = function(a)
      local uri = screen.uri(a.buf)
      if uri then M.before(uri) end
    end,
  })
  vim.api.nvim_create_autocmd("BufDelete", {
    group = group,
    callback = function(a)
      local uri = screen.uri(a.buf)
      if uri then changed[uri] = nil end
    end,
  })
end

-- The buffer of a file that something checks.
---@param uri string
---@return integer? buf
local function covered(uri)
  local ok, path = pcall(vim.uri_to_fname, uri)
  if not ok then return end
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buf) == path then
      if news[screen.uri(buf) or ""] then return buf end
      return vim.api.nvim_buf_is_loaded(buf) and checked[vim.bo[buf].filetype] and buf or nil
    end
  end
end

-- When problems of the present text were published last; nothing when none were.
local function news_at(uri, since)
  local last = news[uri]
  return last and last.tick > (changed[uri] or since) and last.at or math.huge
end

-- Calls `done` once all of these are checked, or after `ms`. The function returned ends the wait at once.
local function wait(uris, ms, done)
  vim.uv.update_time()
  local since, limit = tick, vim.uv.now() + ms
  local timer = assert(vim.uv.new_timer())
  local look
  local function finish()
    if not waiting[look] then return end
    waiting[look] = nil
    timer:stop()
    timer:close()
    done()
  end
  function look()
    local latest = 0
    for _, uri in ipairs(uris) do
      latest = math.max(latest, news_at(uri, since))
    end
    vim.uv.update_time()
    local left = math.min(limit, latest + quiet) - vim.uv.now()
    if left <= 0 then return finish() end
    timer:start(
      left,
      0,
      vim.schedule_wrap(function()
        if waiting[look] then look() end
      end)
    )
  end
  waiting[look] = true
  look()
  return finish
end

--- Answers `clined/diagnostics/pull`.
---@param params { uris: string[], settleMs: integer }
---@param reply fun(result: table)
---@return fun()? cancelled
function M.pull(params, reply)
  local asked, uris = {}, {}
  for _, uri in ipairs(params.uris) do
    local buf = covered(uri)
    if buf then
      table.insert(asked, { theirs = uri, buf = buf })
      table.insert(uris, screen.uri(buf) or uri)
    end
  end
  local function answer()
    local items = {}
    for _, one in ipairs(asked) do
      if vim.api.nvim_buf_is_valid(one.buf) then table.insert(items, { uri = one.theirs, diagnostics = problems.of(one.buf) }) end
    end
    reply({ items = items })
  end
  -- Asked without waiting, a change of them follows.
  if params.settleMs == 0 or #asked == 0 then
    for _, uri in ipairs(uris) do
      M.before(uri)
    end
    return answer()
  end
  return wait(uris, params.settleMs, answer)
end

return M
