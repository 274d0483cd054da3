package protocol

import (
	"context"
	"encoding/json"

	"clined/internal/rpc"
)

// Conn is what the stubs need of a connection; *rpc.Conn is one.
type Conn interface {
	Call(ctx context.Context, method string, params, result any) error
	Send(n rpc.Notification) error
}

var _ Conn = (*rpc.Conn)(nil)

// NewClientStub returns the editor as the daemon sees it. A null result is a
// nil pointer. Notifications are queued and never wait; deltas of one id may
// merge there, and are dropped for an editor that reads too slowly.
func NewClientStub(c Conn) Client { return clientStub{c} }

// NewServerStub returns the daemon as an editor sees it.
func NewServerStub(c Conn) Server { return serverStub{c} }

func call[R any](ctx context.Context, c Conn, method string, params any) (*R, error) {
	var raw json.RawMessage
	if err := c.Call(ctx, method, params, &raw); err != nil {
		return nil, err
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	result := new(R)
	return result, json.Unmarshal(raw, result)
}

func notify(c Conn, method string, params any) error {
	return c.Send(rpc.Notification{Method: method, Params: params})
}

type clientStub struct{ c Conn }

func (s clientStub) TaskEvent(_ context.Context, p *TaskEventParams) error {
	return s.c.Send(eventNotification(p))
}

func (s clientStub) ApprovalRequest(ctx context.Context, p *ApprovalRequestParams) (*ApprovalOutcome, error) {
	return call[ApprovalOutcome](ctx, s.c, MethodApprovalRequest, p)
}

func (s clientStub) ApprovalResolved(_ context.Context, p *ApprovalResolvedParams) error {
	return notify(s.c, MethodApprovalResolved, p)
}

func (s clientStub) Ask(ctx context.Context, p *AskParams) (*AskResult, error) {
	return call[AskResult](ctx, s.c, MethodAsk, p)
}

func (s clientStub) ApplyEdit(ctx context.Context, p *ApplyEditParams) (*ApplyEditResult, error) {
	return call[ApplyEditResult](ctx, s.c, MethodApplyEdit, p)
}

func (s clientStub) LogMessage(_ context.Context, p *ShowMessageParams) error {
	return notify(s.c, MethodLogMessage, p)
}

func (s clientStub) ShowMessage(_ context.Context, p *ShowMessageParams) error {
	return notify(s.c, MethodShowMessage, p)
}

type serverStub struct{ c Conn }

func (s serverStub) Initialize(ctx context.Context, p *InitializeParams) (*InitializeResult, error) {
	return call[InitializeResult](ctx, s.c, MethodInitialize, p)
}

func (s serverStub) Initialized(_ context.Context, p *Empty) error {
	return notify(s.c, MethodInitialized, p)
}

func (s serverStub) Shutdown(ctx context.Context, _ *Empty) (*Null, error) {
	return call[Null](ctx, s.c, MethodShutdown, nil)
}

func (s serverStub) Exit(context.Context, *Empty) error { return notify(s.c, MethodExit, nil) }

func (s serverStub) SetTrace(_ context.Context, p *SetTraceParams) error {
	return notify(s.c, MethodSetTrace, p)
}

func (s serverStub) DidOpen(_ context.Context, p *DidOpenParams) error {
	return notify(s.c, MethodDidOpen, p)
}

func (s serverStub) DidChange(_ context.Context, p *DidChangeParams) error {
	return notify(s.c, MethodDidChange, p)
}

func (s serverStub) DidClose(_ context.Context, p *DidCloseParams) error {
	return notify(s.c, MethodDidClose, p)
}

func (s serverStub) DidSave(_ context.Context, p *DidSaveParams) error {
	return notify(s.c, MethodDidSave, p)
}

func (s serverStub) DidChangeWorkspaceFolders(_ context.Context, p *DidChangeWorkspaceFoldersParams) error {
	return notify(s.c, MethodDidChangeWorkspaceFolders, p)
}

func (s serverStub) DidChangeConfiguration(_ context.Context, p *DidChangeConfigurationParams) error {
	return notify(s.c, MethodDidChangeConfiguration, p)
}

func (s serverStub) EditorDidChangeState(_ context.Context, p *EditorState) error {
	return notify(s.c, MethodEditorDidChangeState, p)
}

func (s serverStub) TaskNew(ctx context.Context, p *TaskNewParams) (*TaskNewResult, error) {
	return call[TaskNewResult](ctx, s.c, MethodTaskNew, p)
}

func (s serverStub) TaskPrompt(ctx context.Context, p *TaskPromptParams) (*TaskPromptResult, error) {
	return call[TaskPromptResult](ctx, s.c, MethodTaskPrompt, p)
}

func (s serverStub) TaskCancel(ctx context.Context, p *TaskCancelParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTaskCancel, p)
}

func (s serverStub) ConfigGet(ctx context.Context, p *ConfigGetParams) (*ConfigResult, error) {
	return call[ConfigResult](ctx, s.c, MethodConfigGet, p)
}

func (s serverStub) ConfigSet(ctx context.Context, p *ConfigSetParams) (*ConfigResult, error) {
	return call[ConfigResult](ctx, s.c, MethodConfigSet, p)
}

func (s serverStub) ApprovalRespond(ctx context.Context, p *ApprovalRespondParams) (*RespondResult, error) {
	return call[RespondResult](ctx, s.c, MethodApprovalRespond, p)
}

func (s serverStub) AskRespond(ctx context.Context, p *AskRespondParams) (*RespondResult, error) {
	return call[RespondResult](ctx, s.c, MethodAskRespond, p)
}
