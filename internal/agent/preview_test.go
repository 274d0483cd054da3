package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
)

// previewer notes what it is to show of the calls of tools named "edit".
type previewer struct {
	mu    sync.Mutex // guards the rest
	shown map[string][]string
	over  []string
	// show, if set, is called with each state, without the lock.
	show func(ctx context.Context, callID, args string)
}

func (p *previewer) Begin(callID, name string) func(ctx context.Context, args string) {
	if name != "edit" {
		return nil
	}
	return func(ctx context.Context, args string) {
		p.mu.Lock()
		if slices.Contains(p.over, callID) {
			panic("shown behind its end")
		}
		if p.shown == nil {
			p.shown = map[string][]string{}
		}
		p.shown[callID] = append(p.shown[callID], args)
		p.mu.Unlock()
		if p.show != nil {
			p.show(ctx, callID, args)
		}
	}
}

func (p *previewer) Over(callID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = append(p.over, callID)
}

func (p *previewer) states(callID string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.shown[callID])
}

func (p *previewer) ended() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.over)
}

func with(p *previewer) func(*stage, *agent.Config) {
	return func(s *stage, c *agent.Config) {
		c.Previewer = p
		s.tools["edit"] = func(context.Context, tools.Call) tools.Result { return tools.Result{Text: "edited"} }
	}
}

// pieces is an answer with one call whose arguments come in so many pieces.
func pieces(n int) []llm.Event {
	evs := []llm.Event{{Kind: llm.CallStart, ID: "id", Name: "edit"}, {Kind: llm.CallDelta, Text: `{"a":"`}}
	for i := range n {
		evs = append(evs, llm.Event{Kind: llm.CallDelta, Text: fmt.Sprint(i, " ")})
	}
	return append(evs, llm.Event{Kind: llm.CallDelta, Text: `"}`}, llm.Event{Kind: llm.Stop, Reason: llm.ToolUse})
}

// A preview that hangs holds up nothing of the stream; what came meanwhile is
// left out, and the call runs only when nothing is shown of it any more.
func TestPreviewsDoNotBlock(t *testing.T) {
	entered, leave, streamed := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	busy := false
	p := &previewer{}
	p.show = func(context.Context, string, string) {
		select {
		case entered <- struct{}{}:
		default:
		}
		busy = true
		<-leave
		busy = false
	}
	const n = 500
	s := newStage(t, with(p), answer{events: pieces(n)}, finish())
	s.tools["edit"] = func(context.Context, tools.Call) tools.Result {
		if busy {
			t.Error("the call runs while it is shown")
		}
		return tools.Result{Text: "edited"}
	}
	s.model.at = func(request, event int) {
		switch {
		case request == 0 && event == 3:
			<-entered
		case request == 0 && event == n+2:
			close(streamed)
		}
	}
	s.say(t, "go")
	<-streamed // with one state being shown all the while
	close(leave)
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Fatalf("%+v", end)
	}
	states := p.states("id")
	if len(states) > 3 || !strings.HasPrefix(states[0], `{"a":"`) {
		t.Errorf("%d states were shown: %q", len(states), states)
	}
	if !slices.Contains(p.ended(), "id") {
		t.Errorf("ended: %v", p.ended())
	}
}

// Each state begins with the one before.
func TestPreviewsGrow(t *testing.T) {
	p := &previewer{}
	step := make(chan struct{})
	p.show = func(context.Context, string, string) { step <- struct{}{} }
	s := newStage(t, with(p), answer{events: pieces(5)}, finish())
	s.model.at = func(request, event int) {
		switch {
		case request == 0 && event >= 2 && event < 8:
			<-step
		case request == 0 && event == 8:
			go func() { // the last one may be shown or not
				for range step {
				}
			}()
		}
	}
	s.say(t, "go")
	s.sink.idle(1)
	close(step)
	states := p.states("id")
	for i := 1; i < len(states); i++ {
		if !strings.HasPrefix(states[i], states[i-1]) || len(states[i]) == len(states[i-1]) {
			t.Errorf("%q follows %q", states[i], states[i-1])
		}
	}
	if len(states) < 6 {
		t.Errorf("%d states were shown", len(states))
	}
}

