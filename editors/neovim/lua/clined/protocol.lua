---@meta
--- The editor protocol's types, from the daemon's own JSON Schema.
--- Written by go test ./internal/test/docs -update; docs/protocol.md says what they mean.

---@class clined.protocol.AccountLoginParams
---@field provider string
---@field baseUrl? string
---@field secret string
---@field persist? boolean

---@class clined.protocol.AccountLogoutParams
---@field provider string
---@field baseUrl? string
---@field persist? boolean

---@class clined.protocol.AccountStatus
---@field provider string
---@field baseUrl? string
---@field where? string
---@field needed? boolean
---@field hint? string

---@class clined.protocol.AccountStatusResult
---@field accounts clined.protocol.AccountStatus[]

---@class clined.protocol.ApplyEditParams
---@field label? string
---@field edit clined.protocol.WorkspaceEdit

---@class clined.protocol.ApplyEditResult
---@field applied boolean
---@field failureReason? string

---@class clined.protocol.ApprovalCaps
---@field feedback? clined.protocol.Empty
---@field editedContent? clined.protocol.Empty

---@class clined.protocol.ApprovalListParams
---@field taskId? string

---@class clined.protocol.ApprovalListResult
---@field approvals clined.protocol.ApprovalRequestParams[]
---@field asks clined.protocol.AskParams[]

---@class clined.protocol.ApprovalOption
---@field optionId string
---@field kind string
---@field name string
---@field rule? clined.protocol.Rule

---@class clined.protocol.ApprovalOutcome
---@field optionId? string
---@field subjectHash? string
---@field feedback? clined.protocol.Feedback
---@field editedContent? table<string, string>
---@field hunks? string[]

---@class clined.protocol.ApprovalRequestParams
---@field approvalId string
---@field taskId string
---@field turnId string
---@field toolCallId string
---@field title string
---@field description? string
---@field asksAnyway? boolean
---@field diffId? string
---@field subject clined.protocol.Subject
---@field subjectHash string
---@field options clined.protocol.ApprovalOption[]
---@field allowFeedback boolean
---@field allowEditedContent boolean

---@class clined.protocol.ApprovalResolvedParams
---@field approvalId string
---@field taskId string
---@field outcome string
---@field rule? clined.protocol.Rule

---@class clined.protocol.ApprovalRespondParams
---@field approvalId string
---@field outcome clined.protocol.ApprovalOutcome

---@class clined.protocol.AskParams
---@field askId string
---@field taskId string
---@field turnId string
---@field text string
---@field options? string[]

---@class clined.protocol.AskRespondParams
---@field askId string
---@field result clined.protocol.AskResult

---@class clined.protocol.AskResult
---@field action string
---@field option? string
---@field text? string
---@field images? clined.protocol.ContentBlock[]

---@class clined.protocol.ClientCapabilities
---@field general? { positionEncodings?: string[] }
---@field workspace? { applyEdit?: boolean, workspaceFolders?: boolean, workspaceEdit?: { resourceOperations?: string[] } }
---@field window? clined.protocol.WindowCaps
---@field experimental? { clined?: clined.protocol.ClinedClient }

---@class clined.protocol.ClientCaps
---@field approvals? clined.protocol.ApprovalCaps
---@field asks? clined.protocol.Empty
---@field editorState? clined.protocol.Empty
---@field transcript? clined.protocol.Empty
---@field diffView? clined.protocol.DiffViewCaps
---@field diagnosticsPull? clined.protocol.Empty

---@class clined.protocol.ClientInfo
---@field name string
---@field version? string

---@class clined.protocol.ClinedClient
---@field protocol clined.protocol.ProtocolRange
---@field client { name: string, version?: string, instanceId?: string }
---@field caps clined.protocol.ClientCaps

---@class clined.protocol.ClinedServer
---@field protocol integer
---@field version string
---@field methods string[]

---@class clined.protocol.CodeDescription
---@field href string

---@class clined.protocol.ConfigGetParams
---@field taskId? string

---@class clined.protocol.ConfigResult
---@field options clined.protocol.EventOption[]

---@class clined.protocol.ConfigSetParams
---@field taskId? string
---@field id string
---@field value string

---@class clined.protocol.ContentBlock
---@field type string
---@field text? string
---@field mimeType? string
---@field data? string

