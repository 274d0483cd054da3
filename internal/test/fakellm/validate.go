package fakellm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	legalName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
	legalID   = regexp.MustCompile(`^[a-zA-Z0-9_.:-]{1,64}$`)
)

// problems collects what is wrong with a request.
type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// strict decodes JSON and knows every key.
func strict(raw []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if dec.More() {
		return fmt.Errorf("something follows the JSON")
	}
	return nil
}

// parseRequest takes a body apart and reports what vendors refuse or would
// understand wrongly.
func parseRequest(raw []byte) (*Request, problems) {
	var p problems
	var w wireRequest
	r := &Request{Raw: raw}
	if err := strict(raw, &w); err != nil {
		p.add("the body is not what the API takes: %v", err)
		return r, p
	}
	r.Model, r.Temperature = w.Model, w.Temperature
	r.rawMessages, r.rawTools = w.Messages, w.Tools
	if w.Model == "" {
		p.add("no model")
	}
	if !w.Stream || w.StreamOptions == nil || !w.StreamOptions.IncludeUsage {
		p.add("the request wants no stream with usage")
	}
	r.readTools(&p)
	if len(r.Tools) == 0 && (w.Tools != nil || w.ToolChoice != "" || w.ParallelToolCalls != nil) {
		p.add("tool parameters without tools")
	}
	if len(r.Tools) > 0 && w.ToolChoice != "auto" {
		p.add("tool_choice is %q", w.ToolChoice)
	}
	r.readMessages(&p)
	return r, p
}

func (r *Request) readMessages(p *problems) {
	var list []json.RawMessage
	if err := json.Unmarshal(r.rawMessages, &list); err != nil || len(list) == 0 {
		p.add("messages is no list, or empty")
		return
	}
	for i, raw := range list {
		var w wireMessage
		if err := strict(raw, &w); err != nil {
			p.add("message %d: %v", i, err)
			return
		}
		m := message(&w, raw, func(format string, args ...any) {
			p.add("message %d (%s): %s", i, w.Role, fmt.Sprintf(format, args...))
		})
		if m.Role != "system" {
			r.Messages = append(r.Messages, m)
			continue
		}
		r.System = m.Text
		if i != 0 {
			p.add("message %d: a system message that is not the first", i)
		}
	}
	if strings.Contains(r.System, "{{") {
		p.add("the system text holds a placeholder: %s", around(r.System, "{{"))
	}
	r.checkOrder(p)
}

func message(w *wireMessage, raw json.RawMessage, bad func(string, ...any)) Message {
	m := Message{Role: w.Role, Reasoning: w.ReasoningContent, ToolCallID: w.ToolCallID, Raw: raw}
	m.readContent(w.Content, bad)
	for _, c := range w.ToolCalls {
		m.Calls = append(m.Calls, Call{c.ID, c.Function.Name, c.Function.Arguments})
		var args map[string]json.RawMessage
		switch {
		case c.Type != "function" || !legalID.MatchString(c.ID) || !legalName.MatchString(c.Function.Name):
			bad("call %q has an illegal type, id or name: %+v", c.ID, c)
		case json.Unmarshal([]byte(c.Function.Arguments), &args) != nil || args == nil:
			bad("the arguments of call %q are no JSON object: %.200s", c.ID, c.Function.Arguments)
		}
	}
	empty := strings.TrimSpace(m.Text) == "" && m.Images == 0
	switch m.Role {
	case "system", "user", "tool":
		if empty {
			bad("the message is empty")
		}
		if m.Calls != nil || m.Reasoning != nil || (m.Role == "tool") != (m.ToolCallID != "") {
			bad("fields that do not belong to the role")
		}
		if m.Images > 0 && m.Role != "user" {
			bad("an image")
		}
	case "assistant":
		if empty && len(m.Calls) == 0 {
			bad("the message is empty")
		}
		if m.ToolCallID != "" || m.Images > 0 {
			bad("fields that do not belong to the role")
		}
	default:
		bad("unknown role")
	}
	return m
}

