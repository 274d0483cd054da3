package openai_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/transcript"
)

// encode returns the bytes of a request.
func encode(t *testing.T, c *openai.Client, req llm.Request) string {
	t.Helper()
	raw, err := c.Encode(req)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// message returns message i of a request as sent.
func message(t *testing.T, req llm.Request, i int) string {
	t.Helper()
	var b struct{ Messages []json.RawMessage }
	if err := json.Unmarshal([]byte(encode(t, client(t, openai.Options{}), req)), &b); err != nil {
		t.Fatal(err)
	}
	if i >= len(b.Messages) {
		t.Fatalf("%d messages, want one at %d", len(b.Messages), i)
	}
	return string(b.Messages[i])
}

func call(id, name, args string) transcript.Part {
	return transcript.Part{Kind: transcript.CallPart, Call: &transcript.Call{ID: id, Name: name, Arguments: args}}
}

func result(id, name, text string) transcript.Part {
	return transcript.Part{Kind: transcript.ResultPart, Result: &transcript.Result{CallID: id, Name: name, Text: text}}
}

func thinking(text string) transcript.Part {
	return transcript.Part{Kind: transcript.Thinking, Text: text}
}

func say(role transcript.Role, parts ...transcript.Part) transcript.Message {
	return transcript.Message{Role: role, Parts: parts}
}

func TestRequestBytes(t *testing.T) {
	req := hello()
	req.Messages = append(req.Messages,
		say(transcript.Assistant, thinking("hm"), transcript.TextPart("I <read> & see"), call("c1", "read_file", `{"path":"a"}`), call("c2", "get_time", "")),
		say(transcript.Tool, result("c1", "read_file", "1 | x"), result("c2", "get_time", "noon")))
	want := `{"model":"fake-model","messages":[` +
		`{"role":"system","content":"You help."},` +
		`{"role":"user","content":"hello"},` +
		`{"role":"assistant","content":"I <read> & see","tool_calls":[` +
		`{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}},` +
		`{"id":"c2","type":"function","function":{"name":"get_time","arguments":"{}"}}]},` +
		`{"role":"tool","content":"1 | x","tool_call_id":"c1"},` +
		`{"role":"tool","content":"noon","tool_call_id":"c2"}],` +
		`"temperature":0,"stream":true,"stream_options":{"include_usage":true},"tools":[` +
		`{"type":"function","function":{"name":"read_file","description":"Reads.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}}},` +
		`{"type":"function","function":{"name":"get_time","description":"Tells.","parameters":{"type":"object","properties":{},"additionalProperties":false}}}],` +
		`"tool_choice":"auto","parallel_tool_calls":true}`
	c := client(t, openai.Options{})
	if got := encode(t, c, req); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	plain := llm.Request{Model: llm.Model{ID: "m", MaxOutput: 7, Reasoning: "low"}, Messages: []transcript.Message{user("hi")}}
	want = `{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":7,"reasoning_effort":"low","stream":true,"stream_options":{"include_usage":true}}`
	if got := encode(t, c, plain); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAssistantMessages(t *testing.T) {
	results := say(transcript.Tool, result("c1", "get_time", ""))
	tests := []struct {
		name   string
		replay bool
		parts  []transcript.Part
		want   string
	}{
		{"null beside calls", false, []transcript.Part{call("c1", "get_time", "{}")},
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_time","arguments":"{}"}}]}`},
		{"garbage arguments", false, []transcript.Part{call("c1", "get_time", `{"a":`)},
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_time","arguments":"{}"}}]}`},
		{"a list is no object", false, []transcript.Part{call("c1", "get_time", `[1]`)},
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_time","arguments":"{}"}}]}`},
		{"illegal name", false, []transcript.Part{call("c1", "functions.get time", "{}")},
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"functions_get_time","arguments":"{}"}}]}`},
		{"no name", false, []transcript.Part{call("c1", "", "{}")},
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"_","arguments":"{}"}}]}`},
		{"text on both sides", false, []transcript.Part{transcript.TextPart("a"), call("c1", "get_time", "{}"), transcript.TextPart("b")},
			`{"role":"assistant","content":"ab","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_time","arguments":"{}"}}]}`},
		{"thinking left out", false, []transcript.Part{thinking("hm"), call("c1", "get_time", "{}")},
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_time","arguments":"{}"}}]}`},
		{"thinking sent back", true, []transcript.Part{thinking("hm"), call("c1", "get_time", "{}")},
			`{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_time","arguments":"{}"}}]}`},
		{"no thinking, sent back", true, []transcript.Part{call("c1", "get_time", "{}")},
			`{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_time","arguments":"{}"}}]}`},
	}
	for _, tt := range tests {
		req := hello()
		req.Model.ReplayThinking = tt.replay
		req.Messages = append(req.Messages, say(transcript.Assistant, tt.parts...), results)
		if got := message(t, req, 2); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		if got := message(t, req, 3); got != `{"role":"tool","content":"(no output)","tool_call_id":"c1"}` {
			t.Errorf("%s: the empty result is %s", tt.name, got)
		}
	}
	// A message of thinking alone would be empty.
	req := hello()
	req.Messages = append(req.Messages, say(transcript.Assistant, thinking("hm")), user("go on"))
	if got := message(t, req, 2); got != `{"role":"user","content":"go on"}` {
		t.Errorf("after a message of thinking alone: %s", got)
	}
}

func TestCallIDsAreLegal(t *testing.T) {
	for _, tt := range []struct{ model, id, want string }{
		{"gpt", "call_abc-1", "call_abc-1"},
		{"gpt", "functions.read_file:0", "functions.read_file:0"},
		{"gpt", "x y", "call_887fcea6a80333c6c02ae7e7"},
		{"gpt", strings.Repeat("a", 65), "call_635361c48bb9eab14198e76e"},
		{"mistralai/Mistral-Large", "abcDEF123", "abcDEF123"},
		{"codestral-latest", "call_1_1", "d57199b01"},
	} {
		req := hello()
		req.Model.ID = tt.model
		req.Messages = append(req.Messages, say(transcript.Assistant, call(tt.id, "get_time", "{}")), say(transcript.Tool, result(tt.id, "get_time", "noon")))
		var m struct {
			ToolCalls []struct{ ID string } `json:"tool_calls"`
			ID        string                `json:"tool_call_id"`
		}
		if err := json.Unmarshal([]byte(message(t, req, 2)), &m); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(message(t, req, 3)), &m); err != nil {
			t.Fatal(err)
		}
		if m.ToolCalls[0].ID != tt.want || m.ID != tt.want {
			t.Errorf("%s %q: call %q, result %q, want %q", tt.model, tt.id, m.ToolCalls[0].ID, m.ID, tt.want)
		}
	}
}

func TestImages(t *testing.T) {
	png := transcript.Image{MediaType: "image/png", Data: []byte("PNG")}
	r := result("c1", "get_time", "seen")
	r.Result.Images = []transcript.Image{png, png}
	req := hello()
	req.Messages = []transcript.Message{
		say(transcript.User, transcript.TextPart("look"), transcript.Part{Kind: transcript.ImagePart, Image: &png}),
		say(transcript.Assistant, call("c1", "get_time", "{}"), call("c2", "get_time", "{}")),
		say(transcript.Tool, r, result("c2", "get_time", "noon")),
	}
	const url = `{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}}`
	for _, tt := range []struct {
		sees bool
		want map[int]string
	}{
		{true, map[int]string{
			1: `{"role":"user","content":[{"type":"text","text":"look"},` + url + `]}`,
			3: `{"role":"tool","content":"seen","tool_call_id":"c1"}`,
			4: `{"role":"tool","content":"noon","tool_call_id":"c2"}`,
			5: `{"role":"user","content":[{"type":"text","text":"Images of the result of get_time:"},` + url + `,` + url + `]}`}},
		{false, map[int]string{
			1: `{"role":"user","content":"look\n\n[image left out: this model sees no pictures]"}`,
			3: `{"role":"tool","content":"seen\n\n[images left out: 2; this model sees no pictures]","tool_call_id":"c1"}`,
			4: `{"role":"tool","content":"noon","tool_call_id":"c2"}`}},
	} {
		req.Model.Images = tt.sees
		for i, want := range tt.want {
			if got := message(t, req, i); got != want {
				t.Errorf("sees %v, message %d: got\n%s\nwant\n%s", tt.sees, i, got, want)
			}
		}
	}
}

func TestUnsendableTranscript(t *testing.T) {
	req := hello()
	req.Messages = append(req.Messages, say(transcript.Assistant, call("c1", "get_time", "{}")))
	run(t.Context(), client(t, openai.Options{}), req).failed(t, llm.Refused)
}

// The same request makes the same bytes, and those of a transcript that grew
// begin with those from before, whatever is in it.
func TestStablePrefix(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		req := hello()
		req.Model.Images = rng.IntN(2) == 0
		req.Model.ReplayThinking = rng.IntN(2) == 0
		req.Messages = nil
		c := client(t, openai.Options{})
		before := ""
		for range 8 {
			req.Messages = append(req.Messages, growth(rng, len(req.Messages))...)
			body := encode(t, c, req)
			if again := encode(t, c, req); again != body {
				t.Fatalf("seed %d: the same request, other bytes", seed)
			}
			if !json.Valid([]byte(body)) {
				t.Fatalf("seed %d: no JSON", seed)
			}
			end := strings.LastIndex(body, `],"temperature"`)
			messages := body[strings.Index(body, `"messages":[`):end]
			if !strings.HasPrefix(messages, before) {
				t.Fatalf("seed %d: the prefix changed from\n%s\nto\n%s", seed, before, messages)
			}
			before = messages
		}
	}
}

