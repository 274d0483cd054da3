package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// talk is a conversation as the model sees it in a request.
type talk struct {
	// task is what the user said first or, after a completion, said last.
	task string
	// tools are the names on offer, in order.
	tools []string
	// firstEnvironment is the first environment_details, which tells most.
	firstEnvironment string
	// done are the calls since task, with their results.
	done []step
	// calls counts all calls of the conversation, for ids.
	calls int
}

// step is a call and what came of it.
type step struct {
	tool   string
	args   map[string]any
	result string
}

// reply is what the model says: text, then possibly a call.
type reply struct {
	text string
	tool string
	args any
	id   string
}

type wireRequest struct {
	Messages []wireMessage `json:"messages"`
	Tools    []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
}

type wireMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"tool_call_id"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// readTalk reads a chat completion request.
func readTalk(r io.Reader) ([]byte, *talk, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	var req wireRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, nil, fmt.Errorf("the request is not valid: %w", err)
	}
	t := &talk{}
	for _, tool := range req.Tools {
		t.tools = append(t.tools, tool.Function.Name)
	}
	for i := range req.Messages {
		t.add(&req.Messages[i])
	}
	return body, t, nil
}

func (t *talk) add(m *wireMessage) {
	text := m.text()
	if _, details, ok := strings.Cut(text, "<environment_details>"); ok && t.firstEnvironment == "" {
		t.firstEnvironment, _, _ = strings.Cut(details, "</environment_details>")
	}
	switch m.Role {
	case "user":
		if words := userWords(text); words != "" && (t.task == "" || t.over()) {
			t.task, t.done = words, nil
		}
	case "assistant":
		for _, c := range m.ToolCalls {
			t.calls++
			s := step{tool: c.Function.Name}
			_ = json.Unmarshal([]byte(c.Function.Arguments), &s.args) // our own words
			t.done = append(t.done, s)
		}
	case "tool":
		if n := len(t.done); n > 0 {
			t.done[n-1].result, _, _ = strings.Cut(text, "\n\n<environment_details>")
		}
	}
}

// over reports whether the last call ended the task.
func (t *talk) over() bool {
	n := len(t.done)
	return n > 0 && t.done[n-1].tool == "attempt_completion"
}

// userWords are what stands between the tags around the user's own words.
func userWords(text string) string {
	for _, tag := range []string{"task", "user_message"} {
		if _, rest, ok := strings.Cut(text, "<"+tag+">"); ok {
			words, _, _ := strings.Cut(rest, "</"+tag+">")
			return strings.TrimSpace(words)
		}
	}
	return ""
}

// text joins the text of a message, which is a string or a list of parts.
func (m *wireMessage) text() string {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(m.Content, &parts) // null or parts
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// last returns the newest step of a tool.
func (t *talk) last(tool string) (step, bool) {
	for i := len(t.done) - 1; i >= 0; i-- {
		if t.done[i].tool == tool {
			return t.done[i], true
		}
	}
	return step{}, false
}

// offers returns the full name of a tool whose name ends in suffix, "" for none.
func (t *talk) offers(suffix string) string {
	for _, name := range t.tools {
		if strings.HasSuffix(name, suffix) {
			return name
		}
	}
	return ""
}

// feedback is what the user said in a result, "" for nothing.
func (s step) feedback() string {
	_, rest, ok := strings.Cut(s.result, "<feedback>")
	if !ok {
		return ""
	}
	words, _, _ := strings.Cut(rest, "</feedback>")
	return strings.TrimSpace(words)
}

// denied reports whether the user turned the step down.
func (s step) denied() bool {
	return strings.Contains(s.result, "denied") || strings.Contains(s.result, "turned down")
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

// encode writes JSON without escaping <, > and &.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
