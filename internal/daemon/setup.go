package daemon

import (
	"context"
	"errors"

	"clined/internal/config"
	"clined/internal/demo"
	"clined/internal/llm"
	"clined/internal/llm/openai"
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
	settings := *f.s.current()
	f.s.mu.Lock()
	mode := string(f.s.fresh.over(&settings))
	f.s.mu.Unlock()
	status := protocol.SetupStatus{Model: settings.ModelOf(mode), Demo: isDemo(&settings)}
	if status.Demo {
		status.Examples = demo.GuestExamples()
	}
	provider, baseURL := settings.Target(mode)
	status.Provider, status.BaseURL = provider, config.ShownURL(baseURL)
	_, err := settings.Endpoint(mode, f.s.d.lookup(ctx))
	var p *config.Problem
	switch {
	case err == nil:
		status.Configured = true
	case errors.As(err, &p):
		status.Problem, status.Hint = p.Message, p.Hint
	default:
		status.Problem = err.Error()
	}
	return status
}

// Discover implements server.Setup.
func (f setup) Discover(ctx context.Context) []protocol.FoundServer {
	places := openai.Places(f.s.configured().Discover, f.s.d.getenv("OLLAMA_HOST"))
	var list []protocol.FoundServer
	for _, found := range openai.Discover(ctx, places) {
		s := protocol.FoundServer{Name: found.Name, Provider: "openai", BaseURL: found.BaseURL, Models: found.Models}
		if found.Ollama {
			s.Provider = "ollama"
		}
		list = append(list, s)
	}
	return list
}

// Models implements server.Setup.
func (f setup) Models(ctx context.Context, p protocol.ModelListParams) *protocol.ModelListResult {
	settings := f.s.current()
	e, err := settings.EndpointAt(p.Provider, p.BaseURL, p.Secret, f.s.d.lookup(ctx))
	var found []openai.ModelInfo
	if err == nil {
		found, err = openai.Ask(ctx, openai.Options{
			BaseURL: e.BaseURL, APIKey: e.APIKey.Reveal(), Proxy: settings.Proxy, CAFile: settings.CAFile, Log: f.s.d.log,
		})
	}
	if err != nil {
		failed := llm.AsError(settingsError(err))
		return &protocol.ModelListResult{Problem: failed.Error(), Hint: failed.Hint}
	}
	r := &protocol.ModelListResult{Models: make([]protocol.ModelInfo, len(found))}
	for i, m := range found {
		r.Models[i] = protocol.ModelInfo{ID: m.ID, Name: m.Name, ContextWindow: m.ContextWindow}
	}
	return r
}
