package protocol

import "context"

// Version is the protocol version this build speaks; additive changes do not
// raise it.
const Version = 1

// Server is what a daemon offers to an editor: the method list of this side.
// Requests answer at once; what takes time is told by clined/task/event.
type Server interface {
	// LSP life cycle.
	Initialize(ctx context.Context, p *InitializeParams) (*InitializeResult, error)
	Initialized(ctx context.Context, p *Empty) error
	Shutdown(ctx context.Context, p *Empty) (*Null, error)
	Exit(ctx context.Context, p *Empty) error
	SetTrace(ctx context.Context, p *SetTraceParams) error

	// LSP text documents and workspace.
	DidOpen(ctx context.Context, p *DidOpenParams) error
	DidChange(ctx context.Context, p *DidChangeParams) error
	DidClose(ctx context.Context, p *DidCloseParams) error
	DidSave(ctx context.Context, p *DidSaveParams) error
	DidChangeWorkspaceFolders(ctx context.Context, p *DidChangeWorkspaceFoldersParams) error
	DidChangeConfiguration(ctx context.Context, p *DidChangeConfigurationParams) error

	// EditorDidChangeState tells what the user sees; it replaces the state told before.
	EditorDidChangeState(ctx context.Context, p *EditorState) error
	// EditorDidChangeDiagnostics tells the problems of one document.
	EditorDidChangeDiagnostics(ctx context.Context, p *FileDiagnostics) error

	// Tasks.
	TaskNew(ctx context.Context, p *TaskNewParams) (*TaskNewResult, error)
	TaskPrompt(ctx context.Context, p *TaskPromptParams) (*TaskPromptResult, error)
	TaskCancel(ctx context.Context, p *TaskCancelParams) (*Empty, error)

	// ConfigGet and ConfigSet read and change the options of a task; both
	// return all of them.
	ConfigGet(ctx context.Context, p *ConfigGetParams) (*ConfigResult, error)
	ConfigSet(ctx context.Context, p *ConfigSetParams) (*ConfigResult, error)

	// ApprovalRespond and AskRespond answer an open approval or question out
	// of band, for editors that cannot answer the request itself.
	ApprovalRespond(ctx context.Context, p *ApprovalRespondParams) (*RespondResult, error)
	AskRespond(ctx context.Context, p *AskRespondParams) (*RespondResult, error)

	history
	account
	setup
	diffDaemon
	terminals
	rules

	// ExecuteCommand is workspace/executeCommand: what an editor without a
	// plugin of ours can offer its user.
	ExecuteCommand(ctx context.Context, p *ExecuteCommandParams) (*Raw, error)
	// WorkDoneProgressCancel is the user's wish to stop what a progress shows.
	WorkDoneProgressCancel(ctx context.Context, p *ProgressCancelParams) error
}

// Client is what an editor offers to the daemon.
type Client interface {
	// TaskEvent is the ordered stream of what happens.
	TaskEvent(ctx context.Context, p *TaskEventParams) error
	// ApprovalRequest asks the user; it may take for ever.
	ApprovalRequest(ctx context.Context, p *ApprovalRequestParams) (*ApprovalOutcome, error)
	// ApprovalResolved tells that an approval is no longer open.
	ApprovalResolved(ctx context.Context, p *ApprovalResolvedParams) error
	// Ask puts a question to the user; it may take for ever.
	Ask(ctx context.Context, p *AskParams) (*AskResult, error)

	// ApplyEdit is workspace/applyEdit: change open buffers.
	ApplyEdit(ctx context.Context, p *ApplyEditParams) (*ApplyEditResult, error)
	// LogMessage and ShowMessage are window/logMessage and window/showMessage.
	LogMessage(ctx context.Context, p *ShowMessageParams) error
	ShowMessage(ctx context.Context, p *ShowMessageParams) error

	diffEditor
	checker

	// ShowMessageRequest is window/showMessageRequest: decisions for editors
	// without our own requests. A nil result is no decision.
	ShowMessageRequest(ctx context.Context, p *ShowMessageRequestParams) (*MessageAction, error)
	// ShowDocument is window/showDocument.
	ShowDocument(ctx context.Context, p *ShowDocumentParams) (*ShowDocumentResult, error)
	// WorkDoneProgressCreate and Progress are LSP's work done progress.
	WorkDoneProgressCreate(ctx context.Context, p *ProgressCreateParams) (*Null, error)
	Progress(ctx context.Context, p *ProgressParams) error
}

