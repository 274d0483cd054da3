package demo

import (
	"context"
	"net/http"
	"time"
)

// stream writes a reply as server-sent events, in the chunks of OpenAI's chat
// completions.
type stream struct {
	w       http.ResponseWriter
	ctx     context.Context // of the request: its end means that nobody listens
	pace    time.Duration
	created int64
	// usage is sent at the end unless it is nil.
	usage *usage
	words int
}

// send writes the reply. A client that leaves in the middle ends it.
func (s *stream) send(r reply) {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.w.Header().Set("Cache-Control", "no-cache")
	if !s.delta(map[string]any{"role": "assistant", "content": ""}, "") {
		return
	}
	for _, piece := range pieces(r.thought) {
		if !s.say(map[string]any{"reasoning_content": piece}) {
			return
		}
	}
	for _, piece := range pieces(r.text) {
		if !s.say(map[string]any{"content": piece}) {
			return
		}
	}
	reason := "stop"
	if r.tool != "" {
		if !s.call(r) {
			return
		}
		reason = "tool_calls"
	}
	if !s.delta(map[string]any{}, reason) || !s.report() {
		return
	}
	_, _ = s.w.Write([]byte("data: [DONE]\n\n"))
}

// call writes a tool call: its name first, then its arguments piece by piece.
func (s *stream) call(r reply) bool {
	args, err := encode(r.args)
	if err != nil {
		return false
	}
	function := map[string]any{"name": r.tool, "arguments": ""}
	if !s.say(toolCall(map[string]any{"index": 0, "id": r.id, "type": "function", "function": function})) {
		return false
	}
	for _, piece := range pieces(string(args)) {
		if !s.say(toolCall(map[string]any{"index": 0, "function": map[string]any{"arguments": piece}})) {
			return false
		}
	}
	return true
}

func toolCall(c map[string]any) map[string]any { return map[string]any{"tool_calls": []any{c}} }

// report sends the usage, in a chunk without choices.
func (s *stream) report() bool {
	if s.usage == nil {
		return true
	}
	return s.chunk([]any{}, map[string]any{
		"prompt_tokens": s.usage.prompt, "completion_tokens": s.words, "total_tokens": s.usage.prompt + s.words,
		"prompt_tokens_details": map[string]any{"cached_tokens": s.usage.cached},
	})
}

// say sends a piece of the reply at the pace of a reader.
func (s *stream) say(delta map[string]any) bool {
	s.words++
	if s.pace > 0 {
		select {
		case <-time.After(s.pace):
		case <-s.ctx.Done():
			return false
		}
	}
	return s.delta(delta, "")
}

func (s *stream) delta(delta map[string]any, reason string) bool {
	choice := map[string]any{"index": 0, "delta": delta, "finish_reason": nil}
	if reason != "" {
		choice["finish_reason"] = reason
	}
	return s.chunk([]any{choice}, nil)
}

// chunk sends one event; it reports false when nobody listens any more.
func (s *stream) chunk(choices []any, usage map[string]any) bool {
	c := map[string]any{
		"id": "chatcmpl-demo", "object": "chat.completion.chunk", "created": s.created, "model": ModelID, "choices": choices,
	}
	if usage != nil {
		c["usage"] = usage
	}
	data, err := encode(c)
	if err != nil {
		return false
	}
	if _, err := s.w.Write(append(append([]byte("data: "), data...), '\n', '\n')); err != nil {
		return false
	}
	return http.NewResponseController(s.w).Flush() == nil && s.ctx.Err() == nil
}

// pieces cuts a text into what arrives at once: a word, or a Han character or two.
func pieces(s string) []string {
	var out []string
	start, n := 0, 0
	for i, r := range s {
		if n++; i > start && (r == ' ' || r > 0x2e80 && n > 2 || n > 12) {
			out = append(out, s[start:i])
			start, n = i, 0
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}