---@class clined.protocol.ContentChange
---@field range? clined.protocol.Range
---@field text string

---@class clined.protocol.Diagnostic
---@field range clined.protocol.Range
---@field severity? number
---@field code? any
---@field codeDescription? clined.protocol.CodeDescription
---@field source? string
---@field message string
---@field tags? number[]
---@field relatedInformation? clined.protocol.DiagnosticRelatedInformation[]
---@field data? any

---@class clined.protocol.DiagnosticRelatedInformation
---@field location clined.protocol.Location
---@field message string

---@class clined.protocol.DiagnosticsPullParams
---@field uris string[]
---@field settleMs integer

---@class clined.protocol.DiagnosticsPullResult
---@field items clined.protocol.FileDiagnostics[]

---@class clined.protocol.DidChangeConfigurationParams
---@field settings any

---@class clined.protocol.DidChangeParams
---@field textDocument clined.protocol.VersionedDocument
---@field contentChanges clined.protocol.ContentChange[]

---@class clined.protocol.DidChangeWorkspaceFoldersParams
---@field event { added: clined.protocol.WorkspaceFolder[], removed: clined.protocol.WorkspaceFolder[] }

---@class clined.protocol.DidCloseParams
---@field textDocument clined.protocol.DocumentID

---@class clined.protocol.DidOpenParams
---@field textDocument clined.protocol.TextDocumentItem

---@class clined.protocol.DidSaveParams
---@field textDocument clined.protocol.DocumentID

---@class clined.protocol.DiffCloseParams
---@field diffId string
---@field revert? boolean

---@class clined.protocol.DiffDidChangeParams
---@field diffId string
---@field text string

---@class clined.protocol.DiffDidCloseParams
---@field diffId string

---@class clined.protocol.DiffFinalizeParams
---@field diffId string
---@field rev integer
---@field textHash string
---@field newText? string

---@class clined.protocol.DiffFinalizeResult
---@field textHash string

---@class clined.protocol.DiffOpenParams
---@field diffId string
---@field taskId string
---@field toolCallId string
---@field uri string
---@field op string
---@field newUri? string
---@field baseText string
---@field baseVersion? integer
---@field newText string
---@field languageId? string
---@field streaming? boolean

---@class clined.protocol.DiffOpenResult
---@field opened boolean
---@field text? string
---@field dirty? boolean
---@field diskHash? string

---@class clined.protocol.DiffRevealParams
---@field diffId string
---@field line integer

---@class clined.protocol.DiffSaveParams
---@field diffId string
---@field text? string

---@class clined.protocol.DiffSaveResult
---@field userText? string
---@field finalText? string
---@field error? string
---@field text? string

---@class clined.protocol.DiffUpdateParams
---@field diffId string
---@field rev integer
---@field edits clined.protocol.LineEdit[]
---@field activeLine integer

---@class clined.protocol.DiffViewCaps
---@field streaming? clined.protocol.Empty
---@field userEdits? clined.protocol.Empty
---@field saveFormats? clined.protocol.Empty

---@class clined.protocol.DocumentEdit
---@field textDocument? clined.protocol.VersionedDocument
---@field edits? clined.protocol.TextEdit[]
---@field kind? string
---@field oldUri? string
---@field newUri? string
---@field uri? string
---@field options? clined.protocol.ResourceOptions

---@class clined.protocol.DocumentID
---@field uri string

---@class clined.protocol.EditorState
---@field rev? integer
---@field active? { uri: string, selections?: clined.protocol.Range[] }
---@field visible { uri: string, ranges?: clined.protocol.Range[] }[]
---@field tabs { uri: string, dirty?: boolean, pinned?: boolean, group?: integer }[]
---@field terminals? { id: string, name: string, cwd?: string, busy?: boolean, command?: string, output?: string }[]
---@field diagnostics? clined.protocol.FileDiagnostics[]
---@field checkedLanguages? string[]

---@alias clined.protocol.Empty table<string, any>

---@alias clined.protocol.Event clined.protocol.EventState|clined.protocol.EventMessage|clined.protocol.EventMessageDelta|clined.protocol.EventToolCall|clined.protocol.EventToolCallDelta|clined.protocol.EventPlan|clined.protocol.EventUsage|clined.protocol.EventConfig|clined.protocol.EventNotice|clined.protocol.EventInfo|clined.protocol.EventRewind|clined.protocol.EventTerminal|clined.protocol.EventTerminalDelta