func (m *Message) readContent(raw json.RawMessage, bad func(string, ...any)) {
	if len(raw) == 0 || string(raw) == "null" {
		m.Null = true
		return
	}
	if json.Unmarshal(raw, &m.Text) == nil {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		bad("content is neither text nor a list of parts")
		return
	}
	var texts []string
	for _, one := range list {
		var part wirePart
		switch err := strict(one, &part); {
		case err != nil:
			bad("a part: %v", err)
		case part.Type == "text" && part.Text != "" && part.ImageURL == nil:
			texts = append(texts, part.Text)
		case part.Type == "image_url" && part.ImageURL != nil && strings.HasPrefix(part.ImageURL.URL, "data:image/"):
			m.Images++
		default:
			bad("a part of an illegal kind: %.100s", one)
		}
	}
	m.Text = strings.Join(texts, "\n")
}

// checkOrder sees to it that the user begins and that each call has exactly one
// result, in order, right behind it.
func (r *Request) checkOrder(p *problems) {
	if len(r.Messages) == 0 || r.Messages[0].Role != "user" {
		p.add("the first message is not the user's")
	}
	var open []string
	seen := map[string]bool{}
	for i, m := range r.Messages {
		if m.Role == "tool" {
			if len(open) == 0 || open[0] != m.ToolCallID {
				p.add("message %d: result of %q, want one of %q", i, m.ToolCallID, open)
				return
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			p.add("message %d (%s): calls %q have no result", i, m.Role, open)
			return
		}
		for _, c := range m.Calls {
			if seen[c.ID] {
				p.add("message %d: call id %q is used twice", i, c.ID)
			}
			seen[c.ID] = true
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		p.add("calls %q have no result", open)
	}
	if r.Last().Role == "assistant" {
		p.add("the last message is the assistant's")
	}
}

func (r *Request) readTools(p *problems) {
	if r.rawTools == nil {
		return
	}
	var list []json.RawMessage
	if err := json.Unmarshal(r.rawTools, &list); err != nil {
		p.add("tools is no list: %v", err)
	}
	for i, raw := range list {
		var w wireTool
		if err := strict(raw, &w); err != nil || w.Type != "function" {
			p.add("tool %d: type %q, %v", i, w.Type, err)
			continue
		}
		t := Tool{w.Function.Name, w.Function.Description, w.Function.Parameters}
		if !legalName.MatchString(t.Name) || slices.Contains(r.ToolNames(), t.Name) {
			p.add("tool name %q is illegal or there twice", t.Name)
		}
		if strings.Contains(string(raw), "{{") {
			p.add("tool %q holds a placeholder: %s", t.Name, around(string(raw), "{{"))
		}
		checkParameters(t, p)
		r.Tools = append(r.Tools, t)
	}
}

// checkParameters knows what OpenAI refuses in a schema.
func checkParameters(t Tool, p *problems) {
	var top map[string]json.RawMessage
	if json.Unmarshal(t.Parameters, &top) != nil || string(top["type"]) != `"object"` {
		p.add("tool %q: the schema is no object", t.Name)
		return
	}
	var properties map[string]json.RawMessage
	if json.Unmarshal(top["properties"], &properties) != nil {
		p.add("tool %q: properties is no object", t.Name)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf", "enum", "not"} {
		if _, ok := top[key]; ok {
			p.add("tool %q: %s at the top of the schema", t.Name, key)
		}
	}
	for name, raw := range properties {
		var s struct {
			Type  any
			Items json.RawMessage
		}
		if json.Unmarshal(raw, &s) != nil && string(raw) != "true" {
			p.add("tool %q: property %q is no schema", t.Name, name)
		}
		if s.Type == "array" && s.Items == nil {
			p.add("tool %q: array %q without items", t.Name, name)
		}
	}
}

// around shows a place in a long text.
func around(text, what string) string {
	i := strings.Index(text, what)
	return fmt.Sprintf("%q", text[max(0, i-20):min(len(text), i+60)])
}
