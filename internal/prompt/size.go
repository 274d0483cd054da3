package prompt

import (
	"bytes"
	"encoding/json"

	"clined/internal/llm"
)

// Size is how large a first request is, in bytes of JSON in the form of
// OpenAI-compatible APIs.
type Size struct {
	System int `json:"system"`
	Tools  int `json:"tools"`
	// User is the first message: the user's words and environment_details.
	User int `json:"user"`
}

// Total adds them up: the request without its few fixed fields.
func (s Size) Total() int { return s.System + s.Tools + s.User }

// Measure returns the size of a request of these parts.
func Measure(system string, defs []llm.ToolDef, user ...string) Size {
	s := Size{System: wire(system)}
	for _, d := range defs {
		s.Tools += wire(map[string]any{"type": "function", "function": map[string]any{
			"name": d.Name, "description": d.Description, "parameters": d.Schema,
		}}) + len(",")
	}
	for _, text := range user {
		s.User += wire(text)
	}
	return s
}

// wire is the length of v as JSON, without the escapes for HTML.
func wire(v any) int {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil { // a schema that is no JSON: dialects leave the tool out
		return 0
	}
	return b.Len() - len("\n")
}
