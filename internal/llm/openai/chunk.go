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

// maxNesting is how deep content may be nested; no server goes beyond 3.
const maxNesting = 8

// view is JSON that lies in the text it was decoded from. A json.RawMessage
// would be another copy of all that is in it at each level.
type view []byte

// UnmarshalJSON implements json.Unmarshaler.
func (v *view) UnmarshalJSON(raw []byte) error {
	*v = raw
	return nil
}

// textOf returns the visible text and the thinking of content, which is text,
// or a part, or a list of parts: {type:text,text}, {type:thinking,thinking:[…]}
// (Mistral), {type:reasoning.text,text} (OpenRouter). What is nested deeper than
// deep levels says nothing.
func textOf(raw []byte, deep int) (text, thinking string) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || deep == 0 {
		return "", ""
	}
	switch raw[0] {
	case '[':
		var parts []view
		if json.Unmarshal(raw, &parts) != nil {
			return "", ""
		}
		if len(parts) == 1 {
			return textOf(parts[0], deep-1)
		}
		var t, th strings.Builder
		for _, p := range parts {
			a, b := textOf(p, deep-1)
			t.WriteString(a)
			th.WriteString(b)
		}
		return t.String(), th.String()
	case '{':
		return textOfPart(raw, deep-1)
	case '"':
		return scalar(raw), ""
	}
	return "", ""
}

func textOfPart(raw []byte, deep int) (text, thinking string) {
	var part struct {
		Type      string
		Text      view
		Thinking  view
		Summary   view
		Reasoning view
	}
	if json.Unmarshal(raw, &part) != nil {
		return "", ""
	}
	for _, inner := range []view{part.Thinking, part.Reasoning, part.Summary} {
		if t, th := textOf(inner, deep); t != "" || th != "" {
			return "", t + th
		}
	}
	text, _ = textOf(part.Text, deep)
	if strings.HasPrefix(part.Type, "reasoning") || part.Type == "thinking" {
		return "", text
	}
	return text, ""
}

// say returns what a delta adds to the answer and to the thinking. The same
// thought under several names counts once.
func (d *delta) say() (text, thinking string) {
	text, thinking = textOf(d.Content, maxNesting)
	if text == "" {
		text, _ = textOf(d.Refusal, maxNesting)
	}
	for _, raw := range []json.RawMessage{d.ReasoningContent, d.Reasoning, d.ReasoningDetails} {
		if thinking != "" {
			break
		}
		t, th := textOf(raw, maxNesting)
		thinking = t + th
	}
	return text, thinking
}
