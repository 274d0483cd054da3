--- A debounce: one timer, and only while something is due.
local M = {}

---@class clined.Delay
---@field private run fun()
---@field private quiet integer
---@field private most integer
---@field private timer? uv.uv_timer_t
---@field private first integer
---@field private last integer
local Delay = {}
Delay.__index = Delay

--- Calls `run` on the main loop `quiet` ms (150) after the last touch, and no later than `most` ms (1000) after the first.
---@param run fun()
---@param quiet? integer
---@param most? integer
---@return clined.Delay
function M.new(run, quiet, most) return setmetatable({ run = run, quiet = quiet or 150, most = most or 1000, first = 0, last = 0 }, Delay) end

---@private
function Delay:arm(ms)
  self.timer:start(
    ms,
    0,
    vim.schedule_wrap(function()
      if not self.timer then return end -- it was cancelled meanwhile
      local left = math.min(self.last + self.quiet, self.first + self.most) - vim.uv.now()
      if left > 0 then return self:arm(left) end
      self:cancel()
      self.run()
    end)
  )
end

function Delay:touch()
  vim.uv.update_time()
  self.last = vim.uv.now()
  if self.timer then return end -- it looks at `last` when it ends
  self.first = self.last
  self.timer = assert(vim.uv.new_timer())
  self:arm(self.quiet)
end

function Delay:cancel()
  if not self.timer then return end
  self.timer:stop()
  self.timer:close()
  self.timer = nil
end

return M
