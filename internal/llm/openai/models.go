package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"clined/internal/llm"
	"clined/internal/llm/sse"
)

const (
	// listTimeout is how long the list of models may take to come.
	listTimeout = 20 * time.Second
	// probeTimeout is how long a server on this machine may take.
	probeTimeout = time.Second
)

// ListModels returns the ids of the models that the server offers, sorted. An
// error is an *llm.Error except when ctx ended.
func (c *Client) ListModels(ctx context.Context) ([]string, error) {
	inner, idle := sse.WithIdle(ctx, min(c.idle, listTimeout))
	defer idle.Close()
	library := goopenai.NewClientWithConfig(c.config(&lister{c, idle}))
	list, err := library.ListModels(inner)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var known *llm.Error
	switch {
	case errors.As(err, &known):
		return nil, known
	case inner.Err() != nil:
		return nil, c.networkError(inner, err)
	case err != nil:
		return nil, &llm.Error{Class: llm.Refused, Message: "the server's list of models is malformed", Hint: c.checkBase(), Err: err}
	}
	ids := make([]string, 0, len(list.Models))
	for _, m := range list.Models {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// lister sends the library's requests as ours are sent, and classes failures
// before the library makes its own errors of them.
type lister struct {
	c    *Client
	idle *sse.Idle
}

func (l *lister) Do(r *http.Request) (*http.Response, error) {
	r.URL = l.c.endpoint("models")
	l.c.setHeaders(r)
	var resp *http.Response
	var err error
	l.idle.Wait(func() { resp, err = l.c.http.Do(r) })
	if err != nil {
		return nil, l.c.networkError(r.Context(), err)
	}
	body := l.idle.Reader(resp.Body)
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, l.c.httpError(r.Context(), resp, body, "")
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(body, sse.MaxLine), resp.Body}
	return resp, nil
}

// Probe asks whether a server answers at baseURL, such as a local Ollama at
// "http://127.0.0.1:11434/v1", and returns its models. It takes a second at most.
func Probe(ctx context.Context, baseURL string) ([]string, error) {
	c, err := New(Options{BaseURL: baseURL})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	ctx, cancel := context.WithTimeoutCause(ctx, probeTimeout, errNoAnswer)
	defer cancel()
	models, err := c.ListModels(ctx)
	if context.Cause(ctx) == errNoAnswer {
		return nil, &llm.Error{Class: llm.Network, Message: fmt.Sprintf("no answer from %s within %s", c.base.Host, probeTimeout)}
	}
	return models, err
}

var errNoAnswer = errors.New("no answer")
