// Package llm owns the vocabulary between the agent and a model: the request,
// the streamed events of a reply, the classes of failure and what each means
// for a retry.
//
// It never talks to a network (each dialect has its own folder below) and
// imports no tools and no agent, so that a provider can be replaced.
package llm

import (
	"context"
	"encoding/json"
	"iter"

	"clined/internal/transcript"
)

// Family groups models that want the same tools and prompt. Families decide
// which tools are offered (tools.Registry) and how (natively or as text).
type Family string

// The families. A TextOnly model is plain chat: it is sent no tools.
const (
	Generic  Family = "generic"
	NextGen  Family = "next-gen"
	GPT5     Family = "gpt-5"
	GPTOSS   Family = "gpt-oss"
	Gemini   Family = "gemini"
	Local    Family = "local"
	TextOnly Family = "text-only"
)

// IsNextGen reports whether models of the family are of the newest kind, which
// know by themselves how to use tools.
func (f Family) IsNextGen() bool { return f == NextGen || f == GPT5 }

// Patches reports whether models of the family are trained to edit files by
// patches of the form that OpenAI calls V4A.
func (f Family) Patches() bool { return f == GPT5 || f == GPTOSS }

// Model describes one model as far as the agent must know it.
type Model struct {
	// ID as the provider wants it, for instance "gpt-4.1".
	ID string
	// Provider names the dialect and host, for instance "openai".
	Provider string
	Family   Family
	// ContextWindow in tokens.
	ContextWindow int
	// MaxOutput in tokens; 0 leaves it to the provider.
	MaxOutput int
	// MaxTools is how many tools a request may offer; 0 for no limit.
	MaxTools int
	// Images is true when the model sees pictures.
	Images bool
	// Temperature is nil where the model refuses the parameter.
	Temperature *float64
	// Reasoning is the effort asked for ("low", "medium", "high"), "" for none.
	Reasoning string
	// ReplayThinking says that thinking text is sent back with tool calls
	// (some reasoning models refuse a request without it, others with it).
	ReplayThinking bool
	// Prices are zero when they are not known.
	Prices Prices
}

// Prices are in US dollars per million tokens.
type Prices struct{ Input, Output, CacheRead, CacheWrite float64 }

// Cost returns what a request cost, in US dollars.
func (p Prices) Cost(u transcript.Usage) float64 {
	return (p.Input*float64(u.Input) + p.Output*float64(u.Output) +
		p.CacheRead*float64(u.CacheRead) + p.CacheWrite*float64(u.CacheWrite)) / 1e6
}

// ToolDef is a tool as a model is told of it. Schema is a JSON Schema of type
// object whose properties keep their written order. Dialects convert it to
// their own form.
type ToolDef struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

// Request is one call of a model. The same request always makes the same bytes.
type Request struct {
	Model    Model
	System   string
	Messages []transcript.Message
	Tools    []ToolDef
}

// EventKind says what an Event carries.
type EventKind int

// The events of a reply, in the order they may come: text, thinking and calls
// in any interleaving, then usage, then exactly one Stop.
const (
	// TextDelta carries Text to be appended to the visible answer.
	TextDelta EventKind = iota + 1
	// ThinkingDelta carries Text of the reasoning channel, and possibly Signature.
	ThinkingDelta
	// CallStart opens call number Index with its Name and ID.
	CallStart
	// CallDelta carries Text to be appended to the arguments of call Index.
	CallDelta
	// UsageReport carries Usage; a later report replaces an earlier one.
	UsageReport
	// Stop ends the reply with Reason.
	Stop
	// Heartbeat says that the provider is alive but has said nothing yet.
	Heartbeat
)

// StopReason says why a reply ended.
type StopReason string

// The reasons. With Length and Filtered no call of the reply may be run: it
// may be cut in the middle.
const (
	EndTurn  StopReason = "end_turn"
	ToolUse  StopReason = "tool_use"
	Length   StopReason = "length"
	Filtered StopReason = "content_filter"
)

// Event is one step of a streamed reply.
type Event struct {
	Kind EventKind
	// Index numbers the calls of a reply from 0.
	Index     int
	ID, Name  string
	Text      string
	Signature string
	Usage     transcript.Usage
	Reason    StopReason
}

// Client is what a dialect offers. Stream yields the events of one reply; it
// ends after a Stop event or after yielding one error, which is an *Error
// except when ctx ended (then ctx.Err()). A stream that breaks before Stop is
// an error, never a short success. The connection is closed when the loop over
// the sequence is left.
type Client interface {
	Stream(ctx context.Context, req Request) iter.Seq2[Event, error]
}
