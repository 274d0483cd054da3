package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// queueUp has a turn run with prompts behind it, and returns these.
func queueUp(t *testing.T, s *stage, words ...string) (waiting []agent.Accepted, release func()) {
	t.Helper()
	started, hold := held(s)
	s.say(t, "go")
	<-started
	for _, w := range words {
		waiting = append(waiting, s.say(t, w))
	}
	return waiting, func() { close(hold) }
}

// said counts how often the model was told words in all that it was told last.
func (s *stage) said(words string) int {
	s.model.mu.Lock()
	n := len(s.model.got)
	s.model.mu.Unlock()
	return strings.Count(s.texts(n-1), words)
}

// As long as prompts wait, the task is handed on and never given back: nobody
// else gets it in between.
func TestTheTaskIsKeptForWhatWaits(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish(), finish(), finish())
	_, release := queueUp(t, s, "second", "third")
	release()
	s.sink.idle(3)
	if got := s.journal.held(); got != "begin begin begin completed" {
		t.Errorf("the task was held as %q", got)
	}
	for _, w := range []string{"second", "third"} {
		if n := s.said(w); n != 1 {
			t.Errorf("%q was said %d times", w, n)
		}
	}
}

// A steering that came too late is a prompt that waits.
func TestTheTaskIsKeptForLateSteering(t *testing.T) {
	s := newStage(t, nil, answer{err: &llm.Error{Class: llm.Auth, Message: "no"}}, finish())
	s.prompt.before = func(context.Context) {
		s.prompt.before = nil
		if _, err := s.Steer("", agent.Prompt{Parts: texts("by the way")}); err != nil {
			t.Error(err)
		}
	}
	s.say(t, "go")
	s.sink.idle(2)
	if got := s.journal.held(); got != "begin begin completed" || s.said("by the way") != 1 {
		t.Errorf("the task was held as %q; said %d times", got, s.said("by the way"))
	}
}

// What waits when the task cannot be gone on with is not lost and not said twice:
// it stays on record, and whoever goes on says it.
func TestWhatCannotBeStartedWaits(t *testing.T) {
	busy := &agent.TakenError{PID: 7}
	full := errors.New("the disk is full")
	for _, c := range []struct {
		name, at string
		err      error
		code     string
		held     string
	}{
		{"taken", "begin", busy, "task_busy", "begin"},
		{"no begin", "begin", full, "journal", "begin interrupted"},
		{"no sync", "sync", full, "journal", "begin begin interrupted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish(), finish())
			waiting, release := queueUp(t, s, "second", "third")
			s.journal.waits(func(_ context.Context, what string) error {
				if what == c.at {
					return c.err
				}
				return nil
			})
			release()
			s.sink.idle(3)
			if got := s.journal.held(); got != c.held {
				t.Errorf("the task was held as %q, want %q", got, c.held)
			}
			for _, w := range waiting {
				if got := s.sink.status(w.MessageID); got != event.Pending {
					t.Errorf("a prompt that waits is %q", got)
				}
				end := s.sink.end(w.TurnID)
				if end.StopReason != event.Interrupted || end.Error == nil || end.Error.Code != c.code {
					t.Errorf("its turn ended with %+v", end)
				}
			}
			s.journal.waits(nil)
			s.say(t, "fourth")
			s.sink.idle(4)
			for _, w := range []string{"second", "third", "fourth"} {
				if n := s.said(w); n != 1 {
					t.Errorf("%q was said %d times in %q", w, n, s.texts(1))
				}
			}
			for _, w := range waiting {
				if got := s.sink.status(w.MessageID); got != event.Done && got != event.Pending {
					t.Errorf("a prompt that was said is %q", got)
				}
			}
		})
	}
}

// end returns how a turn ended.
func (s *sink) end(turn string) (end event.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if st, ok := e.Event.(event.State); ok && e.turn == turn && st.State == event.Idle {
			end = st
		}
	}
	return end
}

