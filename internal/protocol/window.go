package protocol

import (
	"context"
	"encoding/json"

	"clined/internal/rpc"
)

// LSP 3.17, window and workspace/executeCommand. The library's own types lack
// a null result, or write a progress token as {}.
type (
	ExecuteCommandParams struct {
		Command string `json:"command"`
		// Arguments are a list in LSP; what people type may be less than that.
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}
	ExecuteCommandOptions struct {
		Commands []string `json:"commands"`
	}
	ShowMessageRequestParams struct {
		Type    int             `json:"type"`
		Message string          `json:"message"`
		Actions []MessageAction `json:"actions"`
	}
	// MessageAction is one of the answers, told apart by its title.
	MessageAction struct {
		Title string `json:"title"`
	}
	ShowDocumentParams struct {
		URI       string `json:"uri"`
		External  bool   `json:"external,omitempty"`
		TakeFocus bool   `json:"takeFocus,omitempty"`
		Selection *Range `json:"selection,omitempty"`
	}
	ShowDocumentResult struct {
		Success bool `json:"success"`
	}
	ProgressCreateParams struct {
		Token string `json:"token"`
	}
	ProgressParams struct {
		Token string        `json:"token"`
		Value ProgressValue `json:"value"`
	}
	// ProgressValue is a WorkDoneProgressBegin, Report or End by Kind.
	ProgressValue struct {
		Kind    string `json:"kind"`
		Title   string `json:"title,omitempty"`
		Message string `json:"message,omitempty"`
		// Cancellable is told at the beginning.
		Cancellable bool `json:"cancellable,omitempty"`
	}
	ProgressCancelParams struct {
		Token string `json:"token"`
	}
)

// NoWindows is the part of Client that a front without windows of its own
// does not answer; it announces none of it either.
type NoWindows struct{}

func (NoWindows) DiffOpen(context.Context, *DiffOpenParams) (*DiffOpenResult, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) DiffUpdate(context.Context, *DiffUpdateParams) error { return nil }
func (NoWindows) DiffFinalize(context.Context, *DiffFinalizeParams) (*DiffFinalizeResult, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) DiffSave(context.Context, *DiffSaveParams) (*DiffSaveResult, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) DiffClose(context.Context, *DiffCloseParams) (*Empty, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) DiffReveal(context.Context, *DiffRevealParams) (*Empty, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) DiagnosticsPull(context.Context, *DiagnosticsPullParams) (*DiagnosticsPullResult, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) ShowMessageRequest(context.Context, *ShowMessageRequestParams) (*MessageAction, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) ShowDocument(context.Context, *ShowDocumentParams) (*ShowDocumentResult, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) WorkDoneProgressCreate(context.Context, *ProgressCreateParams) (*Null, error) {
	return nil, rpc.ErrMethodNotFound
}
func (NoWindows) Progress(context.Context, *ProgressParams) error { return nil }