// growth makes what one turn adds to a transcript.
func growth(rng *rand.Rand, n int) []transcript.Message {
	text := func() string {
		return string([]rune("aä<&\"\\\n\u2028\x00{}日\xff")[:rng.IntN(12)])
	}
	png := transcript.Image{MediaType: "image/png", Data: []byte{1, 2, byte(n)}}
	first := say(transcript.User, transcript.TextPart(text()))
	if rng.IntN(3) == 0 {
		first.Parts = append(first.Parts, transcript.Part{Kind: transcript.ImagePart, Image: &png})
	}
	list := []transcript.Message{first}
	answer := say(transcript.Assistant, thinking(text()), transcript.TextPart(text()))
	var results transcript.Message
	results.Role = transcript.Tool
	for i := range rng.IntN(3) {
		id := fmt.Sprintf("call %d %d", n, i)
		args := []string{`{}`, `{"a": "<b>"}`, `{"a`, ``}[rng.IntN(4)]
		answer.Parts = append(answer.Parts, call(id, "get_time", args))
		r := result(id, "get_time", text())
		if rng.IntN(3) == 0 {
			r.Result.Images = []transcript.Image{png}
		}
		results.Parts = append(results.Parts, r)
	}
	if list = append(list, answer); results.Parts != nil {
		list = append(list, results)
	}
	return list
}

