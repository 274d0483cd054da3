package daemon

import (
	"context"
	"errors"

	"clined/internal/config"
	"clined/internal/protocol"
	"clined/internal/server"
)

// setup finds a model for a session. It implements server.Setup.
type setup struct{ s *session }

var _ server.Setup = setup{}

// Setup implements server.Session.
func (s *session) Setup() server.Setup { return setup{s} }

// Status implements server.Setup.
func (f setup) Status(ctx context.Context) protocol.SetupStatus {
	f.s.mu.Lock()
	mode := string(f.s.mode)
	f.s.mu.Unlock()
	settings := f.s.current()
	provider, baseURL := settings.Target(mode)
	status := protocol.SetupStatus{Provider: provider, BaseURL: config.ShownURL(baseURL)}
	e, err := settings.Endpoint(mode, f.s.d.lookup(ctx))
	var p *config.Problem
	switch {
	case errors.As(err, &p):
		status.Problem, status.Hint = p.Message, p.Hint
	case err != nil:
		status.Problem = err.Error()
	default:
		status.Configured, status.Model = true, e.Model
	}
	return status
}

// Discover implements server.Setup.
func (f setup) Discover(context.Context) []protocol.FoundServer { return nil }

// Models implements server.Setup.
func (f setup) Models(context.Context, protocol.ModelListParams) (*protocol.ModelListResult, error) {
	return nil, errors.New("is not there yet")
}

// Demo implements server.Setup.
func (f setup) Demo(context.Context) error { return errors.New("the demo is not there yet") }
