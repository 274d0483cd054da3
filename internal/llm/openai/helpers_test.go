package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/transcript"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client returns a client of a base URL that leaves nothing behind.
func client(t *testing.T, o openai.Options) *openai.Client {
	t.Helper()
	o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	c, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// hello is a request of one message, with two tools.
func hello() llm.Request {
	zero := 0.0
	return llm.Request{
		Model:    llm.Model{ID: "fake-model", Temperature: &zero},
		System:   "You help.",
		Messages: []transcript.Message{user("hello")},
		Tools: []llm.ToolDef{
			{Name: "read_file", Description: "Reads.", Schema: []byte(`{"type":"object","properties":{"path":{"type":"string"}}}`)},
			{Name: "get_time", Description: "Tells.", Schema: []byte(`{"type":"object","properties":{}}`)},
		},
	}
}

func user(text string) transcript.Message {
	return transcript.Message{Role: transcript.User, Parts: []transcript.Part{transcript.TextPart(text)}}
}

// outcome is what a stream came to.
type outcome struct {
	events []llm.Event
	fold   llm.Fold
	err    error
}

func run(ctx context.Context, c *openai.Client, req llm.Request) *outcome {
	o := &outcome{}
	for e, err := range c.Stream(ctx, req) {
		if err != nil {
			o.err = err
			continue
		}
		o.events = append(o.events, e)
		o.fold.Add(e)
	}
	return o
}

// String shows the parts of a reply, as tests compare them.
func (o *outcome) String() string {
	var b strings.Builder
	for _, p := range o.fold.Parts() {
		switch p.Kind {
		case transcript.CallPart:
			fmt.Fprintf(&b, "call %s %s\n", p.Call.Name, p.Call.Arguments)
		default:
			fmt.Fprintf(&b, "%s %s\n", p.Kind, p.Text)
		}
	}
	if o.fold.Reason != "" {
		fmt.Fprintf(&b, "%s\n", o.fold.Reason)
	}
	if o.err != nil {
		fmt.Fprintf(&b, "%s: %v\n", class(o.err), o.err)
	}
	return b.String()
}

func class(err error) llm.Class {
	var e *llm.Error
	if errors.As(err, &e) {
		return e.Class
	}
	return "none"
}

// failed returns the error of an outcome.
func (o *outcome) failed(t *testing.T, want llm.Class) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(o.err, &e) {
		t.Fatalf("error %v, want one of class %s; the reply was\n%s", o.err, want, o)
	}
	if e.Class != want {
		t.Errorf("class %s, want %s: %v", e.Class, want, e)
	}
	return e
}

// serve answers every request with the same bytes.
func serve(t *testing.T, status int, header http.Header, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for k, v := range header {
			w.Header()[k] = v
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// events answers with a stream of these chunks.
func events(t *testing.T, chunks ...string) string {
	t.Helper()
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "data: %s\n\n", c)
	}
	return serve(t, 200, http.Header{"Content-Type": {"text/event-stream"}}, b.String())
}

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
