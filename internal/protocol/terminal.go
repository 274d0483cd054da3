package protocol

import (
	"context"

	"clined/internal/event"
)

// TerminalParams name a command that runs: its id is that of its tool call. A
// command is known by it from the moment its call is in_progress until no
// process of it is left; then the answer is the error terminal not found.
type TerminalParams struct {
	TaskID     string `json:"taskId"`
	TerminalID string `json:"terminalId"`
}

// TerminalInputParams type into a command that has a terminal of its own; one
// without reads nothing.
type TerminalInputParams struct {
	TerminalParams
	// Text as typed: "\r" is the return key, "\u0003" Ctrl-C.
	Text string `json:"text"`
}

// TerminalResizeParams tell how large a command's terminal is shown.
type TerminalResizeParams struct {
	TerminalParams
	Cols int `json:"cols"`
	Rows int `json:"rows"`
}

// TerminalListParams ask for the commands of a task that run now.
type TerminalListParams struct {
	TaskID string `json:"taskId"`
}

// TerminalListResult lists them, the oldest first.
type TerminalListResult struct {
	Terminals []event.Terminal `json:"terminals"`
}

// terminals is the part of Server about commands that run.
type terminals interface {
	TerminalList(ctx context.Context, p *TerminalListParams) (*TerminalListResult, error)
	TerminalInput(ctx context.Context, p *TerminalInputParams) (*Empty, error)
	TerminalResize(ctx context.Context, p *TerminalResizeParams) (*Empty, error)
	// TerminalKill ends the command with all its processes, and answers when none
	// is left.
	TerminalKill(ctx context.Context, p *TerminalParams) (*Empty, error)
	// TerminalDetach lets the command go on in the background: its call ends with
	// the output so far ("proceed while running").
	TerminalDetach(ctx context.Context, p *TerminalParams) (*Empty, error)
}