// Whatever becomes of a call, its end is told once nothing is shown any more.
func TestPreviewsEnd(t *testing.T) {
	cut := pieces(2)[:4]
	denied := func(context.Context, tools.Call) tools.Result { return tools.Result{Outcome: tools.Denied, Skip: true} }
	bug := func(context.Context, tools.Call) tools.Result { panic("bug") }
	for name, c := range map[string]struct {
		run     func(context.Context, tools.Call) tools.Result
		answers []answer
		over    []string
	}{
		"done":      {nil, []answer{{events: call(`edit {"a":1}`)}, finish()}, []string{"id"}},
		"retried":   {nil, []answer{{events: cut, err: &llm.Error{Class: llm.Network}}, {events: call(`edit {"a":1}`)}, finish()}, []string{"id", "call_2"}},
		"no JSON":   {nil, []answer{{events: call(`edit {"a":`)}, finish()}, []string{"id"}},
		"skipped":   {denied, []answer{{events: call(`edit {"a":1}`, `edit {"b":1}`)}, finish()}, []string{"id", "call_2"}},
		"bug":       {bug, []answer{{events: call(`edit {"a":1}`)}, finish()}, []string{"id"}},
		"cut off":   {nil, []answer{{events: append(pieces(2)[:5], llm.Event{Kind: llm.Stop, Reason: llm.Length})}, finish()}, []string{"id"}},
		"filtered":  {nil, []answer{{events: append(pieces(2)[:5], llm.Event{Kind: llm.Stop, Reason: llm.Filtered})}}, []string{"id"}},
		"given up":  {nil, []answer{{events: cut, err: &llm.Error{Class: llm.Auth}}}, []string{"id"}},
		"unknown":   {nil, []answer{{events: call(`nothing {"a":1}`)}, finish()}, []string{"id"}},
		"completed": {nil, []answer{finish()}, []string{"id"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &previewer{}
			s := newStage(t, with(p), c.answers...)
			if c.run != nil {
				s.tools["edit"] = c.run
			}
			s.say(t, "go")
			s.sink.idle(1)
			for _, id := range c.over {
				if !slices.Contains(p.ended(), id) {
					t.Errorf("ended: %v, want %s", p.ended(), id)
				}
			}
		})
	}
}

// A cancel and the end of the task's life, with a state being shown.
func TestPreviewsOfAStoppedTurn(t *testing.T) {
	for name, stop := range map[string]func(s *stage){
		"cancel": func(s *stage) { _ = s.Cancel("") },
		"close":  func(s *stage) { go s.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			p := &previewer{}
			shown := make(chan struct{}, 1)
			p.show = func(ctx context.Context, _, _ string) {
				select {
				case shown <- struct{}{}:
				default:
				}
				<-ctx.Done()
			}
			s := newStage(t, with(p), answer{events: pieces(9)})
			s.model.at = func(_, event int) {
				if event == 4 {
					<-shown
					stop(s)
				}
			}
			s.say(t, "go")
			s.sink.idle(1)
			if ended := p.ended(); !slices.Equal(ended, []string{"id"}) {
				t.Errorf("ended: %v", ended)
			}
		})
	}
}

func TestNothingIsShownInPlanMode(t *testing.T) {
	p := &previewer{}
	s := newStage(t, func(s *stage, c *agent.Config) { with(p)(s, c); c.Mode = tools.Plan }, answer{events: pieces(3)}, finish())
	s.say(t, "go")
	s.sink.idle(1)
	if states := p.states("id"); states != nil {
		t.Errorf("shown: %q", states)
	}
}

// A bug in a preview ends neither the turn nor the daemon.
func TestABugInAPreview(t *testing.T) {
	p := &previewer{show: func(context.Context, string, string) { panic("bug") }}
	s := newStage(t, with(p), answer{events: pieces(3)}, finish())
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Errorf("%+v", end)
	}
}
