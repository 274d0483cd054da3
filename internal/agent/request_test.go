package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
)

// A model that says nothing for long is shown to be waited for, with what
// is known of it, and no longer once it speaks.
func TestSilenceIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, nil, answer{events: append([]llm.Event{{Kind: llm.Heartbeat}}, call(`attempt_completion {"result":"done"}`)...)})
		s.model.at = func(_, event int) {
			if event < 2 { // before the heartbeat, and before the first word
				time.Sleep(40 * time.Second)
			}
		}
		s.say(t, "go")
		if end := s.sink.idle(1); end.StopReason != event.Completed {
			t.Fatalf("ended with %+v", end)
		}
		var got []string
		for _, st := range all[event.State](s.sink) {
			switch {
			case st.Waiting != nil && st.Waiting.DelayMs == 0 && st.Waiting.Attempt == 1:
				got = append(got, fmt.Sprintf("%d %s", st.Waiting.WaitedMs/1000, st.Waiting.Reason))
			case st.State == event.Running:
				got = append(got, "running")
			}
		}
		want := []string{
			"running",
			"15 the model has not answered yet, after 15s",
			"45 the server is at work on the answer, after 45s",
			"75 the server is at work on the answer, after 1m15s",
			"running",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// manyTools offers a number of tools that may change.
type manyTools struct {
	box
	n int
}

func (m *manyTools) Defs(context.Context) []llm.ToolDef {
	defs := make([]llm.ToolDef, m.n)
	for i := range defs {
		defs[i].Name = fmt.Sprintf("t%d", i+1)
	}
	return defs
}

// fewTools is a model that takes three tools.
type fewTools struct{ *script }

func (f fewTools) Select(mode tools.Mode) (agent.Model, llm.Model, error) {
	client, m, err := f.script.Select(mode)
	m.MaxTools = 3
	return client, m, err
}

// Tools beyond the provider's limit are left out, and the user is told
// which, once as long as they are the same.
func TestToolsBeyondTheLimitAreTold(t *testing.T) {
	offered := &manyTools{n: 5}
	s := newStage(t, func(s *stage, c *agent.Config) {
		offered.box = s.tools
		offered.box["look"] = func(context.Context, tools.Call) tools.Result { return tools.Result{Text: "seen"} }
		c.Tools, c.Models = offered, fewTools{s.model}
	}, answer{events: call(`look {"n":1}`)}, finish(), finish(), finish(), finish(), finish())
	for i, n := range []int{5, 3, 4, 13, 15} {
		offered.n = n // between turns nobody reads it
		s.say(t, "go")
		s.sink.idle(i + 1)
	}
	var told []string
	for _, n := range all[event.Notice](s.sink) {
		told = append(told, n.Text)
	}
	want := []string{"there are 5 tools, the model takes 3; left out: t4, t5", "there are 4 tools, the model takes 3; left out: t4",
		"there are 13 tools, the model takes 3; left out: t4, t5, t6, t7, t8, t9, t10, t11, t12, t13",
		"there are 15 tools, the model takes 3; left out: t4, t5, t6, t7, t8, t9, t10, t11, t12, t13 and 2 more"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	for i, req := range s.model.got {
		if len(req.Tools) != 3 || req.Tools[2].Name != "t3" {
			t.Errorf("request %d offers %v", i, req.Tools)
		}
	}
}

// An answer that the provider's filter stopped fails the turn with a valid
// record, whatever was in it, and the next turn goes through.
func TestFilteredAnswer(t *testing.T) {
	stopped := llm.Event{Kind: llm.Stop, Reason: llm.Filtered}
	calls := call(`look {}`)
	for name, events := range map[string][]llm.Event{
		"nothing": {stopped},
		"text":    {{Kind: llm.TextDelta, Text: "I"}, stopped},
		"a call":  append(calls[:len(calls)-1:len(calls)-1], stopped),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, nil, answer{events: events}, finish())
			s.tools["look"] = func(context.Context, tools.Call) tools.Result {
				t.Error("the call was run")
				return tools.Result{}
			}
			s.say(t, "go")
			if end := s.sink.idle(1); end.StopReason != event.Failed || !strings.Contains(end.Error.Message, "content filter") {
				t.Fatalf("ended with %+v", end)
			}
			s.say(t, "again")
			if end := s.sink.idle(2); end.StopReason != event.Completed {
				t.Fatalf("the next turn ended with %+v", end)
			}
			for _, c := range all[event.ToolCall](s.sink) {
				if c.Name == "look" && c.Status == event.Done {
					t.Errorf("shown as %+v", c)
				}
			}
		})
	}
}

// A server that reads less than it was sent is told of, once.
func TestCutPromptsAreTold(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`look {"n":1}`)}, answer{events: call(`look {"n":2}`)}, finish())
	s.tools["look"] = func(context.Context, tools.Call) tools.Result {
		return tools.Result{Text: strings.Repeat("many words ", 3000)}
	}
	s.say(t, "go")
	s.sink.idle(1)
	notices := all[event.Notice](s.sink) // the script's usage is 120 tokens
	if len(notices) != 1 || !strings.Contains(notices[0].Text, "read about 120 tokens of a prompt of about 8") {
		t.Errorf("told %+v", notices)
	}
}