// Wire names of the methods.
const (
	MethodInitialize                 = "initialize"
	MethodInitialized                = "initialized"
	MethodShutdown                   = "shutdown"
	MethodExit                       = "exit"
	MethodSetTrace                   = "$/setTrace"
	MethodDidOpen                    = "textDocument/didOpen"
	MethodDidChange                  = "textDocument/didChange"
	MethodDidClose                   = "textDocument/didClose"
	MethodDidSave                    = "textDocument/didSave"
	MethodDidChangeWorkspaceFolders  = "workspace/didChangeWorkspaceFolders"
	MethodDidChangeConfiguration     = "workspace/didChangeConfiguration"
	MethodEditorDidChangeState       = "clined/editor/didChangeState"
	MethodEditorDidChangeDiagnostics = "clined/editor/didChangeDiagnostics"
	MethodTaskNew                    = "clined/task/new"
	MethodTaskPrompt                 = "clined/task/prompt"
	MethodTaskCancel                 = "clined/task/cancel"
	MethodConfigGet                  = "clined/config/get"
	MethodConfigSet                  = "clined/config/set"
	MethodApprovalRespond            = "clined/approval/respond"
	MethodAskRespond                 = "clined/ask/respond"
	MethodTaskList                   = "clined/task/list"
	MethodTaskAttach                 = "clined/task/attach"
	MethodTaskDetach                 = "clined/task/detach"
	MethodTaskRead                   = "clined/task/read"
	MethodTaskDelete                 = "clined/task/delete"
	MethodTaskRename                 = "clined/task/rename"
	MethodTaskFavorite               = "clined/task/favorite"
	MethodTaskExport                 = "clined/task/export"
	MethodTaskResume                 = "clined/task/resume"
	MethodTaskSteer                  = "clined/task/steer"
	MethodTaskEditMessage            = "clined/task/editMessage"
	MethodTaskSetChecklist           = "clined/task/setChecklist"
	MethodApprovalList               = "clined/approval/list"
	MethodAccountLogin               = "clined/account/login"
	MethodAccountLogout              = "clined/account/logout"
	MethodAccountStatus              = "clined/account/status"
	MethodSetupStatus                = "clined/setup/status"
	MethodSetupDiscover              = "clined/setup/discover"
	MethodSetupDemo                  = "clined/setup/demo"
	MethodModelList                  = "clined/model/list"
	MethodDiffDidChange              = "clined/diff/didChange"
	MethodDiffDidClose               = "clined/diff/didClose"
	MethodTerminalList               = "clined/terminal/list"
	MethodTerminalInput              = "clined/terminal/input"
	MethodTerminalResize             = "clined/terminal/resize"
	MethodTerminalKill               = "clined/terminal/kill"
	MethodTerminalDetach             = "clined/terminal/detach"
	MethodRuleList                   = "clined/rule/list"
	MethodRuleRemove                 = "clined/rule/remove"
	MethodExecuteCommand             = "workspace/executeCommand"
	MethodWorkDoneProgressCancel     = "window/workDoneProgress/cancel"

	MethodTaskEvent        = "clined/task/event"
	MethodApprovalRequest  = "clined/approval/request"
	MethodApprovalResolved = "clined/approval/resolved"
	MethodAsk              = "clined/ask"
	MethodApplyEdit        = "workspace/applyEdit"
	MethodLogMessage       = "window/logMessage"
	MethodShowMessage      = "window/showMessage"
	MethodDiffOpen         = "clined/diff/open"
	MethodDiffUpdate       = "clined/diff/update"
	MethodDiffFinalize     = "clined/diff/finalize"
	MethodDiffSave         = "clined/diff/save"
	MethodDiffClose        = "clined/diff/close"
	MethodDiffReveal       = "clined/diff/reveal"
	MethodDiagnosticsPull  = "clined/diagnostics/pull"

	MethodShowMessageRequest     = "window/showMessageRequest"
	MethodShowDocument           = "window/showDocument"
	MethodWorkDoneProgressCreate = "window/workDoneProgress/create"
	MethodProgress               = "$/progress"
)

// CodeNotInitialized is LSP's: a request came before initialize.
const CodeNotInitialized = -32002

// Error codes of our own, outside the ranges of JSON-RPC, LSP and ACP.
const (
	// CodeTaskNotFound: no such task.
	CodeTaskNotFound = 1001
	// CodeTaskBusy: the task runs a turn and the prompt was not to be queued, or
	// another process runs it: then `data` is {owner: TaskOwner}.
	CodeTaskBusy = 1002
	// CodeTurnMismatch: the turn named is not the one that runs.
	CodeTurnMismatch = 1003
	// CodeApprovalGone: no such open approval or question.
	CodeApprovalGone = 1004
	// CodeStorage: the task could not be read or recorded.
	CodeStorage = 1006
	// CodeTerminalNotFound: no such command runs, it has no terminal to type
	// into, or it does not read its input.
	CodeTerminalNotFound = 1007
)
