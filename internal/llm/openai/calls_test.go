package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/transcript"
)

// Calls come in every odd shape.
func TestCallShapes(t *testing.T) {
	const two = "call read_file {\"path\":\"a\"}\ncall read_file {\"path\":\"b\"}\ntool_use\n"
	const one = "call read_file {\"path\":\"a\"}\ntool_use\n"
	tests := []struct {
		name   string
		deltas []string // of tool_calls, one a chunk
		want   string
	}{
		{"by the book", []string{
			`{"index":0,"id":"c1","type":"function","function":{"name":"read_file","arguments":""}}`,
			`{"index":0,"function":{"arguments":"{\"path\""}}`,
			`{"index":0,"function":{"arguments":":\"a\"}"}}`,
			`{"index":1,"id":"c2","type":"function","function":{"name":"read_file","arguments":""}}`,
			`{"index":1,"function":{"arguments":"{\"path\":\"b\"}"}}`}, two},
		{"no index", []string{
			`{"id":"c1","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`,
			`{"id":"c2","function":{"name":"read_file","arguments":"{\"path\":\"b\"}"}}`}, two},
		{"index always 0", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`,
			`{"index":0,"id":"c2","function":{"name":"read_file","arguments":"{\"path\":\"b\"}"}}`}, two},
		{"index always 0, in pieces", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":""}}`,
			`{"index":0,"function":{"arguments":"{\"path\":\"a\"}"}}`,
			`{"index":0,"id":"c2","function":{"name":"read_file","arguments":""}}`,
			`{"index":0,"function":{"arguments":"{\"path\":"}}`,
			`{"index":0,"function":{"arguments":"\"b\"}"}}`}, two},
		{"index always 0, no id", []string{
			`{"index":0,"function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`,
			`{"index":0,"function":{"name":"read_file","arguments":"{\"path\":\"b\"}"}}`}, two},
		{"continued without id and index", []string{
			`{"id":"c1","function":{"name":"read_file","arguments":"{\"pa"}}`,
			`{"function":{"arguments":"th\":\"a\"}"}}`,
			`{"id":"c2","function":{"name":"read_file"}}`,
			`{"function":{"arguments":"{\"path\":"}}`,
			`{"function":{"arguments":"\"b\"}"}}`}, two},
		{"id repeated", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":""}}`,
			`{"index":0,"id":"c1","function":{"name":"","arguments":"{\"path\":"}}`,
			`{"index":0,"id":"c1","function":{"arguments":"\"a\"}"}}`}, one},
		{"id and name repeated, no index", []string{
			`{"id":"c1","function":{"name":"read_file","arguments":""}}`,
			`{"id":"c1","function":{"name":"read_file","arguments":"{\"path\":"}}`,
			`{"id":"c1","function":{"name":"read_file","arguments":"\"a\"}"}}`,
			`{"id":"c1","function":{"name":"read_file","arguments":""}}`}, one},
		{"a new id each time", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":"{"}}`,
			`{"index":0,"id":"c2","function":{"name":"read_file","arguments":"\"path\":"}}`,
			`{"index":0,"id":"c3","function":{"arguments":"\"a\"}"}}`}, one},
		{"id comes late", []string{
			`{"index":0,"function":{"name":"read_file"}}`,
			`{"index":0,"id":"c1","function":{"arguments":"{\"path\":\"a\"}"}}`}, one},
		{"the same id for two", []string{
			`{"index":0,"id":"x","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`,
			`{"index":1,"id":"x","function":{"name":"read_file","arguments":"{\"path\":\"b\"}"}}`}, two},
		{"name in pieces", []string{
			`{"index":0,"id":"c1","function":{"name":"read_"}}`,
			`{"index":0,"function":{"name":"file"}}`,
			`{"index":0,"function":{"arguments":"{\"path\":\"a\"}"}}`}, one},
		{"name in pieces without index and id", []string{
			`{"function":{"name":"read_"}}`, `{"function":{"name":"file"}}`,
			`{"function":{"arguments":"{\"path\":\"a\"}"}}`}, one},
		{"name so far", []string{
			`{"index":0,"id":"c1","function":{"name":"read"}}`,
			`{"index":0,"function":{"name":"read_file"}}`,
			`{"index":0,"function":{"arguments":"{\"path\":\"a\"}"}}`}, one},
		{"arguments before the name", []string{
			`{"index":0,"id":"c1","function":{"arguments":"{\"path\":"}}`,
			`{"index":0,"function":{"name":"read_file","arguments":"\"a\"}"}}`}, one},
		{"arguments as an object", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":{"path": "a"}}}`}, one},
		{"arguments repeated at the end", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`,
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`}, one},
		{"an empty object first", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":"{}"}}`,
			`{"index":0,"function":{"arguments":"{\"path\":\"a\"}"}}`}, one},
		{"two in one chunk", []string{
			`{"id":"c1","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}},` +
				`{"id":"c2","function":{"name":"read_file","arguments":"{\"path\":\"b\"}"}}`}, two},
		{"two in one chunk without index and id", []string{
			`{"function":{"name":"read_file","arguments":{"path":"a"}}},{"function":{"name":"read_file","arguments":{"path":"b"}}}`}, two},
		{"interleaved by index", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file"}},{"index":1,"id":"c2","function":{"name":"read_file"}}`,
			`{"index":0,"function":{"arguments":"{\"path\":"}},{"index":1,"function":{"arguments":"{\"path\":"}}`,
			`{"index":1,"function":{"arguments":"\"b\"}"}},{"index":0,"function":{"arguments":"\"a\"}"}}`}, two},
		{"index and id of odd types", []string{
			`{"index":"0","id":7,"function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`,
			`{"index":null,"id":null,"function":{"name":null,"arguments":null}}`}, one},
		{"without arguments", []string{
			`{"index":0,"id":"c1","function":{"name":"get_time"}}`,
			`{"index":1,"id":"c2","function":{"name":"get_time","arguments":"{}"}}`},
			"call get_time \ncall get_time {}\ntool_use\n"},
		{"two names without index and id", []string{
			`{"function":{"name":"get_time"}}`, `{"function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`},
			"call get_time \ncall read_file {\"path\":\"a\"}\ntool_use\n"},
		{"a bracket inside a string", []string{
			`{"id":"c1","function":{"name":"read_file","arguments":"{\"path\":\"}\\\""}}`,
			`{"function":{"arguments":"{\"}"}}`}, "call read_file {\"path\":\"}\\\"{\"}\ntool_use\n"},
		{"garbage is the tool's to refuse", []string{
			`{"index":0,"id":"c1","function":{"name":"read_file","arguments":"path=a"}}`}, "call read_file path=a\ntool_use\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var chunks []string
			for _, d := range tt.deltas {
				chunks = append(chunks, fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[%s]},"finish_reason":null}]}`, d))
			}
			chunks = append(chunks, `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]")
			o := run(t.Context(), client(t, openai.Options{BaseURL: events(t, chunks...)}), hello())
			if got := o.String(); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			ids := map[string]bool{}
			for _, p := range o.fold.Parts() {
				if p.Call.ID == "" || ids[p.Call.ID] {
					t.Errorf("id %q is empty or used twice", p.Call.ID)
				}
				ids[p.Call.ID] = true
			}
		})
	}
}

