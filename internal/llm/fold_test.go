package llm_test

import (
	"encoding/json"
	"testing"
	"time"

	"clined/internal/llm"
	"clined/internal/transcript"
)

func TestFold(t *testing.T) {
	var f llm.Fold
	places := []llm.Place{}
	for _, e := range []llm.Event{
		{Kind: llm.Heartbeat},
		{Kind: llm.ThinkingDelta, Text: "a"},
		{Kind: llm.ThinkingDelta, Text: "b", Signature: "S"},
		{Kind: llm.ThinkingDelta, Text: "c"},
		{Kind: llm.TextDelta, Text: ""},
		{Kind: llm.TextDelta, Text: "x"},
		{Kind: llm.CallStart, Index: 0, ID: "1", Name: "read"},
		{Kind: llm.CallStart, Index: 1, ID: "2", Name: "list"},
		{Kind: llm.CallDelta, Index: 1, Text: "{}"},
		{Kind: llm.CallDelta, Index: 0, Text: `{"a":`},
		{Kind: llm.TextDelta, Text: "y"},
		{Kind: llm.CallDelta, Index: 0, Text: `1}`},
		{Kind: llm.CallDelta, Index: 7, Text: "nobody's"},
		{Kind: llm.UsageReport, Usage: transcript.Usage{Input: 1}},
		{Kind: llm.UsageReport, Usage: transcript.Usage{Input: 2}},
		{Kind: llm.Stop, Reason: llm.ToolUse},
	} {
		places = append(places, f.Add(e))
	}
	got, err := json.Marshal(f.Parts())
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"kind":"thinking","text":"ab","signature":"S"},{"kind":"thinking","text":"c"},{"kind":"text","text":"x"},` +
		`{"kind":"call","call":{"id":"1","name":"read","arguments":"{\"a\":1}"}},{"kind":"call","call":{"id":"2","name":"list","arguments":"{}"}},` +
		`{"kind":"text","text":"y"}]`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if f.Reason != llm.ToolUse || f.Usage.Input != 2 {
		t.Errorf("reason %q, usage %+v", f.Reason, f.Usage)
	}
	for i, p := range map[int]llm.Place{0: {Part: -1}, 1: {Part: 0, Opened: true}, 2: {Part: 0}, 3: {Part: 1, Opened: true}, 4: {Part: -1}, 8: {Part: 4}, 11: {Part: 3}, 12: {Part: -1}} {
		if places[i] != p {
			t.Errorf("event %d: place %+v, want %+v", i, places[i], p)
		}
	}
}

func TestBackoff(t *testing.T) {
	for _, tt := range []struct {
		attempt     int
		asked, want time.Duration
	}{
		{1, 0, 2 * time.Second}, {2, 0, 4 * time.Second}, {3, 0, 8 * time.Second},
		{1, 7500 * time.Millisecond, 7500 * time.Millisecond}, {1, 99999 * time.Second, 99999 * time.Second},
		{3, time.Second, 8 * time.Second}, {0, 0, 2 * time.Second}, {99, 0, 8 * time.Second},
	} {
		if got := llm.Backoff(tt.attempt, tt.asked); got != tt.want {
			t.Errorf("attempt %d, asked %v: %v, want %v", tt.attempt, tt.asked, got, tt.want)
		}
	}
}

func TestEstimateUsage(t *testing.T) {
	req := llm.Request{System: "12345678", Messages: []transcript.Message{{Role: transcript.User, Parts: []transcript.Part{transcript.TextPart("1234")}}}}
	answer := transcript.Message{Role: transcript.Assistant, Parts: []transcript.Part{{Kind: transcript.CallPart, Call: &transcript.Call{Name: "abcd", Arguments: "{}"}}}}
	if u := llm.EstimateUsage(req, answer); u != (transcript.Usage{Input: 3, Output: 2, Estimated: true}) {
		t.Errorf("%+v", u)
	}
	few := llm.EstimateUsage(req, answer)
	req.Messages[0].Parts = append(req.Messages[0].Parts, transcript.Part{Kind: transcript.ImagePart, Image: &transcript.Image{Data: make([]byte, 5<<20)}})
	if u := llm.EstimateUsage(req, answer); u.Input < few.Input+500 || u.Input > few.Input+3000 {
		t.Errorf("with a picture of 5 MiB: %+v", u)
	}
}