// Schemas go on nearly unchanged.
// OpenAI refuses a request with a description of more than 1024 characters: what
// is beyond goes into the schema, and nothing is lost.
func TestLongDescriptions(t *testing.T) {
	sentence := "Reads what is there, and tells 😀 of it. "
	for _, base := range []string{"https://api.openai.com/v1", "https://team.openai.azure.com/openai"} {
		c := client(t, openai.Options{BaseURL: base, APIKey: "sk-test"})
		for _, n := range []int{1, 25, 26, 100} {
			text := strings.TrimSpace(strings.Repeat(sentence, n))
			req := hello()
			req.Tools[0].Description = text
			req.Tools[0].Schema = []byte(`{"type":"object","description":"Own words.","properties":{}}`)
			raw, err := c.Encode(req)
			if err != nil {
				t.Fatal(err)
			}
			var body struct {
				Tools []struct {
					Function struct {
						Description string
						Parameters  struct{ Description string }
					}
				}
			}
			if err := json.Unmarshal(raw, &body); err != nil {
				t.Fatal(err)
			}
			f := body.Tools[0].Function
			whole := f.Description + "\n\n" + f.Parameters.Description
			if rest, cut := strings.CutPrefix(f.Parameters.Description, "… "); cut {
				whole = strings.TrimSuffix(f.Description, "…") + rest
			}
			if units := len(utf16.Encode([]rune(f.Description))); units > 1024 || whole != text+"\n\nOwn words." {
				t.Errorf("%d times: %d characters, together\n%q", n, units, whole)
			}
		}
	}
}

