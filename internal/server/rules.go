package server

import (
	"context"
	"errors"

	"clined/internal/protocol"
)

// RuleList tells which permissions are stored.
func (s *server) RuleList(ctx context.Context, p *protocol.RuleListParams) (*protocol.RuleListResult, error) {
	defer letOthers(ctx)()
	list, err := s.session.Rules().List(ctx, p.All)
	if err != nil {
		return nil, storeError("", err)
	}
	if list == nil {
		list = []protocol.RuleInfo{}
	}
	return &protocol.RuleListResult{Rules: list}, nil
}

// RuleRemove takes a permission away; what it would allow asks from then on.
func (s *server) RuleRemove(ctx context.Context, p *protocol.RuleRemoveParams) (*protocol.Empty, error) {
	defer letOthers(ctx)()
	switch err := s.session.Rules().Remove(ctx, p.ID); {
	case errors.Is(err, ErrNoRule):
		return nil, protocol.InvalidParams("id", "%d is that of no rule", p.ID)
	case err != nil:
		return nil, storeError("", err)
	}
	return &protocol.Empty{}, nil
}
