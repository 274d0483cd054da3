--- Where a model is: addresses of APIs as people type them.
---
--- Pure. The VS Code extension has the same in src/setup/choice.ts; both are held to the cases of editors/testdata/addresses.json.
local M = {}

--- What keeps an address from being one, in words for the user.
---@class clined.Refusal
---@field problem string
---@field hint string

-- Ends of addresses that people copy from examples; the API's address is what stands before them.
local endpoints = { "/chat/completions", "/completions", "/responses", "/embeddings", "/models" }

--- Whether a host is this machine, where plain http is no risk.
---@param host string
---@return boolean
function M.is_local(host)
  if host == "localhost" or host == "[::1]" or host == "0.0.0.0" or host:find("%.localhost$") then return true end
  return host:find("^127%.%d+%.%d+%.%d+$") ~= nil
end

---@param url string
---@return string? scheme, string? host with brackets, without port
local function parts(url)
  local scheme, rest = url:match("^(%a[%w+.-]*)://(.*)$")
  if not scheme then return end
  local authority = rest:match("^[^/?#]*")
  return scheme:lower(), (authority:match("^(%[.-%])") or authority:match("^([^:]*)")):lower()
end

--- Whether what goes to an address can be read on its way: it leaves this machine unencrypted.
---@param url string
---@return boolean
function M.is_exposed(url)
  local scheme, host = parts(url)
  return scheme == "http" and not M.is_local(host or "")
end

local function refusal(problem, hint) return nil, { problem = problem, hint = hint } end

--- Makes an address of an API out of what was typed or pasted: with a scheme, without an endpoint's path and slashes at its end.
---@param typed string
---@return string? url, clined.Refusal? why
function M.parse(typed)
  local text = vim.trim(typed)
  if text == "" then return refusal("there is no address", "it is in the provider's documentation, and often ends with /v1") end
  if not text:find("^%a[%w+.-]*://") then
    local _, host = parts("x://" .. text)
    text = (M.is_local(host or "") and "http://" or "https://") .. text
  end
  local scheme, host = parts(text)
  local like = "it looks like https://api.example.com/v1"
  if scheme ~= "http" and scheme ~= "https" then return refusal("the address must begin with https:// or http://", like) end
  local authority = text:match("^%a+://([^/?#]*)")
  if authority:find("@", 1, true) then
    return refusal("the address holds a user name or password", "leave them out: the key is asked for by itself")
  end
  local named = host:find("^%[[%x:.]+%]$") or host:find("^[%w.-]+$")
  local port = authority:sub(#host + 1)
  if host == "" or not named or text:find("%s") or not (port == "" or port:find("^:%d+$")) then
    return refusal("this is no address", like)
  end
  if text:find("[?#]") then return refusal("the address holds more than a place", "leave out what begins with ? or #") end
  local path = text:match("^%a+://[^/]*(.*)$"):gsub("/+$", "")
  for _, endpoint in ipairs(endpoints) do
    if vim.endswith(path, endpoint) then
      path = path:sub(1, -#endpoint - 1):gsub("/+$", "")
      break
    end
  end
  return ("%s://%s%s%s"):format(scheme, host, port, path)
end

return M
