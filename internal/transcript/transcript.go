// Package transcript owns what was said in one task: messages made of parts,
// the token usage of a reply, and the rules that make a sequence of messages
// acceptable to every provider.
//
// It never does I/O and knows no provider, tool or editor. Anyone may import it.
package transcript

import (
	"encoding/json"
	"slices"
)

// Role says who speaks in a Message.
type Role string

// The roles. A Tool message holds the results of all calls of the assistant
// message right before it, in the order of the calls.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Message is one entry of a transcript. Once appended it never changes: what
// a provider has seen stays as it was, byte for byte.
type Message struct {
	ID    string `json:"id"`
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`
	// Also are the ids of further messages of the user that were told in this one.
	Also []string `json:"also,omitempty"`
}

// Carries reports whether the message of that id was told in this one.
func (m *Message) Carries(id string) bool { return m.ID == id || slices.Contains(m.Also, id) }

// Kind says which field of a Part is set.
type Kind string

// The kinds of parts and the roles that may hold them.
const (
	Text       Kind = "text"     // any but tool
	Thinking   Kind = "thinking" // assistant
	CallPart   Kind = "call"     // assistant
	ResultPart Kind = "result"   // tool
	ImagePart  Kind = "image"    // user
)

// Part is a piece of a message; exactly the field named by Kind is meaningful.
type Part struct {
	Kind Kind `json:"kind"`
	// Text of a Text or Thinking part.
	Text string `json:"text,omitempty"`
	// Signature of a Thinking part, opaque, sent back as received.
	Signature string  `json:"signature,omitempty"`
	Call      *Call   `json:"call,omitempty"`
	Result    *Result `json:"result,omitempty"`
	Image     *Image  `json:"image,omitempty"`
}

// Call is a tool call of the model.
type Call struct {
	// ID pairs the call with its Result; unique in a transcript.
	ID string `json:"id"`
	// Name as the model wrote it, for instance "read_file".
	Name string `json:"name"`
	// Arguments is the text of the JSON object as the model wrote it, "" when
	// it wrote none. It need not be valid JSON; who sends it on must see to that.
	Arguments string `json:"arguments"`
}

// Object returns the arguments as a JSON object that any provider accepts:
// the model's own text where it is one, else {}.
func (c *Call) Object() json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Arguments), &m) != nil || m == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(c.Arguments)
}

// Result is what the model is told about one Call.
type Result struct {
	CallID  string  `json:"callId"`
	Name    string  `json:"name"`
	Text    string  `json:"text"`
	Images  []Image `json:"images,omitempty"`
	IsError bool    `json:"isError,omitempty"`
}

// Image is a picture for models that see.
type Image struct {
	// MediaType such as "image/png".
	MediaType string `json:"mediaType"`
	// Data is the raw file; base64 in JSON.
	Data []byte `json:"data"`
}

// Usage counts the tokens of one request. The five counts are disjoint, so
// their meaning does not depend on the provider: a dialect that reports
// cached tokens inside the prompt figure subtracts them first.
type Usage struct {
	// Input is the prompt without what CacheRead and CacheWrite count.
	Input      int `json:"input"`
	CacheRead  int `json:"cacheRead,omitempty"`
	CacheWrite int `json:"cacheWrite,omitempty"`
	// Output includes reasoning tokens.
	Output int `json:"output"`
	// Estimated is true when the provider sent no figures.
	Estimated bool `json:"estimated,omitempty"`
}

// Total is the size of the context after the request: everything read and written.
func (u Usage) Total() int { return u.Input + u.CacheRead + u.CacheWrite + u.Output }

// Add returns the sum of both, for totals of a task.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input:      u.Input + v.Input,
		CacheRead:  u.CacheRead + v.CacheRead,
		CacheWrite: u.CacheWrite + v.CacheWrite,
		Output:     u.Output + v.Output,
		Estimated:  u.Estimated || v.Estimated,
	}
}

// TextPart returns a Text part.
func TextPart(s string) Part { return Part{Kind: Text, Text: s} }

// Calls returns the calls of the message in order.
func (m *Message) Calls() []*Call {
	var calls []*Call
	for i := range m.Parts {
		if m.Parts[i].Kind == CallPart {
			calls = append(calls, m.Parts[i].Call)
		}
	}
	return calls
}

// Text returns the Text parts joined by blank lines, without thinking.
func (m *Message) Text() string {
	var s string
	for _, p := range m.Parts {
		if p.Kind != Text || p.Text == "" {
			continue
		}
		if s != "" {
			s += "\n\n"
		}
		s += p.Text
	}
	return s
}
