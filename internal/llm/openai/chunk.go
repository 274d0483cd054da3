package openai

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// chunk is one event of a stream, or the whole of an answer that is not
// streamed. Servers differ in the types of many fields: those are kept raw.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	// Type, Object and Detail tell errors of other forms; see faultIn.
	Type   json.RawMessage `json:"type"`
	Object json.RawMessage `json:"object"`
	Detail json.RawMessage `json:"detail"`
}

type choice struct {
	Index        json.RawMessage `json:"index"`
	Delta        *delta          `json:"delta"`
	Message      *delta          `json:"message"`
	FinishReason json.RawMessage `json:"finish_reason"`
	// Usage stands here with Moonshot.
	Usage *usage `json:"usage"`
}

type delta struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	ToolCalls        callDeltas      `json:"tool_calls"`
	FunctionCall     *functionDelta  `json:"function_call"`
}

// callDeltas is a list, which some servers unwrap when it holds one.
type callDeltas []callDelta

func (c *callDeltas) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		*c = make(callDeltas, 1)
		return json.Unmarshal(raw, &(*c)[0])
	}
	return json.Unmarshal(raw, (*[]callDelta)(c))
}

type callDelta struct {
	Index    json.RawMessage `json:"index"`
	ID       json.RawMessage `json:"id"`
	Function functionDelta   `json:"function"`
}

type functionDelta struct {
	Name json.RawMessage `json:"name"`
	// Arguments is a piece of text, or an object that is complete.
	Arguments json.RawMessage `json:"arguments"`
}

// scalar returns a string or number as text, "" for anything else.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// number returns an integer that may be written as text; ok is false for none.
func number(raw json.RawMessage) (n int, ok bool) {
	n, err := strconv.Atoi(scalar(raw))
	return n, err == nil
}

// argumentText returns arguments as text, be they text or an object.
func argumentText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return scalar(raw)
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil { // raw was decoded, so it is valid
		return string(raw)
	}
	return b.String()
}

// textOf returns the visible text and the thinking of content, which is text,
// or a part, or a list of parts: {type:text,text}, {type:thinking,thinking:[…]}
// (Mistral), {type:reasoning.text,text} (OpenRouter).
func textOf(raw json.RawMessage) (text, thinking string) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "", ""
	}
	switch raw[0] {
	case '[':
		var parts []json.RawMessage
		if json.Unmarshal(raw, &parts) != nil {
			return "", ""
		}
		var t, th strings.Builder
		for _, p := range parts {
			a, b := textOf(p)
			t.WriteString(a)
			th.WriteString(b)
		}
		return t.String(), th.String()
	case '{':
		var part struct {
			Type      string
			Text      json.RawMessage
			Thinking  json.RawMessage
			Summary   json.RawMessage
			Reasoning json.RawMessage
		}
		if json.Unmarshal(raw, &part) != nil {
			return "", ""
		}
		for _, inner := range []json.RawMessage{part.Thinking, part.Reasoning, part.Summary} {
			if t, th := textOf(inner); t != "" || th != "" {
				return "", t + th
			}
		}
		text, _ = textOf(part.Text)
		if strings.HasPrefix(part.Type, "reasoning") || part.Type == "thinking" {
			return "", text
		}
		return text, ""
	case '"':
		return scalar(raw), ""
	}
	return "", ""
}

// say returns what a delta adds to the answer and to the thinking. The same
// thought under several names counts once.
func (d *delta) say() (text, thinking string) {
	text, thinking = textOf(d.Content)
	if text == "" {
		text, _ = textOf(d.Refusal)
	}
	for _, raw := range []json.RawMessage{d.ReasoningContent, d.Reasoning, d.ReasoningDetails} {
		if thinking != "" {
			break
		}
		t, th := textOf(raw)
		thinking = t + th
	}
	return text, thinking
}
