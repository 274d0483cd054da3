package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"clined/internal/llm"
	"clined/internal/transcript"
)

// reply turns the chunks of one answer into events.
type reply struct {
	s      *stream
	calls  calls
	usage  transcript.Usage
	counts bool
	// finish is the finish_reason, "" before it came. done is true after [DONE].
	finish string
	done   bool
	spoke  bool
}

func newReply(s *stream) *reply {
	offered := map[string]bool{}
	for _, t := range s.req.Tools {
		offered[t.Name] = true
	}
	used := map[string]bool{}
	for i := range s.req.Messages {
		for _, c := range s.req.Messages[i].Calls() {
			used[c.ID] = true
		}
	}
	known := func(name string) bool { return offered[name] }
	return &reply{s: s, calls: calls{known: known, used: used, emit: s.emit,
		byIndex: map[int]*call{}, byID: map[string][]*call{}}}
}

// data takes what one event holds: a chunk, [DONE], or several of them from
// servers that leave out the blank lines.
func (r *reply) data(ctx context.Context, raw []byte) error {
	for rest := bytes.TrimSpace(raw); len(rest) > 0; rest = bytes.TrimSpace(rest) {
		if after, ok := bytes.CutPrefix(rest, []byte("[DONE]")); ok {
			r.done = true
			rest = after
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(rest))
		var one json.RawMessage
		if err := dec.Decode(&one); err != nil {
			return r.malformed(rest, err)
		}
		rest = rest[dec.InputOffset():]
		if err := r.chunk(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

func (r *reply) malformed(raw []byte, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return brokeOff(err)
	}
	text := r.s.c.mask.text(string(raw[:min(len(raw), 4096)]))
	return &llm.Error{Class: llm.Network, Message: fmt.Sprintf("the model's answer is malformed: %q", shorten(text, 120)), Err: err}
}

func (r *reply) chunk(ctx context.Context, raw json.RawMessage) error {
	if raw[0] == '[' {
		raw = firstOfList(raw)
	}
	var c chunk
	var wrongType *json.UnmarshalTypeError
	// A field of a wrong type is left out, the others count.
	if err := json.Unmarshal(raw, &c); err != nil && !errors.As(err, &wrongType) {
		return r.malformed(raw, err)
	}
	if f, ok := faultIn(raw, &c); ok {
		return r.s.c.streamError(f, r.s.req.Model.ID)
	}
	r.count(c.Usage)
	for i := range c.Choices {
		if n, ok := number(c.Choices[i].Index); ok && n != 0 {
			continue
		}
		if err := r.choice(ctx, &c.Choices[i]); err != nil {
			return err
		}
	}
	if !r.spoke {
		r.s.emit(llm.Event{Kind: llm.Heartbeat})
	}
	return nil
}

func (r *reply) choice(ctx context.Context, c *choice) error {
	r.count(c.Usage)
	for _, d := range []*delta{c.Delta, c.Message} {
		if d == nil {
			continue
		}
		text, thinking := d.say()
		r.say(llm.ThinkingDelta, thinking)
		r.say(llm.TextDelta, text)
		all := []callDeltas{d.ToolCalls}
		if d.FunctionCall != nil {
			all = []callDeltas{{{Index: json.RawMessage("0"), Function: *d.FunctionCall}}, d.ToolCalls}
		}
		for _, deltas := range all {
			size, err := r.calls.add(ctx, deltas)
			if r.s.size += size; err != nil {
				return err
			}
		}
		r.spoke = r.spoke || len(r.calls.list) > 0
	}
	if f := scalar(c.FinishReason); f != "" && f != "null" {
		r.finish = f
	}
	return nil
}

func (r *reply) say(kind llm.EventKind, text string) {
	if text == "" {
		return
	}
	r.spoke = true
	r.s.size += len(text)
	r.s.emit(llm.Event{Kind: kind, Text: text})
}

func (r *reply) count(u *usage) {
	if u == nil {
		return
	}
	if counts, ok := u.counts(); ok {
		r.usage, r.counts = counts, true
	}
}

func (r *reply) reportUsage() {
	if r.counts {
		r.s.emit(llm.Event{Kind: llm.UsageReport, Usage: r.usage})
	}
}

// end closes a complete reply.
func (r *reply) end() error {
	reason, err := r.reason()
	if err != nil {
		return err
	}
	r.calls.finish()
	r.reportUsage()
	r.s.emit(llm.Event{Kind: llm.Stop, Reason: reason})
	return nil
}

// reason reads the finish_reason. Servers name it as they like and say "stop"
// after calls, or nothing at all before [DONE].
func (r *reply) reason() (llm.StopReason, error) {
	switch strings.ToLower(r.finish) {
	case "length", "max_tokens", "max_output_tokens", "model_length", "max_length":
		return llm.Length, nil
	case "content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "sensitive":
		return llm.Filtered, nil
	case "error", "network_error", "insufficient_system_resource", "malformed_function_call":
		return "", &llm.Error{Class: llm.Overloaded, Message: fmt.Sprintf("the provider gave up in the middle of the answer (%s)", shorten(r.finish, 60))}
	}
	switch {
	case r.calls.open():
		// The server noticed no limit, but the arguments stop in the middle.
		return llm.Length, nil
	case len(r.calls.list) > 0:
		return llm.ToolUse, nil
	case !r.spoke:
		return "", &llm.Error{Class: llm.Network, Message: "the model sent an empty answer"}
	}
	return llm.EndTurn, nil
}
