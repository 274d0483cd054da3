package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"clined/internal/llm"
	"clined/internal/llm/sse"
)

const (
	// maxErrorBody is how much of a failure's body is read, in bytes.
	maxErrorBody = 256 << 10
	// afterFinish is how long the usage and [DONE] may take once the reply is complete.
	afterFinish = 10 * time.Second
	// maxAnswer bounds an answer that does not end, in bytes, and maxCalls its
	// calls: both far above what any model says.
	maxAnswer = 2 * sse.MaxLine
	maxCalls  = 1000
)

// stream is one exchange.
type stream struct {
	c     *Client
	req   llm.Request
	yield func(llm.Event, error) bool
	// left is true when the consumer left the loop.
	left bool
	// size of the texts that came, in bytes.
	size int
	idle *sse.Idle
}

var errLeft = errors.New("the consumer left")

// emit passes an event on.
func (s *stream) emit(e llm.Event) {
	if !s.left && !s.yield(e, nil) {
		s.left = true
	}
}

// run sends the request, again when the server asked for a change of it.
func (s *stream) run(ctx context.Context) error {
	for {
		err := s.once(ctx)
		var e *llm.Error
		if !errors.As(err, &e) || !s.c.learn(s.req.Model.ID, e) {
			return err
		}
	}
}

func (s *stream) once(parent context.Context) error {
	ctx, idle := sse.WithIdle(parent, s.c.idle)
	defer idle.Close()
	s.idle = idle
	resp, err := s.send(ctx)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body := idle.Reader(resp.Body)
	if resp.StatusCode != http.StatusOK {
		return s.c.httpError(ctx, resp, body, s.req.Model.ID)
	}
	return s.answer(ctx, resp, bufio.NewReader(body))
}

func (s *stream) send(ctx context.Context) (*http.Response, error) {
	raw, err := s.c.Encode(s.req)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.c.endpoint("chat/completions").String(), bytes.NewReader(raw))
	if err != nil {
		return nil, s.c.networkError(ctx, err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	s.c.setHeaders(r)
	var resp *http.Response
	s.idle.Wait(func() { resp, err = s.c.http.Do(r) })
	if err != nil {
		return nil, s.c.networkError(ctx, err)
	}
	return resp, nil
}

func (c *Client) setHeaders(r *http.Request) {
	r.Header.Set("User-Agent", "clined")
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	for k, v := range c.headers {
		r.Header.Set(k, v)
	}
}

// answer reads a body of status 200. What it is shows in its first character:
// some servers answer a request for a stream with one JSON object, and content
// types are wrong often enough.
func (s *stream) answer(ctx context.Context, resp *http.Response, body *bufio.Reader) error {
	first, err := firstByte(body)
	switch {
	case err == io.EOF:
		return &llm.Error{Class: llm.Network, Message: "the model sent an empty answer"}
	case err != nil:
		return s.c.networkError(ctx, err)
	case first == '<':
		return s.c.webPage(resp)
	}
	r := newReply(s)
	if first == '{' || first == '[' {
		err = s.whole(ctx, r, body)
	} else {
		err = s.events(ctx, r, body)
	}
	if err == nil {
		err = r.end()
	}
	if err != nil && !s.left {
		r.reportUsage()
	}
	return err
}

// firstByte skips white space, which means nothing in JSON and in a stream of events.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.Peek(1)
		if err != nil {
			return 0, err
		}
		if b[0] > ' ' {
			return b[0], nil
		}
		if _, err := r.Discard(1); err != nil {
			return 0, err
		}
	}
}

func (s *stream) whole(ctx context.Context, r *reply, body io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(body, sse.MaxLine+1))
	if err != nil {
		return s.c.networkError(ctx, err)
	}
	if len(raw) > sse.MaxLine {
		return &llm.Error{Class: llm.Network, Message: fmt.Sprintf("the answer is longer than %d MiB", sse.MaxLine>>20)}
	}
	if err := r.data(ctx, raw); err != nil {
		return err
	}
	r.done = true
	return nil
}

// events reads until the reply is complete, which [DONE] or a finish_reason
// says. A stream that ends before either was cut.
func (s *stream) events(ctx context.Context, r *reply, body *bufio.Reader) error {
	peeked, _ := body.Peek(min(body.Buffered(), maxMessage))
	head := bytes.Clone(peeked) // it holds only until the next read
	reader := sse.NewReader(body)
	for nothing := true; !r.done; nothing = false {
		e, err := reader.Next()
		switch {
		case err == nil:
			err = s.event(ctx, r, e)
			if err != nil {
				return err
			}
		case parentDone(ctx):
			return ctx.Err()
		case r.finish != "":
			// Complete; only the usage is missing.
			return nil
		case err == io.EOF && nothing && head[0] != ':': // a comment is all that some send in time
			return &llm.Error{Class: llm.Network, Message: fmt.Sprintf("the server's answer is malformed: %q", shorten(s.c.mask.text(string(head)), 120)), Hint: s.c.checkBase()}
		case err == io.EOF:
			return brokeOff(io.ErrUnexpectedEOF)
		default:
			return s.c.networkError(ctx, err)
		}
	}
	return nil
}

func brokeOff(err error) error {
	return &llm.Error{Class: llm.Network, Message: "the model's answer broke off: the server closed the connection", Err: err}
}

// parentDone tells a cancelled caller from a silent server.
func parentDone(ctx context.Context) bool {
	var idle *sse.IdleError
	return ctx.Err() != nil && !errors.As(context.Cause(ctx), &idle)
}

func (s *stream) event(ctx context.Context, r *reply, e sse.Event) error {
	if e.Comment || e.Name == "ping" {
		s.emit(llm.Event{Kind: llm.Heartbeat})
	} else if err := r.data(ctx, e.Data); err != nil {
		return err
	}
	if s.size > maxAnswer {
		return errEndless
	}
	if r.finish != "" {
		s.idle.SetLimit(min(s.c.idle, afterFinish))
	}
	if s.left {
		return errLeft
	}
	return nil
}
