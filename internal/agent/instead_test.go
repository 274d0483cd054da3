package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/transcript"
)

// From the moment on at which a message is taken back, what is said instead is on
// record: nothing that fails afterwards takes it away.
func TestWhatIsSaidInsteadIsOnRecordWithTheRewind(t *testing.T) {
	s := newStage(t, nil, finish(), finish())
	first := s.say(t, "go")
	s.sink.idle(1)
	s.model.fresh = true
	s.journal.waits(func(_ context.Context, what string) error {
		if what == "sync" {
			return errors.New("the disk is full")
		}
		return nil
	})
	acc, err := s.EditMessage(first.MessageID, agent.Prompt{Parts: texts("stay")})
	if err != nil {
		t.Fatalf("refused, though the message was taken back: %v", err)
	}
	if end := s.sink.idle(2); end.StopReason != event.Completed {
		t.Errorf("%+v", end)
	}
	kept := s.journal.instead
	m, _ := kept.Event.(event.Message)
	if kept.turn != acc.TurnID || m.MessageID != acc.MessageID || m.Status != event.Pending || len(m.Content) != 1 || m.Content[0].Text != "stay" {
		t.Errorf("on record is %+v", kept)
	}
	if got := s.texts(1); !strings.Contains(got, "stay") || strings.Contains(got, "go") {
		t.Errorf("the model is told %q", got)
	}
}

// A message that cannot be taken back stays, nothing is told, and the task goes on.
func TestRewindThatFails(t *testing.T) {
	s := newStage(t, nil, finish(), finish())
	first := s.say(t, "go")
	s.sink.idle(1)
	told := len(s.sink.events)
	s.journal.waits(func(_ context.Context, what string) error {
		if what == "rewind" {
			return errors.New("the disk is full")
		}
		return nil
	})
	if _, err := s.EditMessage(first.MessageID, agent.Prompt{Parts: texts("stay")}); err == nil {
		t.Fatal("accepted")
	}
	if got := s.sink.events[told:]; len(got) != 0 {
		t.Errorf("fronts were told %+v", got)
	}
	s.say(t, "more")
	if end := s.sink.idle(2); end.StopReason != event.Completed || !strings.Contains(s.texts(1), "go") {
		t.Errorf("%+v, %q", end, s.texts(1))
	}
}

// left has the journal hold a prompt that another process was to say.
func left(s *stage, turn, words string) {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	m := event.Message{MessageID: "m " + words, Role: "user", Status: event.Pending, Content: []event.Content{{Type: "text", Text: words}}}
	s.journal.left = append(s.journal.left, emitted{turn, m})
	s.sink.Emit(turn, m)
}

// A prompt that a process left which ended is taken back like any other that waits.
func TestCancelOfWhatWasLeft(t *testing.T) {
	s := newStage(t, nil, finish())
	left(s, "t2", "second")
	left(s, "t3", "third")
	s.journal.turn = "t1"
	s.journal.stored = s.journal.history(s.sink)
	if err := s.Cancel(""); err != nil || s.journal.held() != "" {
		t.Errorf("the cancel of an idle task: %v, %q", err, s.journal.held())
	}
	if err := s.Cancel("t9"); err != nil || s.journal.held() != "" {
		t.Errorf("the cancel of what does not wait: %v, %q", err, s.journal.held())
	}
	if err := s.Cancel("t2"); err != nil {
		t.Fatal(err)
	}
	if got := s.journal.held(); got != "begin abandon" || s.journal.turn != "t1" {
		t.Errorf("the task was held as %q and stands in turn %q", got, s.journal.turn)
	}
	if a, b := s.sink.status("m second"), s.sink.status("m third"); a != event.Discarded || b != event.Pending {
		t.Errorf("the one taken back is %q, the other %q", a, b)
	}
	if _, err := s.Resume(agent.Prompt{}); err != nil {
		t.Fatal(err)
	}
	s.sink.idle(1)
	if got := s.texts(0); strings.Contains(got, "second") || !strings.Contains(got, "third") {
		t.Errorf("the model is told %q", got)
	}
}

// What another process is about to say is not taken back here.
func TestCancelOfWhatAnotherSays(t *testing.T) {
	s := newStage(t, nil)
	left(s, "t2", "second")
	s.journal.refuse = &agent.TakenError{PID: 7}
	var taken *agent.TakenError
	if err := s.Cancel("t2"); !errors.As(err, &taken) {
		t.Errorf("%v", err)
	}
	if got := s.sink.status("m second"); got != event.Pending {
		t.Errorf("it is %q", got)
	}
}

// The words of the user are told as said before what carries them is written: a
// process that ends right behind leaves none that look as if they waited.
func TestWordsAreSaidTogetherWithTheirMessage(t *testing.T) {
	s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish())
	started, release := held(s)
	s.say(t, "go")
	<-started
	acc, err := s.Steer("", agent.Prompt{Parts: texts("by the way")})
	if err != nil {
		t.Fatal(err)
	}
	s.journal.mu.Lock()
	before := len(s.journal.messages)
	s.journal.mu.Unlock()
	var status []event.Status
	s.journal.waits(func(_ context.Context, what string) error {
		if what == "append" {
			status = append(status, s.sink.status(acc.MessageID))
		}
		return nil
	})
	close(release)
	s.sink.idle(1)
	carrier := slices.IndexFunc(s.journal.messages, func(m transcript.Message) bool { return m.Carries(acc.MessageID) })
	if carrier < before || status[carrier-before] != event.Done {
		t.Errorf("message %d of %d carries it; written they were with %q", carrier, before, status)
	}
}
