package server

import (
	"context"

	"clined/internal/protocol"
)

// DiffDidChange takes the user's edits to a proposal.
func (s *server) DiffDidChange(_ context.Context, p *protocol.DiffDidChangeParams) error {
	return protocol.InvalidParams("diffId", "%q names no open diff view", p.DiffID)
}

// DiffDidClose notes that the user closed a view, which decides nothing.
func (s *server) DiffDidClose(_ context.Context, p *protocol.DiffDidCloseParams) error {
	return protocol.InvalidParams("diffId", "%q names no open diff view", p.DiffID)
}
