package console_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// TaskSteer lets the turn that runs hear the words at its next step, at once.
func (s *fakeServer) TaskSteer(ctx context.Context, p *protocol.TaskSteerParams) (*protocol.TaskPromptResult, error) {
	words := p.Prompt[0].Text
	s.note("steer " + p.TaskID + ": " + words)
	if words == "refused" {
		return nil, errors.New("too much waits already")
	}
	w := waitingPrompt{s.turnID(), words}
	m := w.message(event.Pending)
	m.MessageID = "s" + words
	rpc.AfterReply(ctx, func() {
		s.emitIn(w.turn, m)
		m.Status = event.Done
		s.emitIn(w.turn, m)
	})
	return &protocol.TaskPromptResult{TurnID: w.turn, MessageID: m.MessageID}, nil
}

func (s *fakeServer) TaskSetChecklist(ctx context.Context, p *protocol.TaskSetChecklistParams) (*protocol.Empty, error) {
	s.note("checklist " + p.TaskID + ":\n" + p.Markdown)
	var list event.Plan
	for line := range strings.Lines(p.Markdown) {
		list.Entries = append(list.Entries, event.PlanEntry{Done: line[3] == 'x', Text: strings.TrimSpace(line[6:])})
	}
	list.ByUser = true
	rpc.AfterReply(ctx, func() { s.emit(list) })
	return &protocol.Empty{}, nil
}

// working is a conversation at a terminal whose first turn goes on until done is
// called, which returns what the terminal shows and the exit code.
func working(t *testing.T, turns ...func(context.Context, *fakeServer)) (f *front, keys *typist, s *fakeServer, done func() (string, int)) {
	t.Helper()
	keys = newTypist()
	f = newFront(t, console.Options{OutTTY: true, Width: 80, In: keys, InTTY: true, Interactive: true})
	release := make(chan struct{})
	s = &fakeServer{turns: append([]func(context.Context, *fakeServer){func(ctx context.Context, s *fakeServer) {
		s.emit(event.State{State: event.Running},
			event.Plan{Entries: []event.PlanEntry{{Text: "look", Done: true}, {Text: "change it"}, {Text: "test"}}},
			say("m1", "I am at work on a long "))
		select {
		case <-release:
			s.emit(say("m1", "answer."), said("m1", "I am at work on a long answer."), idle(event.Completed))
		case <-ctx.Done():
			s.emit(idle(event.Cancelled))
		}
	}}, turns...)}
	hangUp, _ := connect(t, f, s)
	code := make(chan int, 1)
	go func() { code <- f.Run(t.Context(), task("x")) }()
	synctest.Wait()
	return f, keys, s, func() (string, int) {
		synctest.Wait()
		close(release)
		c := <-code
		hangUp()
		keys.w.Close()
		return f.err.String(), c
	}
}

func TestTypingWhileItWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := func(_ context.Context, s *fakeServer) { s.emit(final("m2", "The next."), idle(event.Completed)) }
		_, keys, s, done := working(t, next, next)
		for _, l := range []string{"and then \\", "commit it", "! keep the comment", "!refused", "/plan propose", "/plan", "/help", "", "/exit"} {
			keys.enter(l)
			synctest.Wait()
		}
		text, code := done()
		if code != console.ExitDone {
			t.Errorf("exit code %d", code)
		}
		golden(t, "typing-80", text+"-- server --\n"+s.noted()+"\n")
		wantHarmless(t, text)
	})
}

func TestDropWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, keys, s, done := working(t)
		keys.enter("/drop")
		synctest.Wait()
		wantIn(t, f.err.String(), "nothing waits\n")
		keys.enter("one more thing")
		synctest.Wait()
		keys.enter("/drop")
		synctest.Wait()
		keys.enter("/exit")
		text, code := done()
		if code != console.ExitDone {
			t.Errorf("exit code %d", code)
		}
		wantIn(t, text, "  queued: one more thing\n", "  dropped: one more thing\n")
		wantIn(t, s.noted(), "cancel t1 u2")
	})
}

// What is typed while a question is open answers it; what was typed before it
// was shown does not.
func TestQuestionWhileTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, keys, s, done := working(t, func(_ context.Context, s *fakeServer) { s.emit(idle(event.Completed)) })
		answer := make(chan string)
		go func() {
			res, err := s.client.Ask(t.Context(), &protocol.AskParams{TaskID: "t1", Text: "Which one?"})
			if err != nil {
				t.Error(err)
			}
			answer <- res.Text
		}()
		synctest.Wait()
		keys.enter("the blue one")
		if got := <-answer; got != "the blue one" {
			t.Errorf("%q", got)
		}
		synctest.Wait()
		keys.enter("next task")
		synctest.Wait()
		keys.enter("/exit")
		text, _ := done()
		if strings.Contains(text, "queued: the blue one") || strings.Contains(s.noted(), "prompt t1 : the blue one") {
			t.Error(text)
		}
		wantIn(t, f.err.String(), "queued: next task")
	})
}

