package daemon

import (
	"context"
	"errors"
	"slices"

	"clined/internal/config"
	"clined/internal/protocol"
	"clined/internal/server"
	"clined/internal/tools"
)

// accounts are the keys for models as a session sees them. It implements
// server.Accounts.
type accounts struct{ s *session }

// Login implements server.Accounts.
func (a accounts) Login(ctx context.Context, acc protocol.Account, secret string, persist bool) error {
	_, err := a.s.d.secrets.Set(ctx, config.Account(acc.Provider, acc.BaseURL), secret, persist)
	return err
}

// Logout implements server.Accounts.
func (a accounts) Logout(ctx context.Context, acc protocol.Account, persist bool) error {
	name := config.Account(acc.Provider, acc.BaseURL)
	if !persist {
		a.s.d.secrets.Drop(name)
		return nil
	}
	_, err := a.s.d.secrets.Delete(ctx, name)
	return err
}

// Status implements server.Accounts: the accounts that the settings use now.
func (a accounts) Status(ctx context.Context) ([]protocol.AccountStatus, error) {
	var list []protocol.AccountStatus
	settings := a.s.configured()
	for _, mode := range []tools.Mode{tools.Act, tools.Plan} {
		provider, baseURL := settings.Target(string(mode))
		st := protocol.AccountStatus{Account: protocol.Account{Provider: provider, BaseURL: config.ShownURL(baseURL)}}
		e, err := settings.Endpoint(string(mode), a.s.d.lookup(ctx))
		var p *config.Problem
		switch {
		case err == nil:
			st.Where = e.KeyFrom
		case errors.As(err, &p) && p.Key == "apiKey":
			st.Needed, st.Hint = true, p.Hint
		default:
			continue // no model is set: nobody is asked
		}
		if !slices.ContainsFunc(list, func(o protocol.AccountStatus) bool { return o.Account == st.Account }) {
			list = append(list, st)
		}
	}
	return list, nil
}

var _ server.Accounts = accounts{}

// lookup is where the keys of models are.
func (d *Daemon) lookup(ctx context.Context) config.Lookup {
	return config.Lookup{Getenv: d.getenv, Stored: d.secrets.Find(ctx)}
}
