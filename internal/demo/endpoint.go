// Package demo owns the embedded demonstration: a scripted model behind a real
// OpenAI-compatible HTTP endpoint on loopback, and the throw-away workspaces of
// its stories. The model is a small program that reads what the tools return
// and answers from that; it is no language model and says so.
//
// It imports nothing of ours: it stands where a provider would, and knows
// clined's texts as a model does, by reading them. daemon and cmd use it.
package demo

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"time"
)

// ModelID is what the endpoint calls its model.
const ModelID = "clined-demo"

// Pace is how long the model takes for a word, so that a person can watch.
const Pace = 18 * time.Millisecond

// ServerArgs are what clined is started with to be the MCP server of the weather.
func ServerArgs() []string { return []string{"weather", "--recorded"} }

// ServerName is the name of that server beside a person's own.
const ServerName = "weather-demo"

// Options of the endpoint.
type Options struct {
	// Pace holds back each piece of text; see the constant. 0 holds nothing back.
	Pace time.Duration
	// Guest: the workspace is not one of the stories' but a person's own, of which
	// nothing that exists is changed.
	Guest bool
}

// Model is the running endpoint.
type Model struct {
	// BaseURL such as "http://127.0.0.1:41234/v1".
	BaseURL string

	o      Options
	server *http.Server
	cancel context.CancelFunc // of everything that is being served
	done   chan struct{}

	mu sync.Mutex // guards the rest
	// last request body, to tell how much of the next one is the same.
	last []byte
}

// Start serves the model on a free port of the loopback interface until Close.
func Start(o Options) (*Model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := &Model{BaseURL: "http://" + l.Addr().String() + "/v1", o: o, cancel: cancel, done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", m.models)
	mux.HandleFunc("POST /v1/chat/completions", m.complete)
	m.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	go func() {
		defer close(m.done)
		_ = m.server.Serve(l) // ends with Close
	}()
	return m, nil
}

// grace is how long Close waits for a client that does not finish its request.
const grace = time.Second

// Close ends the endpoint and what it is serving, and waits for its end.
func (m *Model) Close() {
	m.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	_ = m.server.Shutdown(ctx)
	_ = m.server.Close()
	<-m.done
}

func (m *Model) models(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{
		"object": "list", "data": []any{map[string]any{"id": ModelID, "object": "model", "owned_by": "clined"}},
	})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // nobody could be told
}

// maxBody bounds a request; a demo's are a few kilobytes.
const maxBody = 8 << 20

func (m *Model) complete(w http.ResponseWriter, r *http.Request) {
	body, req, err := readRequest(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		answer(w, http.StatusBadRequest, map[string]any{"error": map[string]any{"message": err.Error(), "type": "invalid_request_error"}})
		return
	}
	s := &stream{w: w, ctx: r.Context(), pace: m.o.Pace, created: time.Now().Unix()}
	if req.StreamOptions.IncludeUsage {
		s.usage = m.usage(body)
	}
	s.send(think(req.talk(m.o.Guest)))
}

// usage counts tokens as a quarter of the bytes; cached is what the request
// shares with the one before, as provider caches count it.
func (m *Model) usage(body []byte) *usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	same := 0
	for same < len(body) && same < len(m.last) && body[same] == m.last[same] {
		same++
	}
	m.last = body
	return &usage{prompt: len(body) / 4, cached: same / 4}
}

type usage struct{ prompt, cached int }
