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
}

// Wire names of the methods.
const (
	MethodInitialize                = "initialize"
	MethodInitialized               = "initialized"
	MethodShutdown                  = "shutdown"
	MethodExit                      = "exit"
	MethodSetTrace                  = "$/setTrace"
	MethodDidOpen                   = "textDocument/didOpen"
	MethodDidChange                 = "textDocument/didChange"
	MethodDidClose                  = "textDocument/didClose"
	MethodDidSave                   = "textDocument/didSave"
	MethodDidChangeWorkspaceFolders = "workspace/didChangeWorkspaceFolders"
	MethodDidChangeConfiguration    = "workspace/didChangeConfiguration"
	MethodEditorDidChangeState      = "clined/editor/didChangeState"
	MethodTaskNew                   = "clined/task/new"
	MethodTaskPrompt                = "clined/task/prompt"
	MethodTaskCancel                = "clined/task/cancel"
	MethodConfigGet                 = "clined/config/get"
	MethodConfigSet                 = "clined/config/set"
	MethodApprovalRespond           = "clined/approval/respond"
	MethodAskRespond                = "clined/ask/respond"

	MethodTaskEvent        = "clined/task/event"
	MethodApprovalRequest  = "clined/approval/request"
	MethodApprovalResolved = "clined/approval/resolved"
	MethodAsk              = "clined/ask"
	MethodApplyEdit        = "workspace/applyEdit"
	MethodLogMessage       = "window/logMessage"
	MethodShowMessage      = "window/showMessage"
)

// CodeNotInitialized is LSP's: a request came before initialize.
const CodeNotInitialized = -32002

// Error codes of our own, outside the ranges of JSON-RPC, LSP and ACP.
const (
	// CodeTaskNotFound: no such task in this daemon.
	CodeTaskNotFound = 1001
	// CodeTaskBusy: the task runs a turn and the prompt was not to be queued.
	CodeTaskBusy = 1002
	// CodeTurnMismatch: the turn named is not the one that runs.
	CodeTurnMismatch = 1003
	// CodeApprovalGone: no such open approval or question.
	CodeApprovalGone = 1004
)
