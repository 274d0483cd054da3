package server

import (
	"context"

	"clined/internal/protocol"
)

// ExecuteCommand runs one of the commands announced in initialize.
func (s *server) ExecuteCommand(_ context.Context, p *protocol.ExecuteCommandParams) (*protocol.Raw, error) {
	return nil, protocol.InvalidParams("command", "%q is none of clined's commands", p.Command)
}
