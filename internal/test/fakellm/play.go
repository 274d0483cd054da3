package fakellm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// player sends one reply.
type player struct {
	s     *Server
	w     http.ResponseWriter
	ctx   context.Context
	reply *Reply
	req   *Request

	sent  int
	calls int
}

var (
	errCut   = errors.New("cut")
	errClean = errors.New("cut clean")
)

func (p *player) play() {
	var err error
	switch {
	case p.reply.Status != 0:
		err = p.status()
	case p.reply.Whole:
		err = p.whole()
	default:
		err = p.stream()
	}
	if errors.Is(err, errCut) {
		// Closes the connection without an end of the body.
		panic(http.ErrAbortHandler)
	}
	if err == nil && p.reply.Cut != nil {
		p.s.t.Errorf("fakellm: cut after=%d (reply at line %d) is beyond its %d bytes", p.reply.Cut.After, p.reply.Line, p.sent)
	}
	// Other errors: the client went, which tests see from its side.
}

func (p *player) status() error {
	for k, v := range p.reply.Header {
		p.w.Header()[k] = v
	}
	if p.w.Header().Get("Content-Type") == "" {
		p.w.Header().Set("Content-Type", "application/json")
	}
	body := p.reply.Body
	if body == "" {
		body = fmt.Sprintf(`{"error":{"message":"scripted failure %d"}}`, p.reply.Status)
	}
	if err := p.holds(); err != nil {
		return err
	}
	p.w.WriteHeader(p.reply.Status)
	return p.write(body)
}