---@class clined.protocol.EventConfig
---@field type "config"
---@field options clined.protocol.EventOption[]

---@class clined.protocol.EventContent
---@field type string
---@field text? string
---@field mimeType? string
---@field data? string

---@class clined.protocol.EventFailure
---@field code string
---@field message string
---@field hint? string
---@field providerStatus? integer

---@class clined.protocol.EventInfo
---@field type "info"
---@field title string

---@class clined.protocol.EventMessage
---@field type "message"
---@field messageId string
---@field role string
---@field content clined.protocol.EventContent[]
---@field status string
---@field final? boolean
---@field command? string

---@class clined.protocol.EventMessageDelta
---@field type "messageDelta"
---@field messageId string
---@field partIndex integer
---@field kind string
---@field text string

---@class clined.protocol.EventNotice
---@field type "notice"
---@field severity string
---@field text string
---@field hint? string

---@class clined.protocol.EventOption
---@field id string
---@field name string
---@field value string
---@field choices? string[]

---@class clined.protocol.EventPendingAction
---@field id string
---@field kind string
---@field title string
---@field options? string[]
---@field toolCallId? string

---@class clined.protocol.EventPlan
---@field type "plan"
---@field entries clined.protocol.EventPlanEntry[]
---@field byUser? boolean

---@class clined.protocol.EventPlanEntry
---@field text string
---@field done boolean

---@class clined.protocol.EventRewind
---@field type "rewind"
---@field messageId string

---@class clined.protocol.EventState
---@field type "state"
---@field state string
---@field stopReason? string
---@field error? clined.protocol.EventFailure
---@field waiting? clined.protocol.EventWaiting
---@field pending? clined.protocol.EventPendingAction[]

---@class clined.protocol.EventTerminal
---@field type "terminal"
---@field terminalId string
---@field command string
---@field cwd string
---@field state string
---@field tty? boolean
---@field asks? string
---@field exitCode? integer
---@field signal? string
---@field logFile? string
---@field output? string

---@class clined.protocol.EventTerminalDelta
---@field type "terminalDelta"
---@field terminalId string
---@field text string

---@class clined.protocol.EventToolCall
---@field type "toolCall"
---@field toolCallId string
---@field name string
---@field title? string
---@field kind? string
---@field status string
---@field args? string
---@field server? string
---@field tool? string
---@field locations? string[]
---@field output? string
---@field diff? string
---@field autoApproved? string

---@class clined.protocol.EventToolCallDelta
---@field type "toolCallDelta"
---@field toolCallId string
---@field argsText? string
---@field output? string

---@class clined.protocol.EventUsage
---@field type "usage"
---@field used integer
---@field size integer
---@field tokensIn integer
---@field tokensOut integer
---@field cacheRead integer
---@field cacheWrite integer
---@field estimated? boolean
---@field cost? number

---@class clined.protocol.EventWaiting
---@field reason string
---@field delayMs integer
---@field waitedMs? integer
---@field attempt integer
---@field max integer

---@class clined.protocol.ExecuteCommandOptions
---@field commands string[]

---@class clined.protocol.ExecuteCommandParams
---@field command string
---@field arguments? any

---@class clined.protocol.Feedback
---@field text string
---@field images? clined.protocol.ContentBlock[]

---@class clined.protocol.FileDiagnostics
---@field uri string
---@field version? integer
---@field diagnostics clined.protocol.Diagnostic[]

---@class clined.protocol.FoundServer
---@field name string
---@field provider string
---@field baseUrl string
---@field models string[]

---@class clined.protocol.Hunk
---@field id string
---@field startLine integer
---@field endLine integer
---@field newStartLine integer
---@field newEndLine integer

---@class clined.protocol.InitializeParams
---@field processId integer
---@field clientInfo? clined.protocol.ClientInfo
---@field rootUri? string
---@field rootPath? string
---@field workspaceFolders? clined.protocol.WorkspaceFolder[]
---@field capabilities clined.protocol.ClientCapabilities
---@field initializationOptions? any
---@field protocolVersion? any

---@class clined.protocol.InitializeResult
---@field capabilities clined.protocol.ServerCapabilities
---@field serverInfo clined.protocol.ServerInfo

