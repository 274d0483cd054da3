package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// talk is a conversation as the model sees it in a request.
type talk struct {
	// task is what the user wants now.
	task string
	// tools are the names on offer, in order.
	tools []string
	// environment is the first environment_details, which tells most; planning
	// is true when the newest one says that nothing may be changed.
	environment string
	planning    bool
	// guest: see Options.Guest.
	guest bool
	// steps are all calls so far; those from since on belong to task.
	steps []step
	since int
}

// step is a call and what came of it.
type step struct {
	id     string
	tool   string
	args   map[string]any
	result string
}

// reply is what the model says: what it thinks, text, then possibly a call.
type reply struct {
	thought string

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
	Stream        bool `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
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

// readRequest reads a chat completion request. Its errors are for the client.
func readRequest(r io.Reader) (body []byte, req *wireRequest, err error) {
	if body, err = io.ReadAll(r); err != nil {
		return nil, nil, err
	}
	req = &wireRequest{}
	if err := json.Unmarshal(body, req); err != nil {
		return nil, nil, fmt.Errorf("the request is not valid: %w", err)
	}
	switch {
	case len(req.Messages) == 0:
		return nil, nil, errors.New("the request is not valid: messages are missing")
	case !req.Stream:
		return nil, nil, errors.New(`the demo's model only streams: set "stream" to true`)
	}
	return body, req, nil
}

// talk follows the conversation from its beginning.
func (req *wireRequest) talk(guest bool) *talk {
	t := &talk{guest: guest}
	for _, tool := range req.Tools {
		t.tools = append(t.tools, tool.Function.Name)
	}
	for i := range req.Messages {
		t.add(&req.Messages[i])
	}
	return t
}

// Marks that clined puts around what it tells a model.
const (
	openDetails  = "<environment_details>"
	closeDetails = "</environment_details>"
	planMode     = "# Current Mode\nPLAN MODE"
)

func (t *talk) add(m *wireMessage) {
	text, details := m.text(), ""
	if i := strings.LastIndex(text, openDetails); i >= 0 && m.Role != "assistant" && m.Role != "system" {
		text, details = strings.TrimSpace(text[:i]), text[i:]
		t.planning = strings.Contains(details, planMode)
		if t.environment == "" {
			t.environment, _, _ = strings.Cut(details, closeDetails)
		}
	}
	switch m.Role {
	case "user":
		if words := userWords(text); words != "" {
			t.hear(words)
		}
	case "assistant":
		for _, c := range m.ToolCalls {
			s := step{id: c.ID, tool: c.Function.Name}
			_ = json.Unmarshal([]byte(c.Function.Arguments), &s.args) // our own words
			t.steps = append(t.steps, s)
		}
	case "tool":
		for i := len(t.steps) - 1; i >= 0; i-- {
			if t.steps[i].id == m.CallID {
				t.steps[i].result = text
				break
			}
		}
	}
}

// hear takes the user's words: a new task, or, when they name none ("go on"),
// an encouragement to go on with the one that is not done.
func (t *talk) hear(words string) {
	if !known(words) && known(t.task) && !t.over() {
		t.forgetInterrupted()
		return
	}
	t.task, t.since = words, len(t.steps)
}

// over reports whether the last call ended the task. A plan of a change does
// not: it waits to be carried out.
func (t *talk) over() bool {
	last := t.newest().tool
	return last == "attempt_completion" || last == "plan_mode_respond" && !aboutDiscount(t.task)
}

// newest returns the last step of this task.
func (t *talk) newest() step {
	if len(t.steps) == t.since {
		return step{}
	}
	return t.steps[len(t.steps)-1]
}

// forgetInterrupted drops the last step if it was not carried out to its end.
func (t *talk) forgetInterrupted() {
	if n := len(t.steps); n > t.since && t.steps[n-1].interrupted() {
		t.steps = t.steps[:n-1]
	}
}

// userWords are what stands between the tags around the user's own words.
func userWords(text string) string {
	for _, tag := range []string{"task", "user_message"} {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(text), "<"+tag+">"); ok {
			if i := strings.LastIndex(rest, "</"+tag+">"); i >= 0 {
				rest = rest[:i]
			}
			return strings.TrimSpace(rest)
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

// last returns the newest step of a tool in this task.
func (t *talk) last(tool string) (step, bool) {
	for i := len(t.steps) - 1; i >= t.since; i-- {
		if t.steps[i].tool == tool {
			return t.steps[i], true
		}
	}
	return step{}, false
}

// recall is last, or else an earlier task's step that told something of use.
func (t *talk) recall(tool string, of func(s *step) bool) (step, bool) {
	if s, ok := t.last(tool); ok {
		return s, true
	}
	for i := t.since - 1; i >= 0; i-- {
		if s := &t.steps[i]; s.tool == tool && of(s) {
			return *s, true
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
func (s *step) feedback() string {
	_, rest, ok := strings.Cut(s.result, "\n<feedback>\n")
	if !ok {
		return ""
	}
	words, _, _ := strings.Cut(rest, "\n</feedback>")
	return strings.TrimSpace(words)
}

// What clined tells a model of calls that were not carried out.
const (
	saysDenied      = "The user denied "
	saysRefused     = "The call was refused and nothing was done."
	saysNobody      = "This call needs the user's approval and nobody could be asked"
	saysInterrupted = "The user interrupted "
	saysCancelled   = "The user cancelled "
	saysStopped     = "The user stopped "
)

// denied reports whether the user turned the step down.
func (s *step) denied() bool { return strings.HasPrefix(s.result, saysDenied) }

// refused returns why a rule did not let the step be made, "" when it did.
func (s *step) refused() string {
	if strings.HasPrefix(s.result, saysNobody) {
		return s.result
	}
	reason, ok := strings.CutPrefix(s.result, saysRefused)
	if !ok {
		return ""
	}
	return strings.TrimSpace(reason)
}

func (s *step) interrupted() bool {
	for _, says := range []string{saysInterrupted, saysCancelled, saysStopped} {
		if strings.HasPrefix(s.result, says) {
			return true
		}
	}
	return false
}

// made reports whether the step was carried out, with whatever result.
func (s *step) made() bool {
	return s.result != "" && !s.denied() && s.refused() == "" && !s.interrupted()
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
