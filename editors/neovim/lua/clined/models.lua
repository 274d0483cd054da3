--- Choosing the model of the task that is shown, or of those that new tasks begin with.
local session = require("clined.task.session")
local say = require("clined.say")

local M = {}

---@type string[]
local last = {}

--- Ids that were heard last, for completion.
---@return string[]
function M.known() return last end

---@param id string
local function set(id)
  session.set_option("model", id, function(err)
    if err then return say.failed(err) end
    require("clined.setup").status()
  end)
end

--- Sets the model; without `id` lets the user choose.
---@param id? string
function M.choose(id)
  if id then return set(id) end
  require("clined.daemon").request("clined/model/list", vim.empty_dict(), function(err, result)
    if err then return say.failed(err) end
    local models = result.models or {}
    if #models == 0 then
      return say.warn(
        (result.problem or "the endpoint names no models")
          .. (result.hint and "; hint: " .. result.hint or "; hint: name one, :Clined model ID")
      )
    end
    last = vim.tbl_map(function(m) return m.id end, models)
    local now, visible = session.option("model"), require("clined.chat.visible")
    require("clined.decisions.pick").select(models, {
      prompt = "Model:",
      kind = "clined.model",
      format_item = function(m)
        local size = m.contextWindow and ("  %dk"):format(m.contextWindow / 1000) or ""
        return (m.id == now and "● " or "  ") .. visible.line(m.name or m.id, 200) .. size
      end,
    }, function(m)
      if m then set(m.id) end
    end)
  end)
end

return M