---@class clined.protocol.LineEdit
---@field startLine integer
---@field endLine integer
---@field lines string[]

---@class clined.protocol.Location
---@field uri string
---@field range clined.protocol.Range

---@class clined.protocol.MessageAction
---@field title string

---@class clined.protocol.ModelInfo
---@field id string
---@field name? string
---@field contextWindow? integer

---@class clined.protocol.ModelListParams
---@field provider? string
---@field baseUrl? string
---@field secret? string

---@class clined.protocol.ModelListResult
---@field models clined.protocol.ModelInfo[]
---@field problem? string
---@field hint? string

---@class clined.protocol.Position
---@field line integer
---@field character integer

---@class clined.protocol.ProgressCancelParams
---@field token string

---@class clined.protocol.ProgressCreateParams
---@field token string

---@class clined.protocol.ProgressParams
---@field token string
---@field value clined.protocol.ProgressValue

---@class clined.protocol.ProgressValue
---@field kind string
---@field title? string
---@field message? string
---@field cancellable? boolean

---@class clined.protocol.ProtocolRange
---@field min integer
---@field max integer

---@class clined.protocol.Range
---@field start clined.protocol.Position
---@field end clined.protocol.Position

---@class clined.protocol.ResourceOptions
---@field ignoreIfNotExists? boolean

---@class clined.protocol.RespondResult
---@field status string

---@class clined.protocol.Rule
---@field scope string
---@field pattern string

---@class clined.protocol.RuleInfo
---@field id integer
---@field scope string
---@field pattern string
---@field workspace? string
---@field taskId? string
---@field verdict string
---@field created string

---@class clined.protocol.RuleListParams
---@field all? boolean

---@class clined.protocol.RuleListResult
---@field rules clined.protocol.RuleInfo[]

---@class clined.protocol.RuleRemoveParams
---@field id integer

---@class clined.protocol.ServerCapabilities
---@field positionEncoding string
---@field textDocumentSync clined.protocol.SyncOptions
---@field workspace clined.protocol.WorkspaceCaps
---@field executeCommandProvider? clined.protocol.ExecuteCommandOptions
---@field experimental? clined.protocol.ServerExtended

---@class clined.protocol.ServerExtended
---@field clined? clined.protocol.ClinedServer

---@class clined.protocol.ServerInfo
---@field name string
---@field version string

---@class clined.protocol.SetTraceParams
---@field value string

---@class clined.protocol.SetupDemoParams
---@field stop? boolean

---@class clined.protocol.SetupDiscoverResult
---@field servers clined.protocol.FoundServer[]

---@class clined.protocol.SetupStatus
---@field configured boolean
---@field provider string
---@field model? string
---@field baseUrl? string
---@field demo? boolean
---@field examples? string[]
---@field problem? string
---@field hint? string

---@class clined.protocol.ShowDocumentParams
---@field uri string
---@field external? boolean
---@field takeFocus? boolean
---@field selection? clined.protocol.Range

---@class clined.protocol.ShowDocumentResult
---@field success boolean

---@class clined.protocol.ShowMessageParams
---@field message string
---@field type number

---@class clined.protocol.ShowMessageRequestParams
---@field type integer
---@field message string
---@field actions clined.protocol.MessageAction[]

---@class clined.protocol.Subject
---@field type string
---@field command? string
---@field cwd? string
---@field parts? clined.protocol.SubjectPart[]
---@field interactive? boolean
---@field timeout? integer
---@field sandbox? string
---@field unsandboxed? boolean
---@field paths? clined.protocol.SubjectPath[]
---@field files? clined.protocol.SubjectEdit[]
---@field server? string
---@field tool? string
---@field args? any

---@class clined.protocol.SubjectEdit
---@field path string
---@field uri string
---@field real? string
---@field outside? boolean
---@field protected? string
---@field op string
---@field to? clined.protocol.SubjectPath
---@field baseText string
---@field newText string
---@field diff string
---@field hunks? clined.protocol.Hunk[]
---@field diffId? string

---@class clined.protocol.SubjectPart
---@field command string
---@field verdict string
---@field reason? string
---@field rule? string

---@class clined.protocol.SubjectPath
---@field path string
---@field uri string
---@field real? string
---@field outside? boolean
---@field protected? string

