package server

import (
	"context"
	"encoding/json"

	"clined/internal/agent"
	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// Backend makes what an editor's session runs on.
type Backend interface {
	// Open is called once, by initialize, and should not take long. ctx is the
	// session's life. An error refuses the editor; its text is for the user.
	Open(ctx context.Context, s SessionSpec) (Session, error)
}

// SessionSpec is what an editor told at its start.
type SessionSpec struct {
	// Roots are the workspace folders as absolute paths; there may be none.
	Roots []string
	// Editor changes open buffers; nil when the editor cannot.
	Editor workspace.Editor
	// Settings is the object `clined` of initializationOptions; nil for none.
	Settings json.RawMessage
	// ProcessID of the editor, 0 when it told none.
	ProcessID int
	// End ends the session as a lost connection does; why is for the log. It
	// returns at once and may be called more than once.
	End func(why string)
	// Client names the editor, such as "Neovim 0.12"; "" when it told nothing.
	Client string
}

// Session is what the daemon holds for one editor.
type Session interface {
	// Workspace is the overlay that the server keeps up to date. It is always
	// the same one.
	Workspace() *workspace.Workspace
	// Configure takes the object `clined` of changed settings. An error is for
	// the user. It must not take long.
	Configure(settings json.RawMessage) error
	// Options and SetOption are the defaults for new tasks.
	Options() []event.Option
	SetOption(id, value string) error
	// NewTask makes a task that waits for its first prompt. ctx is the task's
	// life, not that of the request. An error is for the user.
	NewTask(ctx context.Context, s TaskSpec) (Task, error)
	// Close ends what the session holds; its tasks were closed before.
	Close()
}

// TaskSpec is what a new task is made of.
type TaskSpec struct {
	ID string
	// Cwd and Roots are absolute; Roots is not empty.
	Cwd   string
	Roots []string
	// Mode is "" for the session's default.
	Mode tools.Mode
	// Sink, Approver and Asker lead to the editor.
	Sink     agent.Sink
	Approver approval.Approver
	Asker    tools.Asker
}

// Task is a task as the server drives it; the methods may be called from any
// goroutine and return at once, but for Close, which cancels and waits.
type Task interface {
	// Prompt fails with agent.ErrBusy or agent.ErrClosed.
	Prompt(p agent.Prompt) (agent.Accepted, error)
	// Cancel fails with agent.ErrTurnMismatch or agent.ErrClosed.
	Cancel(turnID string) error
	// Options returns all options, "mode" among them, in a stable order.
	Options() []event.Option
	// SetOption fails with a sentence for the user when the id is unknown or
	// the value is none of its choices.
	SetOption(id, value string) error
	Close()
}

var (
	_ protocol.Server   = (*server)(nil)
	_ workspace.Editor  = (*editor)(nil)
	_ agent.Sink        = (*stream)(nil)
	_ approval.Approver = (*task)(nil)
	_ tools.Asker       = (*task)(nil)
)