// What is said to clined itself is no answer: neither a no with words for the
// model, nor typed to it.
func TestCommandsBesideAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, keys, s, done := working(t)
		s.commands.list = []event.Terminal{command("c7", "make watch", "background", "", false)}
		for yes, asks := range map[string]func(answer chan<- string){
			"y": func(answer chan<- string) {
				out, err := s.client.ApprovalRequest(t.Context(), approvalParams())
				if err != nil || out == nil || out.Feedback != nil {
					t.Errorf("%+v, %v", out, err)
					answer <- ""
					return
				}
				answer <- out.OptionID
			},
			"1": func(answer chan<- string) {
				res, err := s.client.Ask(t.Context(), &protocol.AskParams{TaskID: "t1", Text: "Which one?", Options: []string{"yes1"}})
				if err != nil || res == nil {
					t.Errorf("%+v, %v", res, err)
					answer <- ""
					return
				}
				answer <- res.Text + res.Option
			},
		} {
			answer := make(chan string, 1)
			go asks(answer)
			synctest.Wait()
			for _, l := range []string{"/jobs", " /kill 1 ", "/help", "/drop", "/plan", "/exit"} {
				keys.enter(l)
				synctest.Wait()
			}
			select {
			case got := <-answer:
				t.Errorf("answered with a command: %q", got)
			default:
				keys.enter(yes)
				if got := <-answer; got != "yes1" {
					t.Errorf("%q", got)
				}
			}
		}
		text, _ := done()
		for part, n := range map[string]int{"  [1] make watch in the background\n": 2, "nothing waits\n": 2, "the mode is now plan\n": 2, "the conversation ends when this is done": 2, "y is yes": 0} {
			if strings.Count(text, part) != n {
				t.Errorf("%q stands %d times, not %d:\n%s", part, strings.Count(text, part), n, text)
			}
		}
		if n := strings.Count(s.noted(), "kill t1 c7"); n != 2 {
			t.Errorf("killed %d times:\n%s", n, s.noted())
		}
	})
}

// Ctrl-C takes back what waits, with the turn.
func TestCancelWithQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := newTypist()
		f := newFront(t, console.Options{OutTTY: true, In: keys, InTTY: true, Interactive: true})
		ctx, cancel := context.WithCancel(t.Context())
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(ctx context.Context, s *fakeServer) {
			<-ctx.Done()
			s.emit(idle(event.Cancelled))
		}}}
		hangUp, _ := connect(t, f, s)
		code := make(chan int)
		go func() { code <- f.Run(ctx, task("x")) }()
		synctest.Wait()
		keys.enter("more")
		synctest.Wait()
		cancel()
		if c := <-code; c != console.ExitCancelled {
			t.Errorf("exit code %d", c)
		}
		hangUp()
		keys.w.Close()
		wantIn(t, f.err.String(), "queued: more", "stopping…", "dropped: more")
	})
}

func TestChecklist(t *testing.T) {
	for _, tt := range []struct{ typed, list, shown string }{
		{"/checklist 2", "- [x] look\n- [x] change it\n- [ ] test\n", "☑ change it"},
		{"/checklist 1 3", "- [ ] look\n- [ ] change it\n- [x] test\n", "checklist, 1 of 3 done"},
		{"/checklist 1, 1", "- [ ] look\n- [ ] change it\n- [ ] test\n", "☐ look"},
		{"/checklist 3 run all tests", "- [x] look\n- [ ] change it\n- [ ] run all tests\n", "☐ run all tests"},
		{"/checklist + tell   the news", "- [x] look\n- [ ] change it\n- [ ] test\n- [ ] tell the news\n", "☐ tell the news"},
		{"/checklist -2", "- [x] look\n- [ ] test\n", "checklist, 1 of 2 done"},
		{"/checklist - 1 2 3", "\n", ""},
		{"/checklist", "", "  1 ☑ look\n  2 ☐ change it\n  3 ☐ test\n"},
		{"/checklist 4", "", "clined: the checklist has no item 4\nhint: /checklist shows it"},
		{"/checklist 0", "", "has no item 0"},
		{"/checklist -", "", "not clear which item"},
		{"/checklist -x", "", "not clear which item"},
		{"/checklist -9", "", "no item 9"},
		{"/checklist +", "", "not clear what is to be added"},
		{"/checklist words", "", "not clear what is to be changed"},
		{"/checklist 1 2 words", "", "not clear what is to be changed"},
	} {
		t.Run(tt.typed, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, keys, s, done := working(t)
				keys.enter(tt.typed)
				synctest.Wait()
				keys.enter("/exit")
				text, _ := done()
				wantIn(t, text, tt.shown)
				if tt.list != "" {
					wantIn(t, s.noted()+"\n", fmt.Sprintf("checklist t1:\n%s", strings.TrimPrefix(tt.list, "\n")))
				} else if strings.Contains(s.noted(), "checklist") {
					t.Error(s.noted())
				}
			})
		})
	}
	// Without a task there is none.
	f := newFront(t, console.Options{In: strings.NewReader("/checklist\n/exit\n"), Interactive: true})
	f.Run(t.Context(), protocol.TaskNewParams{})
	wantIn(t, f.err.String(), "there is no task yet")
}