---@class clined.protocol.SyncOptions
---@field openClose boolean
---@field change integer
---@field save boolean

---@class clined.protocol.TaskAttachParams
---@field taskId string
---@field sinceSeq? integer
---@field limit? integer

---@class clined.protocol.TaskAttachResult
---@field task clined.protocol.TaskInfo
---@field events clined.protocol.TaskEventParams[]
---@field more? boolean
---@field before? integer
---@field seq integer
---@field pending clined.protocol.EventPendingAction[]

---@class clined.protocol.TaskCancelParams
---@field taskId string
---@field turnId? string

---@class clined.protocol.TaskDeleteParams
---@field taskId string

---@class clined.protocol.TaskDetachParams
---@field taskId string

---@class clined.protocol.TaskEditMessageParams
---@field taskId string
---@field messageId string
---@field prompt clined.protocol.ContentBlock[]

---@class clined.protocol.TaskEventParams
---@field taskId string
---@field seq integer
---@field turnId? string
---@field ts string
---@field event clined.protocol.Event

---@class clined.protocol.TaskExportParams
---@field taskId string
---@field format? string

---@class clined.protocol.TaskExportResult
---@field text string
---@field fileName string

---@class clined.protocol.TaskFavoriteParams
---@field taskId string
---@field favorite boolean

---@class clined.protocol.TaskInfo
---@field taskId string
---@field title string
---@field cwd string
---@field roots string[]
---@field created string
---@field updated string
---@field mode? string
---@field model? string
---@field favorite? boolean
---@field state string
---@field stopReason? string
---@field owner? clined.protocol.TaskOwner
---@field messages integer
---@field tokensIn? integer
---@field tokensOut? integer
---@field cost? number
---@field damage? string

---@class clined.protocol.TaskListParams
---@field cwd? string
---@field cwds? string[]
---@field query? string
---@field favorite? boolean
---@field cursor? string
---@field limit? integer

---@class clined.protocol.TaskListResult
---@field tasks clined.protocol.TaskInfo[]
---@field nextCursor? string

---@class clined.protocol.TaskNewParams
---@field cwd? string
---@field roots? string[]
---@field prompt? clined.protocol.ContentBlock[]
---@field mode? string
---@field config? table<string, string>
---@field clientTaskRef? string

---@class clined.protocol.TaskNewResult
---@field taskId string
---@field seq integer
---@field turnId? string
---@field messageId? string
---@field clientTaskRef? string

---@class clined.protocol.TaskOwner
---@field pid integer
---@field since string

---@class clined.protocol.TaskPromptParams
---@field taskId string
---@field prompt clined.protocol.ContentBlock[]
---@field queue? boolean
---@field mode? string

---@class clined.protocol.TaskPromptResult
---@field turnId string
---@field messageId string

---@class clined.protocol.TaskReadParams
---@field taskId string
---@field before? integer
---@field limit? integer

---@class clined.protocol.TaskReadResult
---@field task clined.protocol.TaskInfo
---@field events clined.protocol.TaskEventParams[]
---@field more? boolean
---@field before? integer

---@class clined.protocol.TaskRenameParams
---@field taskId string
---@field title string

---@class clined.protocol.TaskResumeParams
---@field taskId string
---@field prompt? clined.protocol.ContentBlock[]

---@class clined.protocol.TaskSetChecklistParams
---@field taskId string
---@field markdown string

---@class clined.protocol.TaskSteerParams
---@field taskId string
---@field expectedTurnId? string
---@field prompt clined.protocol.ContentBlock[]

---@class clined.protocol.TerminalInputParams
---@field taskId string
---@field terminalId string
---@field text string

---@class clined.protocol.TerminalListParams
---@field taskId string

---@class clined.protocol.TerminalListResult
---@field terminals clined.protocol.EventTerminal[]

---@class clined.protocol.TerminalParams
---@field taskId string
---@field terminalId string

---@class clined.protocol.TerminalResizeParams
---@field taskId string
---@field terminalId string
---@field cols integer
---@field rows integer

---@class clined.protocol.TextDocumentItem
---@field uri string
---@field languageId string
---@field version integer
---@field text string

---@class clined.protocol.TextEdit
---@field range clined.protocol.Range
---@field newText string

---@class clined.protocol.VersionedDocument
---@field uri string
---@field version integer

