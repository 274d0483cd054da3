package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"clined/internal/agent"
	"clined/internal/config"
	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/tools"
)

// models chooses the model of a task by mode and keeps a client per endpoint.
// It implements agent.Models.
type models struct {
	settings func() *config.Settings
	lookup   func(context.Context) config.Lookup
	log      *slog.Logger

	mu sync.Mutex // guards the rest
	// chosen is the model that the user picked for this task, "" for that of
	// the settings.
	chosen  string
	clients map[clientKey]*openai.Client
}

// clientKey is all that makes one client differ from another. It holds a
// secret: never print it.
type clientKey struct {
	baseURL, apiKey, proxy, caFile string
	timeout                        int
}

var _ agent.Models = (*models)(nil)

// Select implements agent.Models.
func (m *models) Select(mode tools.Mode) (agent.Model, llm.Model, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, model, err := m.chooseLocked(mode)
	if err != nil {
		return nil, llm.Model{}, err
	}
	client, err := m.clientLocked(e)
	return client, model, err
}

// Model returns the model of a mode without making a client.
func (m *models) Model(mode tools.Mode) (llm.Model, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, model, err := m.chooseLocked(mode)
	return model, err
}

// Choose makes id the model of this task in both modes.
func (m *models) Choose(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.chosen = id
}

// Chosen is the model of this task, "" for that of the settings.
func (m *models) Chosen() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.chosen
}

// Warnings are what the user should know of the keys that go with the models.
func (m *models) Warnings() []config.Problem {
	var list []config.Problem
	for _, mode := range []tools.Mode{tools.Act, tools.Plan} {
		e, err := m.settings().Endpoint(string(mode), m.lookup(context.Background()))
		if err == nil && e.Warning != nil && !slices.Contains(list, *e.Warning) {
			list = append(list, *e.Warning)
		}
	}
	return list
}

func (m *models) chooseLocked(mode tools.Mode) (config.Endpoint, llm.Model, error) {
	s := *m.settings()
	if m.chosen != "" && !isDemo(&s) {
		mode = pick(&s, m.chosen, mode)
	}
	e, err := s.Endpoint(string(mode), m.lookup(context.Background()))
	if err != nil {
		return config.Endpoint{}, llm.Model{}, settingsError(err)
	}
	model := llm.ModelFor(e.Model)
	model.Provider = e.Provider
	if s.ToolCalling == "none" {
		model.Family = llm.TextOnly
	}
	model.Reasoning = e.Reasoning
	if p := e.Price; p != nil {
		model.Prices = llm.Prices{Input: p.Input, Output: p.Output, CacheRead: p.CacheRead, CacheWrite: p.CacheWrite}
	}
	if e.ContextWindow > 0 {
		model.ContextWindow = e.ContextWindow
	}
	return *e, model, nil
}

// pick changes s so that the model id answers in the mode it returns. An id that
// the settings give one mode comes with that mode's provider, address and key;
// any other goes where the settings send what no mode overrides.
func pick(s *config.Settings, id string, mode tools.Mode) tools.Mode {
	switch id {
	case s.Model.Model:
	case s.Plan.Model:
		return tools.Plan
	case s.Act.Model:
		return tools.Act
	default:
		s.Model.Model, s.Model.ContextWindow = id, 0 // the size was another model's
	}
	s.Plan, s.Act = config.Model{}, config.Model{}
	return mode
}

func (m *models) clientLocked(e config.Endpoint) (*openai.Client, error) {
	settings := m.settings()
	key := clientKey{e.BaseURL, e.APIKey.Reveal(), settings.Proxy, settings.CAFile, settings.RequestTimeout}
	if c, ok := m.clients[key]; ok {
		return c, nil
	}
	c, err := openai.New(openai.Options{
		BaseURL: key.baseURL, APIKey: key.apiKey, Proxy: key.proxy, CAFile: key.caFile,
		IdleTimeout: time.Duration(key.timeout) * time.Second, Log: m.log,
	})
	if err != nil {
		return nil, err
	}
	if m.clients == nil {
		m.clients = map[clientKey]*openai.Client{}
	}
	m.clients[key] = c
	return c, nil
}

// Close closes idle connections.
func (m *models) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.clients {
		c.Close()
	}
}

// settingsError makes a failure for the user of a problem with the settings.
func settingsError(err error) error {
	var p *config.Problem
	if !errors.As(err, &p) {
		return err
	}
	return &llm.Error{Class: llm.Refused, Message: p.Message, Hint: p.Hint, Err: fmt.Errorf("settings: %w", err)}
}
