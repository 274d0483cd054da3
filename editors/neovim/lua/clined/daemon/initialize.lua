--- What the editor says of itself in `initialize`: who it is, its folders, the user's settings, and what it can do.
local M = {}

local yes = vim.empty_dict()

-- A capability is told only where somebody answers for it.
---@param handlers table<string, clined.Handler>
---@return clined.protocol.ClientCaps
local function caps(handlers)
  local own = { editorState = yes, transcript = yes }
  if handlers["clined/approval/request"] then own.approvals = { feedback = yes, editedContent = yes } end
  if handlers["clined/ask"] then own.asks = yes end
  if handlers["clined/diff/open"] then own.diffView = { streaming = yes, userEdits = yes, saveFormats = yes } end
  if handlers["clined/diagnostics/pull"] then own.diagnosticsPull = yes end
  return own
end

---@param handlers table<string, clined.Handler>
---@return table the params of `initialize`: clined.protocol.InitializeParams with members of LSP besides
function M.params(handlers)
  local version = tostring(vim.version())
  return {
    processId = vim.uv.os_getpid(),
    clientInfo = { name = "Neovim", version = version },
    workspaceFolders = require("clined.daemon.workspace").folders(),
    initializationOptions = { clined = require("clined.daemon.settings").first() },
    capabilities = {
      general = { positionEncodings = { "utf-8" } }, -- Neovim counts bytes
      textDocument = { synchronization = { didSave = true } },
      workspace = {
        applyEdit = true,
        workspaceFolders = true,
        workspaceEdit = { documentChanges = true, resourceOperations = { "rename", "delete" } },
      },
      window = { showMessage = { messageActionItem = { additionalPropertiesSupport = false } } },
      experimental = {
        clined = {
          protocol = require("clined.daemon.session").protocol,
          client = {
            name = "clined for Neovim " .. version,
            version = version,
            instanceId = ("%d-%d"):format(vim.uv.os_getpid(), vim.uv.hrtime()),
          },
          caps = caps(handlers),
        },
      },
    },
  }
end

return M