func TestSchemas(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"the case", `{"$schema":"x","type":"object","$defs":{"K":{"type":"string","enum":["a","b"]}},"properties":{"k":{"$ref":"#/$defs/K","default":"a"},"n":{"type":["string","null"]},"c":{"const":"v"},"l":{"type":"array"},"u":{"anyOf":[{"type":"array","items":{"type":"array"}},{"type":"null"}]},"e":{"type":"integer","enum":[1,2]}},"additionalProperties":false}`,
			`{"type":"object","$defs":{"K":{"type":"string","enum":["a","b"]}},"properties":{"k":{"$ref":"#/$defs/K","default":"a"},"n":{"type":["string","null"]},"c":{"const":"v"},"l":{"type":"array","items":{}},"u":{"anyOf":[{"type":"array","items":{"type":"array","items":{}}},{"type":"null"}]},"e":{"type":"integer","enum":[1,2]}},"additionalProperties":false}`},
		{"recursive", `{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}}}`,
			`{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}},"additionalProperties":false}`},
		{"order of properties", `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}},"required":["z"]}`,
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}},"required":["z"],"additionalProperties":false}`},
		{"further properties allowed", `{"type":"object","properties":{},"additionalProperties":true}`, `{"type":"object","properties":{},"additionalProperties":true}`},
		{"further properties of a kind", `{"type":"object","properties":{},"additionalProperties":{"type":"array"}}`, `{"type":"object","properties":{},"additionalProperties":{"type":"array","items":{}}}`},
		{"none", ``, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"null", `null`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"no properties", `{"type":"object"}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"no type", `{"properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}},"additionalProperties":false}`},
		{"type as a list", `{"type":["object","null"],"properties":{}}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"property names that are keywords", `{"type":"object","properties":{"type":{"type":"string"},"items":{"type":"array"},"enum":{"enum":[{"type":"array"}]}}}`,
			`{"type":"object","properties":{"type":{"type":"string"},"items":{"type":"array","items":{}},"enum":{"enum":[{"type":"array"}]}},"additionalProperties":false}`},
		{"no HTML escapes, numbers as written", `{"type":"object","properties":{"a":{"description":"<b> & c","default":1.10}}}`,
			`{"type":"object","properties":{"a":{"description":"<b> & c","default":1.10}},"additionalProperties":false}`},
		{"choices at the top", `{"type":"object","properties":{"a":{}},"required":["a"],"oneOf":[{"properties":{"b":{}},"required":["b"]},{"$ref":"#/$defs/C"}],"$defs":{"C":{"properties":{"c":{}}}}}`,
			`{"type":"object","properties":{"a":{},"b":{},"c":{}},"required":["a"],"$defs":{"C":{"properties":{"c":{}}}},"additionalProperties":false}`},
		{"allOf at the top", `{"allOf":[{"properties":{"b":{}},"required":["b"]},{"properties":{"a":{}},"required":["a"]}]}`,
			`{"type":"object","properties":{"b":{},"a":{}},"required":["a","b"],"additionalProperties":false}`},
		{"a reference at the top", `{"$ref":"#/definitions/A","definitions":{"A":{"type":"object","properties":{"a":{}}}}}`,
			`{"definitions":{"A":{"type":"object","properties":{"a":{}}}},"type":"object","properties":{"a":{}},"additionalProperties":false}`},
		{"conditions may name further properties", `{"type":"object","properties":{"a":{}},"if":{},"then":{"properties":{"b":{}}}}`,
			`{"type":"object","properties":{"a":{}},"if":{},"then":{"properties":{"b":{}}}}`},
	}
	for _, tt := range tests {
		if got := parameters(t, tt.in); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	// What no server takes is left out; the rest still works.
	for _, in := range []string{`"x"`, `[]`, `{"type":"string"}`, `{"a":`, `{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}},"type":7}`,
		`{"type":"object","properties":` + strings.Repeat(`{"a":{"properties":`, 100) + `{}` + strings.Repeat(`}}`, 100) + `}`} {
		if got := parameters(t, in); got != "" {
			t.Errorf("%.60s is sent as %s", in, got)
		}
	}
}

// A client that has sent other schemas sends the same as a new one.
func TestSchemasAreRememberedAsTheyAre(t *testing.T) {
	c := client(t, openai.Options{})
	for range 2 {
		for _, schema := range []string{`{"properties":{"a":{"type":"array"}}}`, `{"a":`, `{"type":"object"}`, `[]`, `{"type": "object"}`, ``} {
			req := hello()
			req.Tools = append(req.Tools, llm.ToolDef{Name: "t", Schema: []byte(schema)})
			if got, want := encode(t, c, req), encode(t, client(t, openai.Options{}), req); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", schema, got, want)
			}
		}
	}
}

// parameters returns a schema as sent, "" when its tool is left out.
func parameters(t *testing.T, schema string) string {
	t.Helper()
	req := hello()
	req.Tools = append([]llm.ToolDef{{Name: "t", Schema: []byte(schema)}}, req.Tools...)
	var b struct {
		Tools []struct {
			Function struct {
				Name       string
				Parameters json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(encode(t, client(t, openai.Options{}), req)), &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Tools) == 2 {
		return ""
	}
	if len(b.Tools) != 3 || b.Tools[0].Function.Name != "t" {
		t.Fatalf("tools %v", b.Tools)
	}
	return string(b.Tools[0].Function.Parameters)
}

// Whatever a server calls a schema, the request stays valid JSON, and what was
// converted once is not converted further.
func FuzzSchema(f *testing.F) {
	f.Add(`{"type":"object","properties":{"l":{"type":"array"}},"anyOf":[{"properties":{"x":true}}]}`)
	f.Add(`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#"}}}`)
	f.Add(`{"type":["object"],"type":"object","properties":[]}`)
	f.Fuzz(func(t *testing.T, schema string) {
		once := parameters(t, schema)
		if once == "" {
			return
		}
		if twice := parameters(t, once); twice != once {
			t.Errorf("once\n%s\ntwice\n%s", once, twice)
		}
		var top, properties map[string]json.RawMessage
		if json.Unmarshal([]byte(once), &top) != nil || string(top["type"]) != `"object"` || json.Unmarshal(top["properties"], &properties) != nil {
			t.Errorf("no object: %s", once)
		}
	})
}
