package server

import (
	"context"
	"strings"

	"clined/internal/protocol"
)

// AccountLogin takes a key. It is never sent back.
func (s *server) AccountLogin(ctx context.Context, p *protocol.AccountLoginParams) (*protocol.AccountStatusResult, error) {
	secret := strings.TrimSpace(p.Secret)
	switch {
	case p.Provider == "":
		return nil, protocol.InvalidParams("provider", "is missing")
	case secret == "":
		return nil, protocol.InvalidParams("secret", "is missing")
	}
	if err := s.session.Accounts().Login(ctx, p.Account, secret, p.Persist == nil || *p.Persist); err != nil {
		return nil, storeError("", err)
	}
	return s.AccountStatus(ctx, nil)
}

// AccountLogout forgets a key.
func (s *server) AccountLogout(ctx context.Context, p *protocol.AccountLogoutParams) (*protocol.AccountStatusResult, error) {
	if p.Provider == "" {
		return nil, protocol.InvalidParams("provider", "is missing")
	}
	if err := s.session.Accounts().Logout(ctx, p.Account, p.Persist == nil || *p.Persist); err != nil {
		return nil, storeError("", err)
	}
	return s.AccountStatus(ctx, nil)
}

// AccountStatus tells which keys are known.
func (s *server) AccountStatus(ctx context.Context, _ *protocol.Empty) (*protocol.AccountStatusResult, error) {
	list, err := s.session.Accounts().Status(ctx)
	if err != nil {
		return nil, storeError("", err)
	}
	if list == nil {
		list = []protocol.AccountStatus{}
	}
	return &protocol.AccountStatusResult{Accounts: list}, nil
}
