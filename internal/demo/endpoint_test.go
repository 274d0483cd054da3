package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/demo"
	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/transcript"
)

// endpoint starts a model and the real client for it.
func endpoint(t testing.TB, pace time.Duration) (*demo.Model, *openai.Client) {
	t.Helper()
	m, err := demo.Start(demo.Options{Pace: pace})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	c, err := openai.New(openai.Options{BaseURL: m.BaseURL, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return m, c
}

func user(text string) transcript.Message {
	return transcript.Message{Role: transcript.User, Parts: []transcript.Part{transcript.TextPart(text)}}
}

// request asks with tools of these names on offer.
func request(names []string, messages ...transcript.Message) llm.Request {
	req := llm.Request{Model: llm.ModelFor(demo.ModelID), System: "You are a test.", Messages: messages}
	for _, n := range names {
		req.Tools = append(req.Tools, llm.ToolDef{Name: n, Schema: json.RawMessage(`{"type":"object","properties":{}}`)})
	}
	return req
}

// answer streams a reply to its end.
func answer(t testing.TB, c *openai.Client, req llm.Request) *llm.Fold {
	t.Helper()
	var f llm.Fold
	for ev, err := range c.Stream(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		f.Add(ev)
	}
	return &f
}

var allTools = []string{"list_files", "read_file", "list_code_definition_names", "search_files", "replace_in_file",
	"execute_command", "attempt_completion", "plan_mode_respond", "weather__get_forecast"}

func TestStream(t *testing.T) {
	_, c := endpoint(t, 0)
	req := request(allTools, user("<task>\n明天华盛顿的天气怎么样？\n</task>"))
	var texts, args []string
	var f llm.Fold
	for ev, err := range c.Stream(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		f.Add(ev)
		switch ev.Kind {
		case llm.TextDelta:
			texts = append(texts, ev.Text)
		case llm.CallDelta:
			args = append(args, ev.Text)
		}
	}
	if len(texts) < 5 || len(args) < 3 {
		t.Errorf("streamed as %q and %q", texts, args)
	}
	if got := strings.Join(texts, ""); got != "我来查询明天的天气。先看看工作区里有什么。" {
		t.Errorf("text %q", got)
	}
	call := f.Parts()[1].Call
	const want = `{"path":".","recursive":false,"task_progress":"- [ ] 查看工作区\n- [ ] 找到地点的坐标\n- [ ] 查询明天的天气预报\n- [ ] 整理结果"}`
	if f.Reason != llm.ToolUse || call.Name != "list_files" || call.ID != "call_1" || call.Arguments != want {
		t.Errorf("reason %q, call %+v", f.Reason, call)
	}
	if f.Usage.Input < 50 || f.Usage.CacheRead != 0 || f.Usage.Output < 10 || f.Usage.Estimated {
		t.Errorf("usage %+v", f.Usage)
	}
	// The next request repeats what was said; so much of it is cached.
	first := f.Usage.Total()
	req.Messages = append(req.Messages,
		transcript.Message{Role: transcript.Assistant, Parts: f.Parts()},
		transcript.Message{Role: transcript.Tool, Parts: []transcript.Part{{Kind: transcript.ResultPart,
			Result: &transcript.Result{CallID: call.ID, Name: call.Name, Text: ". is empty."}}}})
	second := answer(t, c, req).Usage
	if second.CacheRead < 20 || second.CacheRead >= first || second.Total() <= first {
		t.Errorf("usage %+v after %+v", second, f.Usage)
	}
}

func TestWithoutTools(t *testing.T) {
	_, c := endpoint(t, 0)
	f := answer(t, c, request(nil, user("hello")))
	if f.Reason != llm.EndTurn || len(f.Parts()) != 1 || !strings.Contains(f.Parts()[0].Text, "scripted model") {
		t.Errorf("reason %q, parts %+v", f.Reason, f.Parts())
	}
}

// A completion that is not taken is not sent for ever.
func TestCompletionNotTaken(t *testing.T) {
	_, c := endpoint(t, 0)
	req := request(allTools, user("<task>\nhello\n</task>"))
	for range 3 {
		f := answer(t, c, req)
		call := f.Parts()[0].Call
		if call == nil {
			if f.Reason != llm.EndTurn || len(req.Messages) < 3 {
				t.Errorf("reason %q after %d messages", f.Reason, len(req.Messages))
			}
			return
		}
		req.Messages = append(req.Messages, transcript.Message{Role: transcript.Assistant, Parts: f.Parts()}, result(call, "no"))
	}
	t.Error("still no plain text")
}

func result(call *transcript.Call, text string) transcript.Message {
	return transcript.Message{Role: transcript.Tool, Parts: []transcript.Part{{Kind: transcript.ResultPart,
		Result: &transcript.Result{CallID: call.ID, Name: call.Name, Text: text}}}}
}

func TestModels(t *testing.T) {
	m, c := endpoint(t, 0)
	list, err := c.ListModels(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != demo.ModelID {
		t.Errorf("models %+v, %v", list, err)
	}
	if found := openai.Discover(t.Context(), []string{m.BaseURL}); len(found) != 1 || !slices.Equal(found[0].Models, []string{demo.ModelID}) {
		t.Errorf("found %+v", found)
	}
}

func TestBadRequests(t *testing.T) {
	m, _ := endpoint(t, 0)
	for _, tt := range []struct{ body, want string }{
		{`{"messages":`, "not valid"},
		{`[]`, "not valid"},
		{``, "not valid"},
		{`{"stream":true}`, "messages are missing"},
		{`{"messages":[{"role":"user","content":"x"}]}`, "only streams"},
		{`{"messages":"` + strings.Repeat("x", 9<<20) + `"}`, "too large"},
	} {
		resp, err := http.Post(m.BaseURL+"/chat/completions", "application/json", strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		var e struct {
			Error struct{ Message, Type string }
		}
		err = json.NewDecoder(resp.Body).Decode(&e)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusBadRequest || e.Error.Type != "invalid_request_error" || !strings.Contains(e.Error.Message, tt.want) {
			t.Errorf("%.40s: %d %+v, %v", tt.body, resp.StatusCode, e, err)
		}
	}
	for _, path := range []string{"/completions", "/models/x"} {
		resp, err := http.Get(m.BaseURL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// The chunks are those of OpenAI: ids and roles for clients that insist on them,
// usage only for those that ask.
func TestChunks(t *testing.T) {
	m, _ := endpoint(t, 0)
	for _, usage := range []bool{true, false} {
		body := fmt.Sprintf(`{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"stream":true,"stream_options":{"include_usage":%v}}`, usage)
		resp, err := http.Post(m.BaseURL+"/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		wantIn(t, text, `"object":"chat.completion.chunk"`, `"id":"chatcmpl-demo"`, `"delta":{"content":"","role":"assistant"}`, `"finish_reason":"stop"`, "data: [DONE]\n\n")
		if strings.Contains(text, `"prompt_tokens"`) != usage {
			t.Errorf("usage asked: %v, got\n%s", usage, text)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// A client that leaves in the middle ends what was being served for it, and
// nothing else.
func TestClientLeaves(t *testing.T) {
	_, c := endpoint(t, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	req := request(allTools, user("<task>\nweather in Washington\n</task>"))
	for ev, err := range c.Stream(ctx, req) {
		if ev.Kind == llm.Heartbeat { // the headers and the first chunk are here
			cancel()
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	cancel()
	if _, err := c.ListModels(t.Context()); err != nil {
		t.Error(err)
	}
}

// Close ends a reply in the middle, and a request that never comes.
func TestClose(t *testing.T) {
	m, c := endpoint(t, time.Hour)
	half, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(m.BaseURL, "http://"), "/v1"))
	if err != nil {
		t.Fatal(err)
	}
	defer half.Close()
	if _, err := half.Write([]byte("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")); err != nil {
		t.Fatal(err)
	}
	var failed error
	for ev, err := range c.Stream(t.Context(), request(nil, user("hi"))) {
		if ev.Kind == llm.Heartbeat {
			m.Close()
		}
		failed = err
	}
	if e := llm.AsError(failed); failed == nil || e.Class != llm.Network {
		t.Errorf("the stream ended with %v", failed)
	}
	if _, err := c.ListModels(t.Context()); err == nil {
		t.Error("still served after Close")
	}
	m.Close() // again does nothing
}

// Whatever the tools return, a task comes to its end.
func TestAnyResultsEnd(t *testing.T) {
	_, c := endpoint(t, 0)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 150 {
		question := []string{"weather in Washington", "纽约的天气", "fix the discount", "hello"}[i%4]
		mode := []string{"ACT", "PLAN"}[rng.IntN(2)]
		walk(t, c, question, mode, func() string { return randomResult(rng) })
	}
}

// walk plays a task with made-up results until it is completed, in 12 steps.
func walk(t *testing.T, c *openai.Client, question, mode string, next func() string) {
	t.Helper()
	req := request(allTools, user("<task>\n"+question+"\n</task>\n\n<environment_details>\n# Detected CLI Tools\ngit, go\n\n# Current Mode\n"+mode+" MODE\n</environment_details>"))
	seen := map[string]int{}
	for range 12 {
		f := answer(t, c, req)
		call := f.Parts()[len(f.Parts())-1].Call
		if call == nil {
			t.Fatalf("no call but %q", f.Parts()[0].Text)
		}
		var args map[string]any
		if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil {
			t.Fatalf("%s: %v in %s", call.Name, err, call.Arguments)
		}
		if call.Name == "attempt_completion" || call.Name == "plan_mode_respond" {
			if args["result"] == "" || args["response"] == "" {
				t.Errorf("an empty answer to %q", question)
			}
			return
		}
		delete(args, "task_progress")
		same, _ := json.Marshal(args)
		if seen[call.Name+string(same)]++; seen[call.Name+string(same)] > 2 {
			t.Errorf("%s %s for the third time", call.Name, same)
		}
		req.Messages = append(req.Messages, transcript.Message{Role: transcript.Assistant, Parts: f.Parts()},
			result(call, next()+"\n\n<environment_details>\n# Current Mode\n"+mode+" MODE\n</environment_details>"))
	}
	t.Fatalf("%q does not end", question)
}

// pieceTexts are pieces of real results, to be put together wildly.
var pieceTexts = []string{
	". (2 entries)\nplaces.md\nREADME.md", "places.md, 2 lines\n1 | Washington: 38.9, -77.0\n2 | New York: 999.9, 5.5", "3 definitions in 1 file of .\n\nprice.go\n9 | func Discount(p, percent int) int",
	"Found 1 match in 1 file.\n\nprice.go\n9:func Discount(p, percent int) int {", "price.go, 1 line\n1 | \treturn price - percent", "price.go: unchanged since you read it, see above.",
	"Edited price.go: 1 added, 1 removed.", "The command succeeded (exit code 0, 1s).\nOutput:\nok", "The command failed with exit code 1 (1s).",
	"The user denied this. Nothing was read and nothing was changed. Do not try the same again.", "The user denied this call. It was NOT made and nothing was changed. The user says:\n<feedback>\nNew York\n</feedback>",
	"The user denied this. The user says:\n<feedback>\nWashington weather discount\n</feedback>", "The call was refused and nothing was done. In plan mode nothing may be changed.", "The user interrupted this call.",
	"\nTonight:\nTemperature: 66°F\n\n---\n\nSunday:\nTemperature: 76°F\nWind: N\nForecast: x", "The tool reports an error:\nno", "(no output)", "</environment_details>", "\x00\xff", "",
}

func randomResult(rng *rand.Rand) string {
	var b bytes.Buffer
	for range rng.IntN(3) + 1 {
		b.WriteString(pieceTexts[rng.IntN(len(pieceTexts))])
		if rng.IntN(3) == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}
