package agent_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
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

// within is the longest that anything may take behind a cancel or a close.
const within = 3 * time.Second

// Whatever the disk does, a cancelled turn ends soon, and so does a task that is
// closed. What could not be written down is told.
func TestALockedDiskHoldsNobodyUp(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*stage) error
	}{
		{"cancel", func(s *stage) error { return s.Cancel("") }},
		{"cancel of the turn", func(s *stage) error { return s.Cancel("n1") }},
		{"close", func(s *stage) error { s.Close(); return nil }},
	} {
		for _, at := range []string{"in a stream", "in a call", "behind a prompt"} {
			t.Run(c.name+" "+at, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, nil, answer{events: call(`run_wait {}`)}, finish())
					started := blocked(s)
					if at == "in a stream" {
						s.model.answers[0] = answer{events: say("a long answer")}
						s.model.at = func(r, e int) {
							if r == 0 && e == 1 {
								<-s.model.playing.Done()
							}
						}
					}
					s.say(t, "go")
					if at == "in a stream" {
						synctest.Wait()
					} else {
						<-started
					}
					s.journal.waits(locked)
					refused := make(chan error, 1)
					if at == "behind a prompt" {
						go func() {
							_, err := s.Prompt(agent.Prompt{Parts: texts("and then"), Queue: true})
							refused <- err
						}()
						synctest.Wait()
					}
					began := time.Now()
					if err := c.end(s); err != nil {
						t.Errorf("there was nothing to write: %v", err)
					}
					end := s.sink.idle(1)
					if took := time.Since(began); took > within {
						t.Errorf("it took %s", took)
					}
					if at == "behind a prompt" && <-refused == nil {
						t.Error("a prompt that is not on disk was accepted")
					}
					if c.name == "close" {
						return
					}
					notices := all[event.Notice](s.sink)
					if end.Error == nil && !slices.ContainsFunc(notices, func(n event.Notice) bool { return strings.Contains(n.Text, "could not be recorded") }) {
						t.Errorf("nobody is told: %+v, %+v", end, notices)
					}
					s.journal.waits(nil)
					s.say(t, "more")
					if end := s.sink.idle(2); end.StopReason != event.Completed {
						t.Errorf("%+v", end)
					}
				})
			})
		}
	}
}

// A turn whose end could not be recorded goes on with a request that every
// provider accepts, once the disk works again.
func TestAfterALockedDisk(t *testing.T) {
	for _, name := range []string{"in a stream", "before an answer"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				s := newStage(t, func(_ *stage, c *agent.Config) {
					c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
				},
					answer{events: say("a long answer")}, finish())
				at := map[string]int{"in a stream": 1, "before an answer": 0}[name]
				s.model.at = func(r, e int) {
					if r == 0 && e == at {
						s.journal.waits(locked)
						<-s.model.playing.Done()
					}
				}
				s.say(t, "go")
				synctest.Wait()
				if err := s.Cancel(""); err != nil {
					t.Error(err)
				}
				if end := s.sink.idle(1); end.Error == nil || end.Error.Code != "journal" || end.Error.Hint == "" {
					t.Errorf("%+v", end)
				}
				s.journal.waits(nil)
				s.say(t, "more") // the model checks what it is sent
				if end := s.sink.idle(2); end.StopReason != event.Completed {
					t.Errorf("%+v", end)
				}
				s.Close()
				if log.Len() > 0 { // the same terminal shows the user's message
					t.Errorf("told twice: %s", &log)
				}
			})
		})
	}
}

// The same for a turn that failed when the disk did.
func TestAfterAFailureOfAll(t *testing.T) {
	s := newStage(t, nil, answer{events: say("cut"), err: &llm.Error{Class: llm.Auth, Message: "no"}}, finish())
	s.model.answers[0].events = s.model.answers[0].events[:1]
	s.model.at = func(r, _ int) {
		s.journal.mu.Lock()
		defer s.journal.mu.Unlock()
		s.journal.fail = r == 0
	}
	s.say(t, "go")
	s.sink.idle(1)
	s.journal.mu.Lock()
	s.journal.fail = false
	s.journal.mu.Unlock()
	s.say(t, "more") // the model checks what it is sent
	if end := s.sink.idle(2); end.StopReason != event.Completed {
		t.Errorf("%+v", end)
	}
}

// A cancel takes back all that was said before it and nothing that is said after,
// whenever the turn itself comes to its end.
func TestCancelAndTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish())
		waiting, release := queueUp(t, s, "second")
		disk := make(chan struct{})
		s.journal.waits(func(_ context.Context, what string) error {
			if what == "sync" {
				<-disk
			}
			return nil
		})
		third := make(chan agent.Accepted, 1)
		go func() {
			acc, err := s.Prompt(agent.Prompt{Parts: texts("third"), Queue: true})
			if err != nil {
				t.Error(err)
			}
			third <- acc
		}()
		synctest.Wait()
		release()
		synctest.Wait() // the turn is over, and nobody has heard of it
		cancelled := make(chan error, 1)
		go func() { cancelled <- s.Cancel("") }()
		synctest.Wait()
		close(disk)
		if err := <-cancelled; err != nil {
			t.Error(err)
		}
		for _, w := range append(waiting, <-third) {
			if got := s.sink.status(w.MessageID); got != event.Discarded {
				t.Errorf("a prompt that was taken back is %q", got)
			}
		}
		if got := s.journal.held(); got != "begin completed" {
			t.Errorf("the task was held as %q", got)
		}
	})
	s := newStage(t, nil, answer{events: call(`run_hold {}`)}, finish())
	waiting, release := queueUp(t, s, "second")
	if err := s.Cancel(""); err != nil {
		t.Fatal(err)
	}
	later := s.say(t, "third")
	release()
	s.sink.idle(2)
	if a, b := s.sink.status(waiting[0].MessageID), s.sink.status(later.MessageID); a != event.Discarded || b != event.Done {
		t.Errorf("what was said before is %q, what was said after %q", a, b)
	}
}

