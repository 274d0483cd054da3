package server

import (
	"context"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// maxSide bounds the columns and rows of a terminal.
const maxSide = 10_000

// TerminalList tells which commands of a task run now.
func (s *server) TerminalList(_ context.Context, p *protocol.TerminalListParams) (*protocol.TerminalListResult, error) {
	t, err := s.find(p.TaskID)
	if err != nil {
		return nil, err
	}
	list := t.Terminals().List()
	if list == nil {
		list = []event.Terminal{}
	}
	return &protocol.TerminalListResult{Terminals: list}, nil
}

// TerminalInput types into a command.
func (s *server) TerminalInput(ctx context.Context, p *protocol.TerminalInputParams) (*protocol.Empty, error) {
	return s.terminal(ctx, p.TerminalParams, func(t Terminals) error { return t.Input(p.TerminalID, p.Text) })
}

// TerminalResize tells a command how large its terminal is.
func (s *server) TerminalResize(ctx context.Context, p *protocol.TerminalResizeParams) (*protocol.Empty, error) {
	for _, side := range []struct {
		field string
		n     int
	}{{"cols", p.Cols}, {"rows", p.Rows}} {
		if side.n < 1 || side.n > maxSide {
			return nil, protocol.InvalidParams(side.field, "must be from 1 to %d, not %d", maxSide, side.n)
		}
	}
	return s.terminal(ctx, p.TerminalParams, func(t Terminals) error { return t.Resize(p.TerminalID, p.Cols, p.Rows) })
}

// TerminalKill ends a command.
func (s *server) TerminalKill(ctx context.Context, p *protocol.TerminalParams) (*protocol.Empty, error) {
	return s.terminal(ctx, *p, func(t Terminals) error { return t.Kill(ctx, p.TerminalID) })
}

// TerminalDetach lets a command go on in the background.
func (s *server) TerminalDetach(ctx context.Context, p *protocol.TerminalParams) (*protocol.Empty, error) {
	return s.terminal(ctx, *p, func(t Terminals) error { return t.Detach(p.TerminalID) })
}

// terminal does something to a command, which may take seconds: one that does
// not read, or whose processes do not want to end.
func (s *server) terminal(ctx context.Context, p protocol.TerminalParams, do func(Terminals) error) (*protocol.Empty, error) {
	defer letOthers(ctx)()
	t, err := s.find(p.TaskID)
	if err != nil {
		return nil, err
	}
	if p.TerminalID == "" {
		return nil, protocol.InvalidParams("terminalId", "is missing")
	}
	if err := do(t.Terminals()); err != nil {
		return nil, rpc.Errorf(protocol.CodeTerminalNotFound, "%v", err)
	}
	return &protocol.Empty{}, nil
}
