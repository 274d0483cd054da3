package fakellm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Request is what a client sent, raw and taken apart.
type Request struct {
	// Number counts from 1.
	Number int
	Raw    []byte
	Header http.Header

	Model       string
	Temperature *float64
	// System is the text of the system message, "" without one; Messages are
	// the others.
	System   string
	Messages []Message
	Tools    []Tool

	rawMessages, rawTools json.RawMessage
	gone                  <-chan struct{}
}

// Message is one entry of `messages`.
type Message struct {
	Role string
	// Text is the content, parts joined by LF; images are left out and counted.
	Text   string
	Images int
	// Null is true when the content is null or missing.
	Null       bool
	Reasoning  *string
	Calls      []Call
	ToolCallID string
	Raw        json.RawMessage
}

// Call is an entry of `tool_calls`.
type Call struct{ ID, Name, Arguments string }

// Tool is an entry of `tools`.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage
}

// Gone is closed when the client left or the reply ended.
func (r *Request) Gone() <-chan struct{} { return r.gone }

// Last returns the newest message.
func (r *Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// ToolNames returns the names in order.
func (r *Request) ToolNames() []string {
	names := make([]string, len(r.Tools))
	for i, t := range r.Tools {
		names[i] = t.Name
	}
	return names
}

// Newest is the decoded text of all messages after the last assistant message:
// what the client added since it was last answered.
func (r *Request) Newest() string {
	from := 0
	for i, m := range r.Messages {
		if m.Role == "assistant" {
			from = i + 1
		}
	}
	return view(r.Messages[from:])
}

// View is the decoded text of the whole request.
func (r *Request) View() string {
	var b strings.Builder
	fmt.Fprintf(&b, "system: %s\n", r.System)
	for _, t := range r.Tools {
		fmt.Fprintf(&b, "tool %s: %s %s\n", t.Name, t.Description, t.Parameters)
	}
	return b.String() + view(r.Messages)
}

func view(messages []Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "%s: %s\n", m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "call %s %s\n", c.Name, c.Arguments)
		}
	}
	return b.String()
}

// The wire, as strictly as it is checked.
type wireRequest struct {
	Model               string          `json:"model"`
	Messages            json.RawMessage `json:"messages"`
	Temperature         *float64        `json:"temperature"`
	MaxTokens           int             `json:"max_tokens"`
	MaxCompletionTokens int             `json:"max_completion_tokens"`
	ReasoningEffort     string          `json:"reasoning_effort"`
	Stream              bool            `json:"stream"`
	StreamOptions       *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Tools             json.RawMessage `json:"tools"`
	ToolChoice        string          `json:"tool_choice"`
	ParallelToolCalls *bool           `json:"parallel_tool_calls"`
}

type wireMessage struct {
	Role             string          `json:"role"`
	Content          json.RawMessage `json:"content"`
	ReasoningContent *string         `json:"reasoning_content"`
	ToolCalls        []wireCall      `json:"tool_calls"`
	ToolCallID       string          `json:"tool_call_id"`
}

type wireCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type wirePart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL *struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}
