--- Tells from the first bytes of a program whether it is for another machine. Only asked when one could not be started: a shell may
--- have run it as a script then, so that its end tells nothing.
local M = {}

-- e_machine of ELF, by uname.
local elf =
  { x86_64 = 0x3e, amd64 = 0x3e, aarch64 = 0xb7, arm64 = 0xb7, i686 = 0x03, i386 = 0x03, armv7l = 0x28, armv6l = 0x28, riscv64 = 0xf3 }

--- Whether these are the first bytes of a program for another machine; false where that cannot be told.
---@param head string
---@param system string as uname has it
---@param machine string
---@return boolean
function M.is_foreign_head(head, system, machine)
  if head:sub(1, 4) == "\127ELF" then
    if system == "Darwin" then return true end
    if #head < 20 then return true end
    local low, high = head:byte(19, 20)
    if head:byte(6) == 2 then
      low, high = high, low
    end
    return elf[machine] ~= nil and low + high * 256 ~= elf[machine]
  end
  local mach = head:sub(1, 4)
  if mach == "\207\250\237\254" or mach == "\202\254\186\190" then return system ~= "Darwin" end
  return head:sub(1, 2) == "MZ" and not system:find("Windows") and not system:find("NT")
end

---@param path string
---@return boolean
function M.is_foreign(path)
  local file = io.open(path, "rb")
  if not file then return false end
  local head = file:read(64) or ""
  file:close()
  local here = vim.uv.os_uname()
  return M.is_foreign_head(head, here.sysname, here.machine)
end

return M
