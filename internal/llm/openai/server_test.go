package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/test/fakellm"
	"clined/internal/transcript"
)

// A conversation of several turns against a server that checks what vendors
// check, whole and byte by byte.
func TestConversation(t *testing.T) {
	for name, fault := range map[string]string{"stream": "", "split": "split", "whole": "json"} {
		t.Run(name, func(t *testing.T) {
			s := fakellm.Start(t, `
reply
  expect contains You help.
  expect-tools read_file get_time
  expect-last contains hello
  think Let me see.
  text I read it: „ä“ <b>.
  call read_file {"path":"日本.txt"}
  call get_time
  usage prompt=6878 completion=149 cached=64
  `+fault+`
reply
  expect-last contains 1 | x
  expect-last-not contains hello
  text Done.
  `+fault+`
reply
  expect-last contains thanks
  text You are welcome.
  finish length
  usage none
  `+fault)
			c := client(t, openai.Options{BaseURL: s.URL(), APIKey: "k"})
			s.RequireKey("k")
			req := hello()
			o := run(t.Context(), c, req)
			if got, want := o.String(), "thinking Let me see.\ntext I read it: „ä“ <b>.\ncall read_file {\"path\":\"日本.txt\"}\ncall get_time {}\ntool_use\n"; got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if want := (transcript.Usage{Input: 6814, CacheRead: 64, Output: 149}); o.fold.Usage != want {
				t.Errorf("usage %+v, want %+v", o.fold.Usage, want)
			}
			answer := say(transcript.Assistant, o.fold.Parts()...)
			calls := answer.Calls()
			req.Messages = append(req.Messages, answer, say(transcript.Tool, result(calls[0].ID, "read_file", "1 | x"), result(calls[1].ID, "get_time", "noon")))
			o = run(t.Context(), c, req)
			req.Messages = append(req.Messages, say(transcript.Assistant, o.fold.Parts()...), user("thanks"))
			o = run(t.Context(), c, req)
			if got := o.String(); got != "text You are welcome.\nlength\n" || o.fold.Usage.Total() != 0 {
				t.Errorf("got\n%s%+v", got, o.fold.Usage)
			}
		})
	}
}

// A parameter that the server refuses is left out, now and in later requests.
func TestRefusedParameters(t *testing.T) {
	tests := []struct {
		name, body   string
		prepare      func(*llm.Request)
		before, then string // parts of the first and of the second request
	}{
		{"temperature", `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","code":"unsupported_value"}}`,
			nil, `"temperature":0`, `}],"stream":true`},
		{"stream_options", `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`,
			nil, `"stream_options"`, `"stream":true,"tools"`},
		{"parallel_tool_calls", `{"error":"Unrecognized request argument supplied: parallel_tool_calls"}`, nil, `"parallel_tool_calls"`, `"tool_choice":"auto"}`},
		{"max_tokens", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`,
			func(r *llm.Request) { r.Model.MaxOutput = 9 }, `"max_tokens":9`, `"max_completion_tokens":9`},
		{"null content", `{"error":{"message":"messages.2.content: Input should be a valid string"}}`, withCall, `"content":null`, `"content":""`},
		{"thinking wanted", `{"error":{"message":"Missing reasoning_content field in the assistant message at message index 2"}}`,
			withCall, `"content":null,"tool_calls"`, `"reasoning_content":"hm"`},
		{"thinking unwanted", `{"error":{"message":"reasoning_content is not supported in the input"}}`,
			func(r *llm.Request) { withCall(r); r.Model.ReplayThinking = true }, `"reasoning_content":"hm"`, `"content":null,"tool_calls"`},
		{"long description", `{"error":{"message":"Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 2000 instead.","code":"string_above_max_length"}}`,
			func(r *llm.Request) { r.Tools[0].Description = strings.Repeat("word ", 400) },
			`"description":"` + strings.Repeat("word ", 400), `word …","parameters":{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false,"description":"… word`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var bodies []string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				raw, _ := io.ReadAll(r.Body)
				bodies = append(bodies, string(raw))
				if strings.Contains(string(raw), tt.before) {
					w.WriteHeader(400)
					_, _ = io.WriteString(w, tt.body)
					return
				}
				_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: [DONE]\n\n")
			}))
			defer s.Close()
			req := hello()
			if tt.prepare != nil {
				tt.prepare(&req)
			}
			c := client(t, openai.Options{BaseURL: s.URL})
			for range 2 {
				if o := run(t.Context(), c, req); o.String() != "text hi\nend_turn\n" {
					t.Fatalf("got\n%s", o)
				}
			}
			if len(bodies) != 3 || !strings.Contains(bodies[0], tt.before) || !strings.Contains(bodies[1], tt.then) || bodies[2] != bodies[1] {
				t.Errorf("%d requests:\n%s", len(bodies), strings.Join(bodies, "\n"))
			}
		})
	}
	// A server that refuses for ever is asked once more for each reason, no longer.
	s := fakellm.Start(t, strings.Repeat("reply\n status 400 body={\"error\":\"temperature is not supported\"}\n", 2))
	run(t.Context(), client(t, openai.Options{BaseURL: s.URL()}), hello()).failed(t, llm.Refused)
}

func withCall(r *llm.Request) {
	r.Messages = append(r.Messages, say(transcript.Assistant, thinking("hm"), call("c1", "get_time", "{}")), say(transcript.Tool, result("c1", "get_time", "noon")))
}

