// Package demo owns the embedded demonstration: a scripted model behind a real
// OpenAI-compatible HTTP endpoint on loopback, and the throw-away workspaces of
// its stories. The model is a small program that reads what the tools return
// and answers from that; it is no language model and says so.
//
// It imports nothing of ours: it stands where a provider would. cmd uses it.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// ModelID is what the endpoint calls its model.
const ModelID = "clined-demo"

// Model is the running endpoint.
type Model struct {
	// BaseURL such as "http://127.0.0.1:41234/v1".
	BaseURL string

	pace   time.Duration
	server *http.Server
	done   chan struct{}

	mu sync.Mutex // guards last
	// last request body, to tell how much of the next one is the same.
	last []byte
}

// Start serves the model on a free port of the loopback interface until Close.
// Each piece of text is held back for pace, so that a person can watch.
func Start(pace time.Duration) (*Model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &Model{BaseURL: "http://" + l.Addr().String() + "/v1", pace: pace, done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", m.models)
	mux.HandleFunc("POST /v1/chat/completions", m.complete)
	m.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(m.done)
		_ = m.server.Serve(l) // ends with Close
	}()
	return m, nil
}

// Close ends the endpoint and what it is serving.
func (m *Model) Close() {
	_ = m.server.Close()
	<-m.done
}

func (m *Model) models(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"object": "list", "data": []any{map[string]any{"id": ModelID, "object": "model", "owned_by": "clined"}},
	})
}

// maxBody bounds a request; a demo's are a few kilobytes.
const maxBody = 8 << 20

func (m *Model) complete(w http.ResponseWriter, r *http.Request) {
	body, talk, err := readTalk(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": err.Error(), "type": "invalid_request_error"}})
		return
	}
	s := &stream{w: w, ctx: r.Context(), pace: m.pace}
	s.send(think(talk), m.usage(body))
}

// usage counts tokens as a quarter of the bytes; cached is what the request
// shares with the one before, as provider caches count it.
func (m *Model) usage(body []byte) usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	same := 0
	for same < len(body) && same < len(m.last) && body[same] == m.last[same] {
		same++
	}
	m.last = body
	return usage{prompt: len(body) / 4, cached: same / 4}
}

type usage struct{ prompt, cached int }

// stream writes a reply as server-sent events.
type stream struct {
	w    http.ResponseWriter
	ctx  context.Context
	pace time.Duration
}

func (s *stream) send(r reply, u usage) {
	s.w.Header().Set("Content-Type", "text/event-stream")
	words := 0
	for _, piece := range pieces(r.text) {
		words++
		if !s.delta(map[string]any{"content": piece}, "") {
			return
		}
	}
	reason := "stop"
	if r.tool != "" {
		reason = "tool_calls"
		args, err := encode(r.args)
		if err != nil {
			return
		}
		function := map[string]any{"name": r.tool, "arguments": ""}
		if !s.delta(call(map[string]any{"index": 0, "id": r.id, "type": "function", "function": function}), "") {
			return
		}
		for _, piece := range pieces(string(args)) {
			words++
			if !s.delta(call(map[string]any{"index": 0, "function": map[string]any{"arguments": piece}}), "") {
				return
			}
		}
	}
	if !s.delta(map[string]any{}, reason) {
		return
	}
	s.event(map[string]any{"object": "chat.completion.chunk", "model": ModelID, "choices": []any{}, "usage": map[string]any{
		"prompt_tokens": u.prompt, "completion_tokens": words, "total_tokens": u.prompt + words,
		"prompt_tokens_details": map[string]any{"cached_tokens": u.cached},
	}})
	_, _ = s.w.Write([]byte("data: [DONE]\n\n"))
}

func call(c map[string]any) map[string]any { return map[string]any{"tool_calls": []any{c}} }

// delta sends one choice; it reports false when nobody listens any more.
func (s *stream) delta(delta map[string]any, reason string) bool {
	choice := map[string]any{"index": 0, "delta": delta, "finish_reason": nil}
	if reason != "" {
		choice["finish_reason"] = reason
	}
	if s.pace > 0 {
		select {
		case <-time.After(s.pace):
		case <-s.ctx.Done():
			return false
		}
	}
	return s.event(map[string]any{"object": "chat.completion.chunk", "model": ModelID, "choices": []any{choice}})
}

func (s *stream) event(v any) bool {
	data, err := encode(v)
	if err != nil {
		return false
	}
	if _, err := s.w.Write(append(append([]byte("data: "), data...), '\n', '\n')); err != nil {
		return false
	}
	return !errors.Is(http.NewResponseController(s.w).Flush(), http.ErrNotSupported) && s.ctx.Err() == nil
}