---@class clined.protocol.WindowCaps
---@field workDoneProgress? boolean
---@field showMessage? clined.protocol.Empty
---@field showDocument? { support: boolean }

---@class clined.protocol.WorkspaceCaps
---@field workspaceFolders { supported: boolean, changeNotifications: boolean }

---@class clined.protocol.WorkspaceEdit
---@field documentChanges clined.protocol.DocumentEdit[]

---@class clined.protocol.WorkspaceFolder
---@field uri string
---@field name string

--- What the editor asks and tells. A notification returns nothing.
---@class clined.protocol.FromEditor
---@field ["$/setTrace"] fun(params: clined.protocol.SetTraceParams)
---@field ["clined/account/login"] fun(params: clined.protocol.AccountLoginParams): clined.protocol.AccountStatusResult
---@field ["clined/account/logout"] fun(params: clined.protocol.AccountLogoutParams): clined.protocol.AccountStatusResult
---@field ["clined/account/status"] fun(params: clined.protocol.Empty): clined.protocol.AccountStatusResult
---@field ["clined/approval/list"] fun(params: clined.protocol.ApprovalListParams): clined.protocol.ApprovalListResult
---@field ["clined/approval/respond"] fun(params: clined.protocol.ApprovalRespondParams): clined.protocol.RespondResult
---@field ["clined/ask/respond"] fun(params: clined.protocol.AskRespondParams): clined.protocol.RespondResult
---@field ["clined/config/get"] fun(params: clined.protocol.ConfigGetParams): clined.protocol.ConfigResult
---@field ["clined/config/set"] fun(params: clined.protocol.ConfigSetParams): clined.protocol.ConfigResult
---@field ["clined/diff/didChange"] fun(params: clined.protocol.DiffDidChangeParams)
---@field ["clined/diff/didClose"] fun(params: clined.protocol.DiffDidCloseParams)
---@field ["clined/editor/didChangeDiagnostics"] fun(params: clined.protocol.FileDiagnostics)
---@field ["clined/editor/didChangeState"] fun(params: clined.protocol.EditorState)
---@field ["clined/model/list"] fun(params: clined.protocol.ModelListParams): clined.protocol.ModelListResult
---@field ["clined/rule/list"] fun(params: clined.protocol.RuleListParams): clined.protocol.RuleListResult
---@field ["clined/rule/remove"] fun(params: clined.protocol.RuleRemoveParams): clined.protocol.Empty
---@field ["clined/setup/demo"] fun(params: clined.protocol.SetupDemoParams): clined.protocol.SetupStatus
---@field ["clined/setup/discover"] fun(params: clined.protocol.Empty): clined.protocol.SetupDiscoverResult
---@field ["clined/setup/status"] fun(params: clined.protocol.Empty): clined.protocol.SetupStatus
---@field ["clined/task/attach"] fun(params: clined.protocol.TaskAttachParams): clined.protocol.TaskAttachResult
---@field ["clined/task/cancel"] fun(params: clined.protocol.TaskCancelParams): clined.protocol.Empty
---@field ["clined/task/delete"] fun(params: clined.protocol.TaskDeleteParams): clined.protocol.Empty
---@field ["clined/task/detach"] fun(params: clined.protocol.TaskDetachParams): clined.protocol.Empty
---@field ["clined/task/editMessage"] fun(params: clined.protocol.TaskEditMessageParams): clined.protocol.TaskPromptResult
---@field ["clined/task/export"] fun(params: clined.protocol.TaskExportParams): clined.protocol.TaskExportResult
---@field ["clined/task/favorite"] fun(params: clined.protocol.TaskFavoriteParams): clined.protocol.Empty
---@field ["clined/task/list"] fun(params: clined.protocol.TaskListParams): clined.protocol.TaskListResult
---@field ["clined/task/new"] fun(params: clined.protocol.TaskNewParams): clined.protocol.TaskNewResult
---@field ["clined/task/prompt"] fun(params: clined.protocol.TaskPromptParams): clined.protocol.TaskPromptResult
---@field ["clined/task/read"] fun(params: clined.protocol.TaskReadParams): clined.protocol.TaskReadResult
---@field ["clined/task/rename"] fun(params: clined.protocol.TaskRenameParams): clined.protocol.Empty
---@field ["clined/task/resume"] fun(params: clined.protocol.TaskResumeParams): clined.protocol.TaskPromptResult
---@field ["clined/task/setChecklist"] fun(params: clined.protocol.TaskSetChecklistParams): clined.protocol.Empty
---@field ["clined/task/steer"] fun(params: clined.protocol.TaskSteerParams): clined.protocol.TaskPromptResult
---@field ["clined/terminal/detach"] fun(params: clined.protocol.TerminalParams): clined.protocol.Empty
---@field ["clined/terminal/input"] fun(params: clined.protocol.TerminalInputParams): clined.protocol.Empty
---@field ["clined/terminal/kill"] fun(params: clined.protocol.TerminalParams): clined.protocol.Empty
---@field ["clined/terminal/list"] fun(params: clined.protocol.TerminalListParams): clined.protocol.TerminalListResult
---@field ["clined/terminal/resize"] fun(params: clined.protocol.TerminalResizeParams): clined.protocol.Empty
---@field ["exit"] fun(params: clined.protocol.Empty)
---@field ["initialize"] fun(params: clined.protocol.InitializeParams): clined.protocol.InitializeResult
---@field ["initialized"] fun(params: clined.protocol.Empty)
---@field ["shutdown"] fun(params: clined.protocol.Empty): nil
---@field ["textDocument/didChange"] fun(params: clined.protocol.DidChangeParams)
---@field ["textDocument/didClose"] fun(params: clined.protocol.DidCloseParams)
---@field ["textDocument/didOpen"] fun(params: clined.protocol.DidOpenParams)
---@field ["textDocument/didSave"] fun(params: clined.protocol.DidSaveParams)
---@field ["window/workDoneProgress/cancel"] fun(params: clined.protocol.ProgressCancelParams)
---@field ["workspace/didChangeConfiguration"] fun(params: clined.protocol.DidChangeConfigurationParams)
---@field ["workspace/didChangeWorkspaceFolders"] fun(params: clined.protocol.DidChangeWorkspaceFoldersParams)
---@field ["workspace/executeCommand"] fun(params: clined.protocol.ExecuteCommandParams): any

