package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/test/fakellm"
	"clined/internal/transcript"
)

func TestReplies(t *testing.T) {
	say := func(delta string) string { return `{"choices":[{"index":0,"delta":` + delta + `}]}` }
	tests := []struct {
		name   string
		chunks []string
		want   string
	}{
		{"text", []string{say(`{"role":"assistant","content":""}`), say(`{"content":"Hel"}`), say(`{"content":"lo"}`), "[DONE]"}, "text Hello\nend_turn\n"},
		{"parts", []string{say(`{"content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]}`), "[DONE]"}, "text Hello\nend_turn\n"},
		{"thinking, then text", []string{say(`{"reasoning_content":"a "}`), say(`{"reasoning_content":"b","content":null}`), say(`{"content":"c"}`), "[DONE]"},
			"thinking a b\ntext c\nend_turn\n"},
		{"reasoning", []string{say(`{"reasoning":"a"}`), say(`{"content":"c"}`), "[DONE]"}, "thinking a\ntext c\nend_turn\n"},
		{"the same thought under three names", []string{say(`{"reasoning":"a","reasoning_content":"a","reasoning_details":[{"type":"reasoning.text","text":"a"}]}`),
			say(`{"content":"c"}`), "[DONE]"}, "thinking a\ntext c\nend_turn\n"},
		{"reasoning_details alone", []string{say(`{"reasoning_details":[{"type":"reasoning.text","text":"a"},{"type":"reasoning.summary","summary":"b"}]}`),
			say(`{"content":"c"}`), "[DONE]"}, "thinking ab\ntext c\nend_turn\n"},
		{"thinking as a part", []string{say(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]}]}`), say(`{"content":"c"}`), "[DONE]"},
			"thinking a\ntext c\nend_turn\n"},
		{"refusal", []string{say(`{"content":null,"refusal":"I will not"}`), "[DONE]"}, "text I will not\nend_turn\n"},
		{"another choice", []string{`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]}`, "[DONE]"}, "text yes\nend_turn\n"},
		{"finish stop, no [DONE]", []string{say(`{"content":"a"}`), `{"choices":[{"delta":{},"finish_reason":"stop"}]}`}, "text a\nend_turn\n"},
		{"finish length", []string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"length"}]}`, "[DONE]"}, "text a\nlength\n"},
		{"finish content_filter", []string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"content_filter"}]}`, "[DONE]"}, "text a\ncontent_filter\n"},
		{"filtered at once", []string{`{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`, "[DONE]"}, "content_filter\n"},
		{"unknown finish", []string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"eos_token"}]}`, "[DONE]"}, "text a\nend_turn\n"},
		{"finish tool_calls without calls", []string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"tool_calls"}]}`, "[DONE]"}, "text a\nend_turn\n"},
		{"finish error", []string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"error"}]}`, "[DONE]"},
			"text a\noverloaded: the provider gave up in the middle of the answer (error)\n"},
		{"wrong types elsewhere", []string{`{"id":7,"choices":[{"delta":{"content":"a","role":1,"tool_calls":null},"logprobs":3}],"usage":"none"}`, "[DONE]"}, "text a\nend_turn\n"},
		{"cut", []string{say(`{"content":"a"}`)}, "text a\nnetwork: the model's answer broke off: the server closed the connection\n"},
		{"cut inside a chunk", []string{say(`{"content":"a"}`), `{"choices":[{"del`},
			"text a\nnetwork: the model's answer broke off: the server closed the connection\n"},
		{"empty", []string{"[DONE]"}, "network: the model sent an empty answer\n"},
		{"nothing said", []string{say(`{"role":"assistant","content":""}`), `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "[DONE]"},
			"network: the model sent an empty answer\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := run(t.Context(), client(t, openai.Options{BaseURL: events(t, tt.chunks...)}), hello())
			if got := o.String(); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// Answers of status 200 that are no stream of proper events.
func TestBodies(t *testing.T) {
	chunk := `{"choices":[{"delta":{"content":"a"}}]}`
	whole := `{"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`
	for _, tt := range []struct{ name, mime, body, want string }{
		{"one JSON object", "application/json", whole, "text a\nend_turn\n"},
		{"one JSON object, wrong type", "text/event-stream", "\n " + whole, "text a\nend_turn\n"},
		{"a stream, wrong type", "application/json", "data: " + chunk + "\n\ndata: [DONE]\n\n", "text a\nend_turn\n"},
		{"no blank lines", "text/event-stream", "data: " + chunk + "\ndata: " + chunk + "\ndata: [DONE]\n", "text aa\nend_turn\n"},
		{"byte order mark, CRLF", "text/event-stream", "\xef\xbb\xbfdata:" + chunk + "\r\n\r\ndata: [DONE]\r\n\r\n", "text a\nend_turn\n"},
		{"one event in two lines", "text/event-stream", "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n", "text a\nend_turn\n"},
		{"comments and pings", "text/event-stream", strings.Repeat(": OPENROUTER PROCESSING\n\n", 500) + "event: ping\ndata: {}\n\ndata:\n\nevent: ping\ndata: alive\n\ndata: " + chunk + "\n\ndata: [DONE]", "text a\nend_turn\n"},
		{"after [DONE]", "text/event-stream", "data: " + chunk + "\n\ndata: [DONE]\n\ndata: garbage\n\n", "text a\nend_turn\n"},
		{"garbage", "text/event-stream", "data: \x01\xff\n\n", "network: the model's answer is malformed: \"\\x01�\"\n"},
		{"garbage that is no stream", "application/octet-stream", strings.Repeat("\x01 what is this\n", 3), "network: the server's answer is malformed: \"what is this \\x01 what is this \\x01 what is this\"\n"},
		{"a long one that is no stream", "text/plain", "upstream connect error\n" + strings.Repeat("x", 100_000), "network: the server's answer is malformed: \"upstream connect error " + strings.Repeat("x", 96) + "…\"\n"},
		{"text", "text/plain", "upstream connect error", "network: the server's answer is malformed: \"upstream connect error\"\n"},
		{"cut in the first event", "text/event-stream", ": wait\n\ndata: {\"cho", "network: the model's answer broke off: the server closed the connection\n"},
		{"nothing", "text/event-stream", "", "network: the model sent an empty answer\n"},
		{"a web page", "text/html", "<!DOCTYPE html><html><title>Log in</title></html>", "refused: the server answered with a web page (HTTP 200)\n"},
		{"an error instead of an answer", "application/json", `{"error":{"message":"busy","code":503}}`, "overloaded: busy (HTTP 503)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url := serve(t, 200, http.Header{"Content-Type": {tt.mime}}, tt.body)
			o := run(t.Context(), client(t, openai.Options{BaseURL: url}), hello())
			if got := o.String(); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// An endpoint that never stops is left, before it fills the memory.
func TestEndlessAnswers(t *testing.T) {
	large := strings.Repeat("0123456789abcdef", 256<<10)
	for name, chunk := range map[string]string{
		"text":               `{"choices":[{"delta":{"content":"` + large + `"}}]}`,
		"calls in one event": `{"choices":[{"delta":{"tool_calls":[` + indexedCalls(50_000) + `]}}]}`,
		"long ids":           `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"` + large + `"}]}}]}`,
		"calls":              `{"choices":[{"delta":{"tool_calls":[` + strings.Repeat(`{"function":{"name":"get_time","arguments":"{}"}},`, 99) + `{"function":{"name":"get_time","arguments":"{}"}}]}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for r.Context().Err() == nil {
					if _, err := io.WriteString(w, "data: "+chunk+"\n\n"); err != nil {
						return
					}
				}
			}))
			defer s.Close()
			c := client(t, openai.Options{BaseURL: s.URL + "/v1"})
			calls := 0
			for e, err := range c.Stream(t.Context(), hello()) {
				if e.Kind == llm.CallStart {
					calls++
				}
				if calls > 1000 {
					t.Fatal("more calls than any model makes")
				}
				if err != nil && (class(err) != llm.Refused || !strings.Contains(err.Error(), "does not end")) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

func indexedCalls(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"index":%d,"id":"c%[1]d","function":{"name":"get_time","arguments":"{\"n\":%[1]d}"}}`, i))
	}
	return strings.Join(all, ",")
}

// Who stops need not wait for the end of an event, however long it is.
func TestCancelledWithinAnEvent(t *testing.T) {
	url := serve(t, 200, nil, `data: {"choices":[{"delta":{"tool_calls":[`+indexedCalls(900)+"]}}]}\n\ndata: [DONE]\n\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls, end := 0, error(nil)
	for e, err := range client(t, openai.Options{BaseURL: url}).Stream(ctx, hello()) {
		if e.Kind == llm.CallStart {
			calls++
			cancel()
		}
		end = err
	}
	if calls != 1 || !errors.Is(end, context.Canceled) {
		t.Errorf("%d calls, then %v", calls, end)
	}
}

// Content is read as deep as servers nest it, and no deeper.
func TestNestedContent(t *testing.T) {
	for deep, want := range map[int]string{
		0: "text a\nend_turn\n", 1: "text a\nend_turn\n", 3: "text a\nend_turn\n", 7: "text a\nend_turn\n",
		8: "network: the model sent an empty answer\n", 3000: "network: the model sent an empty answer\n",
	} {
		content := strings.Repeat("[", deep) + `"a"` + strings.Repeat("]", deep)
		url := serve(t, 200, nil, `data: {"choices":[{"delta":{"content":`+content+"}}]}\n\ndata: [DONE]\n\n")
		if got := run(t.Context(), client(t, openai.Options{BaseURL: url}), hello()).String(); got != want {
			t.Errorf("%d levels: got %q, want %q", deep, got, want)
		}
	}
}

// The counts are disjoint and add up to the provider's total. The first three
// are of a recorded session of the weather story.
func TestUsage(t *testing.T) {
	tests := []struct {
		name, usage string
		want        transcript.Usage
		total       int
	}{
		{"weather 1, details and hits", `{"prompt_tokens":6878,"completion_tokens":149,"total_tokens":7027,"prompt_tokens_details":{"cached_tokens":64},"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":6814}`,
			transcript.Usage{Input: 6814, CacheRead: 64, Output: 149}, 7027},
		{"weather 2, hits", `{"prompt_tokens":7204,"completion_tokens":127,"total_tokens":7331,"prompt_cache_hit_tokens":6976,"prompt_cache_miss_tokens":228}`,
			transcript.Usage{Input: 228, CacheRead: 6976, Output: 127}, 7331},
		{"weather 3", `{"prompt_tokens":8320,"completion_tokens":226,"total_tokens":8546,"prompt_cache_hit_tokens":7296,"prompt_cache_miss_tokens":1024}`,
			transcript.Usage{Input: 1024, CacheRead: 7296, Output: 226}, 8546},
		{"plain", `{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}`, transcript.Usage{Input: 10, Output: 2}, 12},
		{"details null", `{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"prompt_tokens_details":null}`, transcript.Usage{Input: 10, Output: 2}, 12},
		{"no total", `{"prompt_tokens":10,"completion_tokens":2}`, transcript.Usage{Input: 10, Output: 2}, 12},
		{"hit and miss alone", `{"completion_tokens":2,"prompt_cache_hit_tokens":6,"prompt_cache_miss_tokens":4}`, transcript.Usage{Input: 4, CacheRead: 6, Output: 2}, 12},
		{"written to the cache", `{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":3,"cache_write_tokens":5}}`,
			transcript.Usage{Input: 2, CacheRead: 3, CacheWrite: 5, Output: 2}, 12},
		{"reasoning in the total only", `{"prompt_tokens":10,"completion_tokens":2,"total_tokens":20}`, transcript.Usage{Input: 10, Output: 10}, 20},
		{"floats", `{"prompt_tokens":10.0,"completion_tokens":2.0,"total_tokens":12.0}`, transcript.Usage{Input: 10, Output: 2}, 12},
		{"more cached than sent", `{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":64}}`, transcript.Usage{CacheRead: 10, Output: 2}, 12},
		{"zeros", `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`, transcript.Usage{}, 0},
		{"null", `null`, transcript.Usage{}, 0},
	}
	for _, tt := range tests {
		for place, chunks := range map[string][]string{
			"last":       {`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`, `{"choices":[],"usage":` + tt.usage + `}`},
			"every":      {`{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, `{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":` + tt.usage + `}`},
			"the choice": {`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop","usage":` + tt.usage + `}]}`},
		} {
			if place == "every" && tt.total == 0 {
				continue
			}
			o := run(t.Context(), client(t, openai.Options{BaseURL: events(t, append(chunks, "[DONE]")...)}), hello())
			if o.err != nil || o.fold.Usage != tt.want || o.fold.Usage.Total() != tt.total {
				t.Errorf("%s, usage in %s: %+v (%v), want %+v", tt.name, place, o.fold.Usage, o.err, tt.want)
			}
			reports := 0
			for _, e := range o.events {
				if e.Kind == llm.UsageReport {
					reports++
				}
			}
			if want := min(1, tt.total); reports != want {
				t.Errorf("%s: %d reports, want %d", tt.name, reports, want)
			}
		}
	}
}

// Any byte keeps a stream alive; silence ends it in good time,
// before the first byte too.
func TestIdle(t *testing.T) {
	tests := []struct {
		name, script string
		// release lets "hold x" go on every 1.5 seconds, this often.
		release []string
		want    string
		after   time.Duration
	}{
		{"comments keep it alive", "reply\n hold a\n comment x\n hold b\n comment x\n hold c\n text hi\n", []string{"a", "b", "c"}, "text hi\nend_turn\n", 4500 * time.Millisecond},
		{"silence in the stream", "reply\n text hi\n stall\n", nil, "text hi\nnetwork: the model said nothing for 2s\n", 2 * time.Second},
		{"silence after the end", "reply\n raw data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n raw\n stall\n", nil, "text hi\nend_turn\n", 2 * time.Second},
		{"silence before the answer", "reply\n status 200\n stall\n", nil, "network: the model said nothing for 2s\n", 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pipe := fakellm.NewPipe()
				s := fakellm.StartOn(t, pipe, tt.script)
				transport := &http.Transport{DialContext: pipe.Dial}
				c := client(t, openai.Options{BaseURL: s.URL(), IdleTimeout: 2 * time.Second, HTTPClient: &http.Client{Transport: transport}})
				go func() {
					for _, name := range tt.release {
						time.Sleep(1500 * time.Millisecond)
						s.Release(name)
					}
				}()
				start := time.Now()
				o := run(t.Context(), c, hello())
				if got := o.String(); got != tt.want {
					t.Errorf("got\n%swant\n%s", got, tt.want)
				}
				if d := time.Since(start); d != tt.after {
					t.Errorf("ended after %v, want %v", d, tt.after)
				}
				c.Close()
				s.Close()
				synctest.Wait()
			})
		})
	}
}

// Whatever ends the wait, the connection is closed and the server sees it.
func TestLeavingClosesTheConnection(t *testing.T) {
	for name, script := range map[string]string{
		"in the stream":     "reply\n text hello there\n stall\n",
		"before the answer": "reply\n status 200\n stall\n",
	} {
		t.Run("cancel "+name, func(t *testing.T) {
			s := fakellm.Start(t, script)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				s.WaitHeld("stall")
				cancel()
			}()
			o := run(ctx, client(t, openai.Options{BaseURL: s.URL()}), hello())
			if o.err != context.Canceled {
				t.Errorf("error %v, want %v", o.err, context.Canceled)
			}
			<-s.WaitRequest(1).Gone()
		})
	}
	t.Run("leave the loop", func(t *testing.T) {
		s := fakellm.Start(t, "reply\n text hello there\n stall\n")
		for e := range client(t, openai.Options{BaseURL: s.URL()}).Stream(t.Context(), hello()) {
			if e.Kind == llm.TextDelta {
				break
			}
		}
		<-s.WaitRequest(1).Gone()
	})
	t.Run("deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			pipe := fakellm.NewPipe()
			s := fakellm.StartOn(t, pipe, "reply\n text hello\n stall\n")
			c := client(t, openai.Options{BaseURL: s.URL(), HTTPClient: &http.Client{Transport: &http.Transport{DialContext: pipe.Dial}}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if o := run(ctx, c, hello()); o.err != context.DeadlineExceeded {
				t.Errorf("error %v", o.err)
			}
			c.Close()
			s.Close()
		})
	})
}

// A connection that ends at any byte gives an error or, once the reply is
// complete, all of it; never less.
func TestCutAnywhere(t *testing.T) {
	const body = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	complete := strings.Index(body, "\n\ndata: [DONE]")
	for n := range len(body) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(body[:n]))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = s.Serve(l)
		}()
		o := run(t.Context(), client(t, openai.Options{BaseURL: "http://" + l.Addr().String() + "/v1"}), hello())
		switch {
		case o.err == nil && (n <= complete || o.String() != "text hi\nend_turn\n"):
			t.Errorf("cut after %d of %d bytes: a success of\n%s", n, len(body), o)
		case o.err != nil && (n > complete+2 || class(o.err) != llm.Network):
			t.Errorf("cut after %d of %d bytes: %v", n, len(body), o.err)
		}
		_ = s.Close()
		<-done
	}
}