// A cancel in time is not in haste: the disk gets the time that it needs otherwise.
func TestHasteEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, nil, answer{events: call(`run_wait {}`)}, finish())
		started := blocked(s)
		s.say(t, "go")
		<-started
		if err := s.Cancel(""); err != nil {
			t.Fatal(err)
		}
		s.sink.idle(1)
		s.journal.waits(func(ctx context.Context, _ string) error {
			select {
			case <-time.After(20 * time.Second):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		s.say(t, "more")
		if end := s.sink.idle(2); end.StopReason != event.Completed {
			t.Errorf("%+v", end)
		}
	})
}

// A call that needs its time to end takes none from the disk.
func TestOnlyWritesSpendTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, nil, answer{events: call(`run_wait {}`)})
		started := make(chan struct{}, 1)
		s.tools["run_wait"] = func(ctx context.Context, _ tools.Call) tools.Result {
			started <- struct{}{}
			<-ctx.Done()
			time.Sleep(5 * time.Second)
			return tools.Result{Outcome: tools.Cancelled}
		}
		s.say(t, "go")
		<-started
		s.journal.waits(func(ctx context.Context, _ string) error {
			select {
			case <-time.After(200 * time.Millisecond):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		cancelled := make(chan error, 1)
		go func() { cancelled <- s.Cancel("") }()
		if end := s.sink.idle(1); end.StopReason != event.Cancelled || end.Error != nil {
			t.Errorf("%+v", end)
		}
		if err := <-cancelled; err != nil {
			t.Error(err)
		}
		if n := all[event.Notice](s.sink); len(n) > 0 {
			t.Errorf("%+v", n)
		}
		s.journal.waits(nil)
	})
}

// The user's checklist is theirs once it is accepted, and only then.
func TestRefusedChecklist(t *testing.T) {
	full := errors.New("the disk is full")
	s := newStage(t, nil, answer{events: call(`run_a {"task_progress":"- [ ] one"}`)}, finish(), finish())
	s.tools["run_a"] = ok("fine")
	s.say(t, "go")
	s.sink.idle(1)
	s.journal.refuse = &agent.TakenError{PID: 7}
	shown := len(s.sink.events)
	var taken *agent.TakenError
	if err := s.SetChecklist("- [ ] theirs"); !errors.As(err, &taken) || len(s.sink.events) != shown {
		t.Errorf("while another process runs the task: %v", err)
	}
	s.journal.refuse = nil
	s.journal.waits(func(context.Context, string) error { return full })
	if err := s.SetChecklist("- [ ] unwritten"); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	s.journal.waits(nil)
	if plans := all[event.Plan](s.sink); plans[len(plans)-1].ByUser || plans[len(plans)-1].Entries[0].Text != "one" {
		t.Errorf("fronts show %+v", plans)
	}
	s.say(t, "more")
	s.sink.idle(2)
	for _, e := range s.prompt.seen {
		if e.ChecklistByUser {
			t.Errorf("the model is told of %q", e.Checklist)
		}
	}
}

// A list that the user emptied is not the old one again.
func TestEmptiedChecklistSurvives(t *testing.T) {
	empty := ""
	for _, c := range []struct {
		stored *string
		byUser bool
	}{{&empty, true}, {nil, false}} {
		h := &agent.History{Standing: agent.Standing{Checklist: "- [ ] old", Title: "t", System: "system"}, UserChecklist: c.stored}
		s := newStage(t, func(s *stage, _ *agent.Config) { s.journal.stored = h }, finish())
		s.say(t, "go")
		s.sink.idle(1)
		if e := s.prompt.seen[0]; e.ChecklistByUser != c.byUser || (e.Checklist == "") != c.byUser {
			t.Errorf("the prompt is told of %+v", e)
		}
	}
}

// A list that could not be told is told later.
func TestUntoldChecklistIsToldLater(t *testing.T) {
	s := newStage(t, nil, finish())
	if err := s.SetChecklist("- [ ] mine"); err != nil {
		t.Fatal(err)
	}
	s.journal.fail = true
	s.say(t, "go")
	s.sink.idle(1)
	s.journal.mu.Lock()
	s.journal.fail = false
	s.journal.mu.Unlock()
	s.say(t, "again")
	s.sink.idle(2)
	if e := s.prompt.seen[1]; !e.ChecklistByUser || e.Checklist != "- [ ] mine" {
		t.Errorf("the prompt is told of %+v", e)
	}
}