// Another process had the task while this one stood still: what it said of the
// prompts that waited here is not said again, and the rest is.
func TestPromptsThatAnotherProcessSaid(t *testing.T) {
	for _, said := range []int{0, 1, 2} {
		t.Run(fmt.Sprint(said), func(t *testing.T) {
			s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish(), finish(), finish())
			words := []string{"second", "third"}
			waiting, release := queueUp(t, s, words...)
			s.model.mu.Lock()
			s.model.fresh = true
			s.model.mu.Unlock()
			s.journal.waits(func(_ context.Context, what string) error {
				if what != "begin" {
					return nil
				}
				s.journal.mu.Lock()
				defer s.journal.mu.Unlock()
				s.journal.wait = nil
				for i, w := range waiting[:said] {
					s.journal.messages = append(s.journal.messages,
						transcript.Message{ID: w.MessageID, Role: transcript.User, Parts: texts(words[i])},
						transcript.Message{ID: fmt.Sprint("theirs", i), Role: transcript.Assistant, Parts: texts("done")})
				}
				s.journal.stored = s.journal.historyLocked(s.sink)
				return nil
			})
			release()
			s.sink.idle(3)
			s.say(t, "fourth")
			s.sink.idle(4)
			for _, w := range append(words, "fourth") {
				if n := s.said(w); n != 1 {
					t.Errorf("%q was said %d times", w, n)
				}
			}
			var open []string
			for _, w := range waiting {
				if s.sink.end(w.TurnID).State != event.Idle {
					open = append(open, w.TurnID)
				}
			}
			if len(open) > 0 {
				t.Errorf("nobody is told of the end of %q", open)
			}
		})
	}
}

// What a Cancel takes back is on disk when it returns, or else it fails.
func TestCancelIsOnDisk(t *testing.T) {
	full := errors.New("the disk is full")
	for _, all := range []bool{true, false} {
		for _, fails := range []error{nil, full} {
			s := newStage(t, nil, answer{events: call(`run_wait {}`)})
			started := blocked(s)
			s.say(t, "go")
			<-started
			second := s.say(t, "and then")
			turn := second.TurnID
			if all {
				turn = ""
			}
			kept := event.Status("")
			s.journal.waits(func(_ context.Context, what string) error {
				if what != "sync" {
					return nil
				}
				kept = s.sink.status(second.MessageID)
				return fails
			})
			if err := s.Cancel(turn); !errors.Is(err, fails) || kept != event.Discarded {
				t.Errorf("cancel of %q: %v, and the prompt is on disk as %q", turn, err, kept)
			}
			s.journal.waits(nil)
			if err := s.Cancel(""); err != nil {
				t.Error(err)
			}
			if end := s.sink.idle(1); end.StopReason != event.Cancelled {
				t.Errorf("%+v", end)
			}
		}
	}
}

// Words that were refused are not said.
func TestRefusedSteeringIsNotSaid(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_a {}`)}, finish())
	s.tools["run_a"] = func(context.Context, tools.Call) tools.Result {
		s.journal.waits(func(_ context.Context, what string) error {
			if what == "sync" {
				return errors.New("the disk is full")
			}
			return nil
		})
		if _, err := s.Steer("", agent.Prompt{Parts: texts("by the way")}); err == nil {
			t.Error("words that are not on disk were accepted")
		}
		s.journal.waits(nil)
		return tools.Result{Text: "ok"}
	}
	s.say(t, "go")
	if end := s.sink.idle(1); end.StopReason != event.Completed {
		t.Errorf("%+v", end)
	}
	if n := s.said("by the way"); n != 0 {
		t.Errorf("said %d times", n)
	}
	last := all[event.Message](s.sink)
	if i := slices.IndexFunc(last, func(m event.Message) bool { return m.Status == event.Discarded }); i < 0 {
		t.Error("fronts are not told")
	}
}

// An edit that fails leaves an interrupted task to be resumed.
func TestFailedEditLeavesTheTask(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_wait {}`)})
	started := blocked(s)
	s.say(t, "go")
	<-started
	s.Close()
	next := after(t, s, finish())
	next.journal.turn = "left"
	if _, err := next.EditMessage("nobody's", agent.Prompt{Parts: texts("x")}); !errors.Is(err, agent.ErrNoMessage) {
		t.Fatal(err)
	}
	if got := next.journal.held(); got != "begin abandon" || next.journal.turn != "left" {
		t.Errorf("the task was held as %q and stands in turn %q", got, next.journal.turn)
	}
	if len(next.sink.events) != 0 {
		t.Errorf("fronts were told %+v", next.sink.events)
	}
	if _, err := next.Resume(agent.Prompt{}); err != nil {
		t.Fatal(err)
	}
	next.sink.idle(1)
	if got := next.texts(0); !strings.Contains(got, "was interrupted") {
		t.Errorf("the model is told %q", got)
	}
}