// holds plays the waits only, for replies that are no stream.
func (p *player) holds() error {
	for _, s := range p.reply.Steps {
		if s.Verb == "hold" || s.Verb == "pause" {
			if err := p.step(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *player) stream() error {
	p.w.Header().Set("Content-Type", "text/event-stream")
	p.w.WriteHeader(http.StatusOK)
	if err := p.flush(); err != nil {
		return err
	}
	if !p.reply.raw {
		if err := p.delta(map[string]any{"role": "assistant", "content": ""}); err != nil {
			return err
		}
	}
	for _, s := range p.reply.Steps {
		if err := p.step(s); err != nil {
			return err
		}
	}
	return p.end()
}

func (p *player) step(s Step) error {
	switch s.Verb {
	case "text":
		return p.words("content", s.Text)
	case "think":
		return p.words("reasoning_content", s.Text)
	case "call":
		return p.call(s)
	case "raw":
		return p.write(s.Text)
	case "comment":
		return p.write(": " + s.Text + "\n\n")
	case "garbage":
		return p.write("data: {\"choices\":[{\"del\x01\xff" + s.Text + "\n\n")
	case "hold":
		return p.s.hold(p.ctx, s.Text)
	case "pause":
		return p.s.pause(p.ctx, s.Pause)
	}
	return fmt.Errorf("unknown step %q", s.Verb)
}

// words sends a text in pieces that end in white space.
func (p *player) words(field, text string) error {
	for _, piece := range strings.SplitAfter(text, " ") {
		if piece == "" {
			continue
		}
		if err := p.paced(map[string]any{field: piece}); err != nil {
			return err
		}
	}
	return nil
}

// argumentPiece is how many bytes of arguments are sent at once.
const argumentPiece = 24

func (p *player) call(s Step) error {
	index := p.calls
	p.calls++
	first := map[string]any{"index": index, "id": p.id(s, index), "type": "function",
		"function": map[string]any{"name": s.Name, "arguments": ""}}
	if err := p.delta(map[string]any{"tool_calls": []any{first}}); err != nil {
		return err
	}
	for text := s.Text; text != ""; {
		before, rest, held := strings.Cut(text, "$HOLD(")
		if err := p.arguments(index, before, max(argumentPiece, len(s.Text)/200)); err != nil {
			return err
		}
		text = rest
		if held {
			name, after, _ := strings.Cut(rest, ")")
			if err := p.s.hold(p.ctx, name); err != nil {
				return err
			}
			text = after
		}
	}
	return nil
}

// arguments sends a part of the arguments of a call in pieces.
func (p *player) arguments(index int, text string, piece int) error {
	for text != "" {
		n := min(len(text), piece)
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		more := map[string]any{"index": index, "function": map[string]any{"arguments": text[:n]}}
		if err := p.paced(map[string]any{"tool_calls": []any{more}}); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// id is the script's, or made of the numbers of the reply and the call.
func (p *player) id(s Step, index int) string {
	if s.ID != "" {
		return s.ID
	}
	return fmt.Sprintf("call_%d_%d", p.reply.number, index+1)
}

func (p *player) finish() any {
	switch {
	case p.reply.Finish == "none":
		return nil
	case p.reply.Finish != "":
		return p.reply.Finish
	case p.calls > 0:
		return "tool_calls"
	}
	return "stop"
}

func (p *player) end() error {
	if p.reply.raw && p.reply.Finish == "" || p.reply.Finish == "missing" {
		return nil
	}
	if err := p.event(p.chunk([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": p.finish()}}, nil)); err != nil {
		return err
	}
	if !p.reply.NoUsage {
		if err := p.event(p.chunk([]any{}, p.usage())); err != nil {
			return err
		}
	}
	return p.write("data: [DONE]\n\n")
}

func (p *player) usage() map[string]any {
	u := p.reply.Usage
	return map[string]any{
		"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Prompt + u.Completion,
		"prompt_tokens_details": map[string]any{"cached_tokens": u.Cached},
	}
}

// paced is delta at the reply's pace.
func (p *player) paced(d map[string]any) error {
	if p.reply.Pace > 0 {
		if err := p.s.pause(p.ctx, p.reply.Pace); err != nil {
			return err
		}
	}
	return p.delta(d)
}

func (p *player) delta(d map[string]any) error {
	return p.event(p.chunk([]any{map[string]any{"index": 0, "delta": d, "finish_reason": nil}}, nil))
}

func (p *player) chunk(choices []any, usage map[string]any) map[string]any {
	c := map[string]any{"id": fmt.Sprintf("chatcmpl-%d", p.reply.number), "object": "chat.completion.chunk",
		"created": 0, "model": p.req.Model, "choices": choices}
	if usage != nil {
		c["usage"] = usage
	}
	return c
}

func (p *player) event(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.write("data: " + string(raw) + "\n\n")
}

// whole answers with one JSON object.
func (p *player) whole() error {
	if err := p.holds(); err != nil {
		return err
	}
	message := map[string]any{"role": "assistant", "content": nil}
	var calls []any
	for _, s := range p.reply.Steps {
		switch s.Verb {
		case "text":
			message["content"] = s.Text
		case "think":
			message["reasoning_content"] = s.Text
		case "call":
			calls = append(calls, map[string]any{"id": p.id(s, p.calls), "type": "function",
				"function": map[string]any{"name": s.Name, "arguments": s.Text}})
			p.calls++
		}
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	answer := p.chunk([]any{map[string]any{"index": 0, "message": message, "finish_reason": p.finish()}}, nil)
	answer["object"] = "chat.completion"
	if !p.reply.NoUsage {
		answer["usage"] = p.usage()
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	p.w.Header().Set("Content-Type", "application/json")
	return p.write(string(raw))
}

// write sends text as the reply's faults want it.
func (p *player) write(text string) error {
	cut := p.reply.Cut
	if cut != nil && p.sent+len(text) >= cut.After {
		text = text[:max(0, cut.After-p.sent)]
	}
	piece := len(text)
	if p.reply.Split {
		piece = 1
	}
	for at := 0; at < len(text); at += piece {
		if _, err := io.WriteString(p.w, text[at:at+piece]); err != nil {
			return err
		}
		if err := p.flush(); err != nil {
			return err
		}
	}
	p.sent += len(text)
	switch {
	case cut == nil || p.sent < cut.After:
		return nil
	case cut.Clean:
		return errClean
	}
	return errCut
}

func (p *player) flush() error { return http.NewResponseController(p.w).Flush() }
