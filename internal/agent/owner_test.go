package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// blocked makes the tool "run_wait" wait for its context and tells of its start.
func blocked(s *stage) <-chan struct{} {
	started := make(chan struct{}, 1)
	s.tools["run_wait"] = func(ctx context.Context, _ tools.Call) tools.Result {
		started <- struct{}{}
		<-ctx.Done()
		return tools.Result{Outcome: tools.Cancelled}
	}
	return started
}

// status returns what fronts know last of a message.
func (s *sink) status(messageID string) event.Status {
	var st event.Status
	for _, m := range all[event.Message](s) {
		if m.MessageID == messageID {
			st = m.Status
		}
	}
	return st
}

// A prompt that waits when the task is closed stays on record as waiting, the
// turn can be resumed, and no prompt is taken after it.
func TestCloseKeepsTheQueue(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_wait {}`)})
	started := blocked(s)
	s.say(t, "go")
	<-started
	second := s.say(t, "and then")
	s.Close()
	if got := s.sink.status(second.MessageID); got != event.Pending {
		t.Errorf("the queued message is %q", got)
	}
	if st := s.sink.idle(1); st.StopReason != event.Interrupted {
		t.Errorf("%+v", st)
	}
	if _, err := s.Prompt(agent.Prompt{Queue: true}); !errors.Is(err, agent.ErrClosed) {
		t.Errorf("a prompt after the end: %v", err)
	}
}

// A prompt whose turn comes up as the task is closed waits as well: it was accepted.
func TestCloseKeepsWhatIsBeingStarted(t *testing.T) {
	for _, at := range []string{"begin", "sync"} {
		t.Run(at, func(t *testing.T) {
			s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish(), finish())
			started, release := held(s)
			s.say(t, "go")
			<-started
			second := s.say(t, "and then")
			s.journal.waits(func(ctx context.Context, what string) error {
				if what == at && s.sink.status(second.MessageID) == map[string]event.Status{"begin": event.Pending, "sync": event.Done}[at] {
					go s.Close()
					<-ctx.Done()
				}
				return nil
			})
			close(release)
			s.sink.idle(1)
			<-s.Ended()
			s.Close()
			s.journal.waits(nil)
			if got := s.sink.status(second.MessageID); got != event.Pending {
				t.Errorf("the queued message is %q", got)
			}
			next := after(t, s, finish())
			if _, err := next.Resume(agent.Prompt{}); err != nil {
				t.Fatal(err)
			}
			next.sink.idle(1)
			if got := next.texts(0); !strings.Contains(got, "and then") {
				t.Errorf("the model is told %q", got)
			}
		})
	}
}

// A prompt that comes together with the end is refused, or ends with its turn.
func TestPromptAtTheEnd(t *testing.T) {
	for range 200 {
		s := newStage(t, nil, finish())
		go s.Close()
		acc, err := s.Prompt(agent.Prompt{Parts: []transcript.Part{transcript.TextPart("go")}})
		s.Close()
		ended := slices.ContainsFunc(all[event.State](s.sink), func(st event.State) bool { return st.State == event.Idle })
		switch {
		case err == nil && !ended:
			t.Fatalf("turn %s was accepted and never ended", acc.TurnID)
		case err != nil && !errors.Is(err, agent.ErrClosed):
			t.Fatal(err)
		}
	}
}

// held makes the tool "run_hold" wait for release and tell of its start.
func held(s *stage) (started, release chan struct{}) {
	started, release = make(chan struct{}), make(chan struct{})
	s.tools["run_hold"] = func(context.Context, tools.Call) tools.Result {
		close(started)
		<-release
		return tools.Result{Text: "held"}
	}
	return started, release
}

// The mode that a prompt brings is told when it takes effect, which for a
// queued one is later.
func TestModeOfAPromptIsTold(t *testing.T) {
	s := newStage(t, func(s *stage, c *agent.Config) {
		c.Options = func() []event.Option { return []event.Option{{ID: "mode", Value: string(s.Mode())}} }
	}, answer{events: call(`run_hold {}`)}, finish(), finish())
	started, release := held(s)
	for _, p := range []agent.Prompt{
		{Parts: []transcript.Part{transcript.TextPart("go")}, Mode: tools.Act}, // as it is
		{Parts: []transcript.Part{transcript.TextPart("plan")}, Mode: tools.Plan, Queue: true},
	} {
		if _, err := s.Prompt(p); err != nil {
			t.Fatal(err)
		}
	}
	<-started
	if got := all[event.Config](s.sink); len(got) != 0 || s.Mode() != tools.Act {
		t.Errorf("told too early: %+v, mode %s", got, s.Mode())
	}
	close(release)
	s.sink.idle(2)
	if got := all[event.Config](s.sink); len(got) != 1 || got[0].Options[0].Value != "plan" {
		t.Errorf("told %+v", got)
	}
}

// A queued turn can be taken back alone.
func TestCancelOfAQueuedTurn(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish(), finish())
	started, release := held(s)
	first := s.say(t, "go")
	<-started
	second, third := s.say(t, "not this"), s.say(t, "but this")
	if err := s.Cancel(second.TurnID); err != nil {
		t.Fatal(err)
	}
	if err := s.Cancel(second.TurnID); !errors.Is(err, agent.ErrTurnMismatch) {
		t.Errorf("a second time: %v", err)
	}
	close(release)
	s.sink.idle(2)
	for acc, want := range map[agent.Accepted]event.Status{first: event.Done, second: event.Discarded, third: event.Done} {
		if got := s.sink.status(acc.MessageID); got != want {
			t.Errorf("message %s is %q, want %q", acc.MessageID, got, want)
		}
	}
}

// A bug in one call, on its own goroutine, fails that call and nothing else.
func TestABugInACallFailsTheCall(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`read_a {}`, `read_b {}`)}, finish())
	s.tools["read_a"] = func(context.Context, tools.Call) tools.Result { panic("bug") }
	s.tools["read_b"] = func(context.Context, tools.Call) tools.Result { return tools.Result{Text: "b"} }
	s.say(t, "go")
	if st := s.sink.idle(1); st.StopReason != event.Completed {
		t.Fatalf("%+v", st)
	}
	if got := s.lastText(1); !strings.Contains(got, "fault inside clined") || !strings.Contains(got, "b") {
		t.Errorf("the model is told %q", got)
	}
}

// fragile is a journal that refuses results, or panics at them, while it is told to.
type fragile struct {
	*memory
	bug bool
}

func (f *fragile) Append(ctx context.Context, m transcript.Message, _ agent.Standing) error {
	f.mu.Lock()
	fail, bug := f.fail && m.Role == transcript.Tool, f.bug && m.Role == transcript.Tool
	f.bug = f.bug && !bug
	f.mu.Unlock()
	switch {
	case bug:
		panic("bug")
	case fail:
		return errors.New("disk full")
	}
	f.mu.Lock()
	f.messages = append(f.messages, m)
	f.mu.Unlock()
	return nil
}

// Results that could not be recorded are not lost: the next turn would send
// calls without them.
func TestResultsSurviveAJournalFailure(t *testing.T) {
	for _, bug := range []bool{false, true} {
		f := &fragile{bug: bug}
		s := newStage(t, func(s *stage, c *agent.Config) {
			f.memory = s.journal
			c.Journal = f
		}, answer{events: call(`read_a {}`)}, finish())
		s.tools["read_a"] = func(context.Context, tools.Call) tools.Result { return tools.Result{Text: "alpha"} }
		s.journal.fail = !bug
		s.say(t, "go")
		if st := s.sink.idle(1); st.StopReason != event.Failed {
			t.Errorf("%+v", st)
		}
		s.journal.mu.Lock()
		s.journal.fail = false
		s.journal.mu.Unlock()
		s.say(t, "again")
		if st := s.sink.idle(2); st.StopReason != event.Completed {
			t.Errorf("%+v", st)
		}
		if err := transcript.Validate(s.journal.messages); err != nil {
			t.Errorf("journal: %v", err)
		}
	}
}

// The details that only the first request has are sent with the first request
// that is sent, which need not be that of the first turn.
func TestFirstDetailsAfterAFailedStart(t *testing.T) {
	var m *unready
	s := newStage(t, func(s *stage, c *agent.Config) {
		m = &unready{Models: c.Models}
		c.Models = m
	}, finish())
	s.say(t, "go")
	if st := s.sink.idle(1); st.StopReason != event.Failed {
		t.Fatalf("%+v", st)
	}
	m.ready = true
	s.say(t, "again")
	if st := s.sink.idle(2); st.StopReason != event.Completed {
		t.Fatalf("%+v", st)
	}
	if len(s.prompt.seen) != 1 || !s.prompt.seen[0].First {
		t.Errorf("%+v", s.prompt.seen)
	}
}

// unready are models that are not configured yet.
type unready struct {
	agent.Models
	ready bool
}

func (m *unready) Select(mode tools.Mode) (agent.Model, llm.Model, error) {
	if !m.ready {
		return nil, llm.Model{}, errors.New("no model")
	}
	return m.Models.Select(mode)
}