func TestFaultsOfTheFake(t *testing.T) {
	for _, tt := range []struct{ script, want string }{
		{"reply\n text Hello\n cut after=400\n", "text Hello\nnetwork: the model's answer broke off: the server closed the connection\n"},
		{"reply\n text Hello\n cut after=400 clean\n", "text Hello\nnetwork: the model's answer broke off: the server closed the connection\n"},
		{"reply\n text Hello\n finish missing\n", "text Hello\nnetwork: the model's answer broke off: the server closed the connection\n"},
		{"reply\n text Hello\n finish none\n", "text Hello\nend_turn\n"},
		{"reply\n comment alive\n text Hello\n garbage\n", "text Hello\nnetwork: "},
		{"reply\n status 529 retry-after=2 body=busy\n", "overloaded: busy (HTTP 529)\n"},
	} {
		s := fakellm.Start(t, tt.script)
		o := run(t.Context(), client(t, openai.Options{BaseURL: s.URL()}), hello())
		if got := o.String(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got\n%swant\n%s", tt.script, got, tt.want)
		}
	}
}

func TestBaseURLs(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"`+r.Method+" "+r.URL.String()+`"}}]}`)
	}))
	defer s.Close()
	for base, want := range map[string]string{
		s.URL:                                 "/chat/completions",
		s.URL + "/v1":                         "/v1/chat/completions",
		s.URL + "/v1//":                       "/v1/chat/completions",
		" " + s.URL + "/v1/chat/completions ": "/v1/chat/completions",
		s.URL + "/a%20b/v1":                   "/a%20b/v1/chat/completions",
		s.URL + "/d?api-version=2":            "/d/chat/completions?api-version=2",
		strings.TrimPrefix(s.URL, "http://") + "/v1": "/v1/chat/completions",
	} {
		if got := run(t.Context(), client(t, openai.Options{BaseURL: base}), hello()).String(); got != "text POST "+want+"\nend_turn\n" {
			t.Errorf("%s: %s", base, got)
		}
	}
	for _, o := range []openai.Options{
		{BaseURL: "api.example.com/v1"}, {BaseURL: "ftp://x"}, {BaseURL: "http://"}, {BaseURL: "http://a b"},
		{Proxy: "nowhere"}, {CAFile: "/does/not/exist"}, {APIKey: "sk-a\u00a0b"}, {APIKey: "a\nb"},
	} {
		if _, err := openai.New(o); err == nil || llm.AsError(err).Hint == "" || llm.AsError(err).Retryable() {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// The proxy is asked for hosts elsewhere, never for this machine.
func TestProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"proxy for `+r.URL.Host+`"}}]}`)
	}))
	defer proxy.Close()
	o := run(t.Context(), client(t, openai.Options{BaseURL: "http://model.example/v1", Proxy: proxy.URL}), hello())
	if o.String() != "text proxy for model.example\nend_turn\n" {
		t.Errorf("elsewhere:\n%s", o)
	}
	s := fakellm.Start(t, "reply\n text direct\n")
	if o := run(t.Context(), client(t, openai.Options{BaseURL: s.URL(), Proxy: proxy.URL}), hello()); o.String() != "text direct\nend_turn\n" {
		t.Errorf("this machine:\n%s", o)
	}
}

func TestHeaders(t *testing.T) {
	s := fakellm.Start(t, "reply\n text a\nreply\n conversation b\n text a\n")
	run(t.Context(), client(t, openai.Options{BaseURL: s.URL(), APIKey: " key1 \n", Headers: map[string]string{"X-Title": "t"}}), hello())
	run(t.Context(), client(t, openai.Options{BaseURL: s.URL()}), hello())
	h := s.WaitRequest(1).Header
	if h.Get("Authorization") != "Bearer key1" || h.Get("X-Title") != "t" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", h)
	}
	if h := s.WaitRequest(2).Header; h.Get("Authorization") != "" {
		t.Errorf("a key of nobody's: %v", h)
	}
}

// once is an HTTP connection that answers with the same body, without a network.
type once struct{ body io.Reader }

func (o once) RoundTrip(r *http.Request) (*http.Response, error) {
	_ = r.Body.Close()
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(o.body), Request: r}, nil
}

// Any body ends in exactly one Stop or one error, and where its bytes are split
// makes no difference.
func FuzzBody(f *testing.F) {
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n")
	f.Add("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"read_file\",\"arguments\":\"{\"}}]},\"finish_reason\":\"stop\"}]}\n\n")
	f.Add("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"a\"}},{\"index\":0,\"id\":\"x\",\"function\":{\"arguments\":{\"a\":1}}}]}}]}\n\ndata: {\"error\":[\"x\"]}\r\r")
	f.Add("{\"choices\":[{\"message\":{\"content\":[{\"text\":\"a\"}]}}],\"usage\":{\"prompt_tokens\":1e9,\"total_tokens\":-1}}")
	f.Add("<html>")
	f.Fuzz(func(t *testing.T, body string) {
		check := func(r io.Reader) string {
			o := run(t.Context(), client(t, openai.Options{HTTPClient: &http.Client{Transport: once{r}}}), hello())
			stops := 0
			for _, e := range o.events {
				if e.Kind == llm.Stop {
					stops++
				}
			}
			if (o.err == nil) != (stops == 1) || stops > 1 {
				t.Fatalf("%d stops, error %v", stops, o.err)
			}
			if u := o.fold.Usage; u.Input < 0 || u.Output < 0 || u.CacheRead < 0 || u.CacheWrite < 0 {
				t.Fatalf("usage %+v", u)
			}
			for _, p := range o.fold.Parts() {
				if p.Call != nil && (p.Call.ID == "" || p.Call.Name == "") {
					t.Fatalf("call %+v", p.Call)
				}
			}
			return o.String()
		}
		whole := check(strings.NewReader(body))
		if split := check(iotest.OneByteReader(strings.NewReader(body))); split != whole {
			t.Fatalf("whole\n%s\nsplit\n%s", whole, split)
		}
	})
}
