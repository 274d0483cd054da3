package fakellm_test

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"clined/internal/test/fakellm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a test that keeps its failures.
type recorder struct {
	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...) }
func (r *recorder) Cleanup(f func())                  { r.cleanups = append(r.cleanups, f) }

// end runs the cleanups and returns the failures.
func (r *recorder) end() string {
	for _, f := range r.cleanups {
		f()
	}
	return strings.Join(r.failures, "\n")
}

// post sends a body and returns the status and what came before the end.
func post(t *testing.T, s *fakellm.Server, body string) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body) // a cut is part of the script
	return resp.StatusCode, string(raw)
}

// body is a request of these messages and tools, each as JSON.
func body(messages, tools string) string {
	b := `{"model":"m","messages":[` + messages + `],"stream":true,"stream_options":{"include_usage":true}`
	if tools != "" {
		b += `,"tools":[` + tools + `],"tool_choice":"auto","parallel_tool_calls":true`
	}
	return b + "}"
}

const (
	system  = `{"role":"system","content":"S"}`
	user    = `{"role":"user","content":"hi"}`
	callC1  = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]}`
	resultX = `{"role":"tool","content":"x","tool_call_id":"c1"}`
	read    = `{"type":"function","function":{"name":"read","description":"Reads.","parameters":{"type":"object","properties":{"a":{"type":"array","items":{}}}}}}`
)

// Each breach of what vendors check fails the test, and only those.
func TestBreaches(t *testing.T) {
	replace := strings.NewReplacer
	tests := []struct{ name, body, want string }{
		{"plain", body(user, ""), ""},
		{"all", body(system+","+user+","+callC1+","+resultX, read), ""},
		{"image", body(`{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}`, ""), ""},
		{"thinking", body(user+`,{"role":"assistant","content":"a","reasoning_content":""},`+user, ""), ""},
		{"no JSON", `{"model":`, "the body is not what the API takes"},
		{"two JSONs", body(user, "") + "{}", "something follows"},
		{"unknown key", replace(`"stream":`, `"foo":1,"stream":`).Replace(body(user, "")), "foo"},
		{"unknown key of a message", body(`{"role":"user","content":"a","foo":1}`, ""), "foo"},
		{"no stream", replace(`"stream":true`, `"stream":false`).Replace(body(user, "")), "no stream with usage"},
		{"no model", replace(`"m"`, `""`).Replace(body(user, "")), "no model"},
		{"no messages", body("", ""), "messages is no list, or empty"},
		{"no user", body(system+","+callC1+","+resultX, ""), "first message is not the user's"},
		{"late system", body(user+","+system, ""), "not the first"},
		{"placeholder in system", body(`{"role":"system","content":"in {{CWD}}"},`+user, ""), "placeholder"},
		{"placeholder in a tool", body(user, replace("Reads.", "In {{CWD}}.").Replace(read)), "placeholder"},
		{"no result", body(user+","+callC1, ""), "have no result"},
		{"user before the result", body(user+","+callC1+","+user, ""), "have no result"},
		{"two results", body(user+","+callC1+","+resultX+","+resultX, ""), "result of"},
		{"result of another", body(user+","+callC1+","+replace("c1", "c2").Replace(resultX), ""), `result of "c2"`},
		{"id twice", body(user+","+callC1+","+resultX+","+callC1+","+resultX, ""), "used twice"},
		{"illegal id", body(user+","+replace("c1", "c 1").Replace(callC1+","+resultX), ""), "illegal type, id or name"},
		{"illegal name of a call", body(user+","+replace("read", "re.ad").Replace(callC1)+","+resultX, ""), "illegal type, id or name"},
		{"arguments no object", body(user+","+replace(`"{}"`, `"[]"`).Replace(callC1)+","+resultX, ""), "no JSON object"},
		{"ends with the assistant", body(user+`,{"role":"assistant","content":"a"}`, ""), "last message is the assistant's"},
		{"empty user", body(`{"role":"user","content":" "}`, ""), "empty"},
		{"empty assistant", body(user+`,{"role":"assistant","content":""},`+user, ""), "empty"},
		{"empty result", body(user+","+callC1+`,{"role":"tool","content":"","tool_call_id":"c1"}`, ""), "empty"},
		{"unknown role", body(user+`,{"role":"robot","content":"a"}`, ""), "unknown role"},
		{"unknown part", body(`{"role":"user","content":[{"type":"sound","text":"a"}]}`, ""), "illegal kind"},
		{"content no text", body(`{"role":"user","content":7}`, ""), "neither text nor a list"},
		{"illegal tool name", body(user, replace(`"read"`, `"re.ad"`).Replace(read)), "illegal or there twice"},
		{"tool twice", body(user, read+","+read), "illegal or there twice"},
		{"schema no object", body(user, replace(`"type":"object"`, `"type":"string"`).Replace(read)), "no object"},
		{"array without items", body(user, replace(`,"items":{}`, ``).Replace(read)), "without items"},
		{"choices at the top", body(user, replace(`"properties"`, `"anyOf":[],"properties"`).Replace(read)), "anyOf at the top"},
		{"choice without tools", replace(`"stream":`, `"tool_choice":"auto","stream":`).Replace(body(user, "")), "without tools"},
	}
	for _, tt := range tests {
		r := &recorder{}
		s := fakellm.Start(r, "reply\n text ok\n")
		status, _ := post(t, s, tt.body)
		got := r.end()
		if status != 200 || (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: status %d, failures %q, want %q", tt.name, status, got, tt.want)
		}
	}
}

// The stable prefix: each conversation grows byte for byte, unless the script
// allows a break.
func TestPrefix(t *testing.T) {
	grown := system + "," + user + "," + callC1 + "," + resultX
	tests := []struct{ name, script, first, second, want string }{
		{"grown", "", body(system+","+user, read), body(grown, read), ""},
		{"the same again", "", body(grown, read), body(grown, read), ""},
		{"system changed", "", body(system+","+user, read), body(strings.Replace(grown, `"S"`, `"T"`, 1), read), "the system text is not that of request 1"},
		{"system changed, allowed", "break system", body(system+","+user, read), body(strings.Replace(grown, `"S"`, `"T"`, 1), read), ""},
		{"messages too", "break system", body(system+","+user, read), body(strings.NewReplacer(`"S"`, `"T"`, "hi", "ho").Replace(grown), read), "message 0 after the system's is not that"},
		{"tools changed", "", body(user, read), body(user, strings.Replace(read, "Reads.", "R", 1)), "the tools are not those"},
		{"tools changed, allowed", "break tools", body(user, read), body(user, ""), ""},
		{"message changed", "", body(system+","+user, ""), body(strings.Replace(grown, "hi", "ho", 1), ""), "message 0 after the system's is not that of request 1: at byte 27"},
		{"spaces count", "", body(user, ""), body(strings.Replace(user, ":", ": ", 1), ""), "message 0 after the system's is not that"},
		{"shorter", "", body(grown, ""), body(system+","+user, ""), "fewer than those"},
		{"shorter, allowed", "break messages", body(grown, ""), body(system+","+user, ""), ""},
		{"another conversation", "conversation b", body(grown, read), body(user, ""), ""},
	}
	for _, tt := range tests {
		r := &recorder{}
		s := fakellm.Start(r, "reply\n text a\nreply\n "+tt.script+"\n text b\n")
		post(t, s, tt.first)
		post(t, s, tt.second)
		if got := r.end(); (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: failures %q, want %q", tt.name, got, tt.want)
		}
	}
	// The first conversation goes on where it stood.
	r := &recorder{}
	s := fakellm.Start(r, "reply\n text a\nreply\n conversation b\n text b\nreply\n text c\n")
	post(t, s, body(system+","+user, ""))
	post(t, s, body(user, ""))
	post(t, s, body(grown, ""))
	if got := r.end(); got != "" {
		t.Errorf("two conversations: %s", got)
	}
}

func TestExpectations(t *testing.T) {
	conversation := body(system+","+user+`,{"role":"assistant","content":"old"},{"role":"user","content":"new \"q\""}`, read)
	for script, want := range map[string]string{
		"expect contains hi":                   "",
		`expect contains "new \"q\""`:          "",
		"expect contains Reads.":               "",
		"expect contains <<E\n  new \"q\"\n E": "",
		"expect contains gone":                 `does not contain "gone"`,
		"expect-not contains gone":             "",
		"expect-not contains old":              `contains "old"`,
		"expect-last contains new":             "",
		"expect-last contains old":             `does not contain "old"`,
		"expect-last-not contains hi":          "",
		"expect-tools read":                    "",
		"expect-tools rea":                     `does not contain "rea"`,
		"expect-tools-not read write":          `contains "read"`,
	} {
		r := &recorder{}
		s := fakellm.Start(r, "reply\n "+script+"\n text a\n")
		post(t, s, conversation)
		if got := r.end(); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: failures %q, want %q", script, got, want)
		}
	}
}

func TestScriptIsUsedUp(t *testing.T) {
	r := &recorder{}
	s := fakellm.Start(r, "reply\n text a\n")
	post(t, s, body(user, ""))
	if status, _ := post(t, s, body(user, "")); status != 500 {
		t.Errorf("status %d of a request too many", status)
	}
	if got := r.end(); !strings.Contains(got, "unexpected request 2") || !strings.Contains(got, "hi") {
		t.Errorf("failures %q", got)
	}

	r = &recorder{}
	s = fakellm.Start(r, "reply\n text a\n\nreply\n text b\n")
	s.Add("reply\n text c\n")
	post(t, s, body(user, ""))
	if got := r.end(); !strings.Contains(got, "2 of 3 replies were not asked for; the first is at line 4") {
		t.Errorf("failures %q", got)
	}

	r = &recorder{}
	s = fakellm.Start(r, "")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(s.URL() + "/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if got := r.end(); !strings.Contains(got, "unexpected request GET /v1/elsewhere") {
		t.Errorf("failures %q", got)
	}
}

// What a request looks like to a test, and on the wire what a reply does.
func TestAccessors(t *testing.T) {
	s := fakellm.Start(t, `
reply
  text a b
  call read {"path":"x"}
  call id=mine read
  usage prompt=7 completion=3 cached=2
reply
  status 429 Retry-After=3 X-Note="two words" body={"a": 1}
`)
	_, got := post(t, s, body(system+","+user, read))
	for _, part := range []string{`"content":"a "`, `"content":"b"`, `"id":"call_1_1"`, `"id":"mine"`, `"arguments":"{\"path\":\"x\"}"`,
		`"finish_reason":"tool_calls"`, `"total_tokens":10`, `"cached_tokens":2`, "data: [DONE]\n\n"} {
		if !strings.Contains(got, part) {
			t.Errorf("the reply lacks %s:\n%s", part, got)
		}
	}
	r := s.WaitRequest(1)
	if r.Model != "m" || r.System != "S" || len(r.Messages) != 1 || r.Last().Text != "hi" || !reflect.DeepEqual(r.ToolNames(), []string{"read"}) {
		t.Errorf("request %+v", r)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body(system+","+user, read)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "3" || resp.Header.Get("X-Note") != "two words" || string(raw) != `{"a": 1}` {
		t.Errorf("status %d, %v, %s", resp.StatusCode, resp.Header, raw)
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestHold(t *testing.T) {
	s := fakellm.Start(t, "reply\n text a\n hold later\n text b\n")
	done := make(chan string)
	go func() {
		_, got := post(t, s, body(user, ""))
		done <- got
	}()
	s.WaitHeld("later")
	select {
	case got := <-done:
		t.Fatalf("the reply did not wait: %s", got)
	default:
	}
	s.Release("later")
	if got := <-done; !strings.Contains(got, `"content":"b"`) {
		t.Errorf("got %s", got)
	}
}

func TestRawAndCut(t *testing.T) {
	s := fakellm.Start(t, "reply\n raw \"data: x\\r\"\n raw\n raw <<E\n  a\n   b\n  E\nreply\n text abc\n cut after=5\n")
	if _, got := post(t, s, body(user, "")); got != "data: x\r\n\na\n b\n" {
		t.Errorf("raw: %q", got)
	}
	if _, got := post(t, s, body(user, "")); got != "data:" {
		t.Errorf("cut: %q", got)
	}
	r := &recorder{}
	far := fakellm.Start(r, "reply\n text abc\n cut after=50000\n")
	post(t, far, body(user, ""))
	if got := r.end(); !strings.Contains(got, "is beyond its") {
		t.Errorf("a cut that never came: %q", got)
	}
}

func TestParseErrors(t *testing.T) {
	for script, want := range map[string]string{
		"text a":                          `line 1: "text" before the first reply`,
		"reply\nfoo":                      `line 2: unknown verb "foo"`,
		"reply\n\nusage prompt=x":         "line 3: usage",
		"reply\nusage tokens=1":           "line 2: usage",
		"reply\nstatus abc":               "no HTTP status",
		"reply\nstatus 429 abc":           "no header=value",
		"reply\ncut 7":                    "after=BYTES",
		"reply\nbreak all":                "none of system",
		"reply\ncall":                     "a call of what",
		"reply\nexpect hi":                "contains WORDS",
		"reply\nexpect-first contains hi": "unknown verb",
		"reply\nexpect contains":          "contains WORDS",
		"reply\ntext <<END\na":            "no line",
		`reply` + "\n" + `text "a\q"`:     "line 2",
	} {
		if _, err := fakellm.Parse(script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}

// No script makes the parser fail in another way than with an error.
func FuzzParse(f *testing.F) {
	f.Add("reply\n text <<E\n a\n E\n status 429 a=\"b\" body=c\n call id=x y {}\n")
	f.Add("reply\n usage prompt=1\n cut after=1 clean\n expect-last-not contains \"\\n\"\n")
	f.Fuzz(func(t *testing.T, script string) {
		replies, err := fakellm.Parse(script)
		if err != nil && replies != nil {
			t.Error("replies beside an error")
		}
	})
}