--- What the daemon asks and tells. A notification returns nothing.
---@class clined.protocol.FromDaemon
---@field ["$/progress"] fun(params: clined.protocol.ProgressParams)
---@field ["clined/approval/request"] fun(params: clined.protocol.ApprovalRequestParams): clined.protocol.ApprovalOutcome
---@field ["clined/approval/resolved"] fun(params: clined.protocol.ApprovalResolvedParams)
---@field ["clined/ask"] fun(params: clined.protocol.AskParams): clined.protocol.AskResult
---@field ["clined/diagnostics/pull"] fun(params: clined.protocol.DiagnosticsPullParams): clined.protocol.DiagnosticsPullResult
---@field ["clined/diff/close"] fun(params: clined.protocol.DiffCloseParams): clined.protocol.Empty
---@field ["clined/diff/finalize"] fun(params: clined.protocol.DiffFinalizeParams): clined.protocol.DiffFinalizeResult
---@field ["clined/diff/open"] fun(params: clined.protocol.DiffOpenParams): clined.protocol.DiffOpenResult
---@field ["clined/diff/reveal"] fun(params: clined.protocol.DiffRevealParams): clined.protocol.Empty
---@field ["clined/diff/save"] fun(params: clined.protocol.DiffSaveParams): clined.protocol.DiffSaveResult
---@field ["clined/diff/update"] fun(params: clined.protocol.DiffUpdateParams)
---@field ["clined/task/event"] fun(params: clined.protocol.TaskEventParams)
---@field ["window/logMessage"] fun(params: clined.protocol.ShowMessageParams)
---@field ["window/showDocument"] fun(params: clined.protocol.ShowDocumentParams): clined.protocol.ShowDocumentResult
---@field ["window/showMessage"] fun(params: clined.protocol.ShowMessageParams)
---@field ["window/showMessageRequest"] fun(params: clined.protocol.ShowMessageRequestParams): clined.protocol.MessageAction
---@field ["window/workDoneProgress/create"] fun(params: clined.protocol.ProgressCreateParams): nil
---@field ["workspace/applyEdit"] fun(params: clined.protocol.ApplyEditParams): clined.protocol.ApplyEditResult
