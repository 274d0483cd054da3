package server

import (
	"context"
	"strings"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// SetupStatus tells whether a turn could start.
func (s *server) SetupStatus(ctx context.Context, _ *protocol.Empty) (*protocol.SetupStatus, error) {
	status := s.session.Setup().Status(ctx)
	return &status, nil
}

// SetupDiscover looks for model servers on this machine.
func (s *server) SetupDiscover(ctx context.Context, _ *protocol.Empty) (*protocol.SetupDiscoverResult, error) {
	list := s.session.Setup().Discover(ctx)
	if err := ctx.Err(); err != nil { // what was found by then is not all
		return nil, err
	}
	if list == nil {
		list = []protocol.FoundServer{}
	}
	return &protocol.SetupDiscoverResult{Servers: list}, nil
}

// SetupDemo has the demo's model answer from now on, or no more.
func (s *server) SetupDemo(ctx context.Context, p *protocol.SetupDemoParams) (*protocol.SetupStatus, error) {
	if err := s.session.Setup().Demo(ctx, p.Stop); err != nil {
		return nil, rpc.Errorf(rpc.CodeInternalError, "%v", err)
	}
	return s.SetupStatus(ctx, nil)
}

// ModelList asks an endpoint for its models.
func (s *server) ModelList(ctx context.Context, p *protocol.ModelListParams) (*protocol.ModelListResult, error) {
	p.Secret = strings.TrimSpace(p.Secret)
	if p.Secret != "" && p.Provider == "" && p.BaseURL == "" { // what settings name may be another host than the key's
		return nil, protocol.InvalidParams("provider", "is missing: a secret is sent to a place that is named with it")
	}
	result := s.session.Setup().Models(ctx, *p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if result.Models == nil {
		result.Models = []protocol.ModelInfo{}
	}
	return result, nil
}