// Other places where servers put calls.
func TestCallPlaces(t *testing.T) {
	want := "call read_file {\"path\":\"a\"}\ntool_use\n"
	call := `{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}`
	for name, chunks := range map[string][]string{
		"with the finish_reason": {`{"choices":[{"delta":{"tool_calls":[` + call + `]},"finish_reason":"tool_calls"}]}`, "[DONE]"},
		"finish_reason stop":     {`{"choices":[{"delta":{"tool_calls":[` + call + `]},"finish_reason":"stop"}]}`, "[DONE]"},
		"no finish_reason":       {`{"choices":[{"delta":{"tool_calls":[` + call + `]}}]}`, "[DONE]"},
		"no [DONE]":              {`{"choices":[{"delta":{"tool_calls":[` + call + `]},"finish_reason":"tool_calls"}]}`},
		"not in a list":          {`{"choices":[{"delta":{"tool_calls":` + call + `}}]}`, "[DONE]"},
		"function_call": {`{"choices":[{"delta":{"function_call":{"name":"read_file","arguments":""}}}]}`,
			`{"choices":[{"delta":{"function_call":{"arguments":"{\"path\":\"a\"}"}},"finish_reason":"function_call"}]}`, "[DONE]"},
		"message instead of delta": {`{"choices":[{"message":{"content":null,"tool_calls":[` + call + `]},"finish_reason":"tool_calls"}]}`, "[DONE]"},
	} {
		o := run(t.Context(), client(t, openai.Options{BaseURL: events(t, chunks...)}), hello())
		if got := o.String(); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}

// An id that the transcript holds already, or none, is replaced.
func TestCallIDsAreFresh(t *testing.T) {
	req := hello()
	req.Messages = append(req.Messages,
		transcript.Message{Role: transcript.Assistant, Parts: []transcript.Part{
			{Kind: transcript.CallPart, Call: &transcript.Call{ID: "call_0", Name: "get_time"}}}},
		transcript.Message{Role: transcript.Tool, Parts: []transcript.Part{
			{Kind: transcript.ResultPart, Result: &transcript.Result{CallID: "call_0", Name: "get_time", Text: "noon"}}}})
	url := events(t, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_0","function":{"name":"get_time"}},{"index":1,"function":{"name":"get_time"}}]}}]}`, "[DONE]")
	o := run(t.Context(), client(t, openai.Options{BaseURL: url}), req)
	var ids []string
	for _, p := range o.fold.Parts() {
		ids = append(ids, p.Call.ID)
	}
	if len(ids) != 2 || ids[0] == "call_0" || ids[0] == ids[1] || ids[0] == "" || ids[1] == "" {
		t.Errorf("ids %q", ids)
	}
}

// Long arguments arrive whole; cut ones are never a success.
func TestLongAndCutArguments(t *testing.T) {
	for _, n := range []int{300 << 10, 5 << 20} {
		content := strings.Repeat("x", n)
		url := events(t, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"read_file","arguments":"{\"path\":\"`+content+`\"}"}}]}}]}`, "[DONE]")
		o := run(t.Context(), client(t, openai.Options{BaseURL: url}), hello())
		if p := o.fold.Parts(); o.err != nil || len(p) != 1 || len(p[0].Call.Arguments) != n+len(`{"path":""}`) {
			t.Errorf("%d bytes: %v, %d parts", n, o.err, len(p))
		}
	}
	for _, finish := range []string{`"length"`, `"tool_calls"`, `"stop"`, `null`} {
		url := events(t, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"read_file","arguments":"{\"path\":\"a.md\",\"content\":\"# T\\nline"}}]},"finish_reason":`+finish+`}]}`, "[DONE]")
		o := run(t.Context(), client(t, openai.Options{BaseURL: url}), hello())
		if o.err != nil || o.fold.Reason != llm.Length {
			t.Errorf("finish_reason %s: reason %q, %v", finish, o.fold.Reason, o.err)
		}
	}
}

// An id that is longer than any is replaced, always by the same.
func TestLongIDs(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	piece := func(n int, id, args string) string {
		return fmt.Sprintf(`data: {"choices":[{"delta":{"tool_calls":[{"index":%d,"id":"%s","function":{"name":"read_file","arguments":%q}}]}}]}`+"\n\n", n, id, args)
	}
	body := piece(0, long+"1", `{"path":`) + piece(0, long+"1", `"a"}`) + piece(1, long+"2", `{"path":"b"}`) + "data: [DONE]\n\n"
	o := run(t.Context(), client(t, openai.Options{BaseURL: serve(t, 200, nil, body)}), hello())
	parts := o.fold.Parts()
	if got := o.String(); len(parts) != 2 || got != "call read_file {\"path\":\"a\"}\ncall read_file {\"path\":\"b\"}\ntool_use\n" {
		t.Fatal(got)
	}
	if a, b := parts[0].Call.ID, parts[1].Call.ID; a == b || len(a) > 64 || len(b) > 64 {
		t.Errorf("ids %q, %q", a, b)
	}
}
