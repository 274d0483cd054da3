package console_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

func resumable(o console.Options) console.Options {
	o.Resumable, o.Home, o.Now = true, "/home/me", noon
	return o
}

func answers(text string) func(context.Context, *fakeServer) {
	return func(_ context.Context, s *fakeServer) { s.emit(final("end", text), idle(event.Completed)) }
}

// What an interruption left is told before the task goes on.
func TestResume(t *testing.T) {
	for _, tt := range []struct {
		name, prompt, mode string
		o                  console.Options
	}{
		{"resume-80", "", "", console.Options{OutTTY: true, Width: 80}},
		{"resume-words", "look again", "plan", console.Options{OutTTY: true, Width: 80, Color: true}},
		{"resume-piped", "", "act", console.Options{}},
		{"resume-json", "", "", console.Options{JSON: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFront(t, resumable(tt.o))
			s := withPast()
			s.turns = append(s.turns, func(ctx context.Context, s *fakeServer) {
				s.emit(event.Plan{Entries: []event.PlanEntry{{Text: "look", Done: true}, {Text: "test", Done: true}}})
				answers("It is done.")(ctx, s)
			})
			hangUp, _ := connect(t, f, s)
			if code := f.Resume(t.Context(), console.Resuming{Task: someTasks()[1], Prompt: tt.prompt, Mode: tt.mode}); code != console.ExitDone {
				t.Errorf("exit code %d", code)
			}
			hangUp()
			text := f.both() + "-- server --\n" + s.noted() + "\n"
			golden(t, tt.name, strings.ReplaceAll(text, noon().Add(-63*time.Minute).Local().Format("2006-01-02 15:04"), "THEN"))
			wantHarmless(t, f.err.String())
		})
	}
}

func TestResumeRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		task   int
		prompt string
		refuse error
		code   int
		errs   []string
	}{
		"runs elsewhere":  {task: 0, code: console.ExitFailed, errs: []string{"another clined is at it: process 4242", "hint: wait for its end", "clined tasks show 00005105"}},
		"done":            {task: 2, code: console.ExitUsage, errs: []string{"come to its end", `clined run --resume 00005a01 "…"`}},
		"taken meanwhile": {task: 1, refuse: rpc.Errorf(protocol.CodeTaskBusy, "the task is being worked on by another clined (process 7, since 11:00:00)"), code: console.ExitFailed, errs: []string{"cannot be taken up: the task is being worked on by another clined (process 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFront(t, resumable(console.Options{}))
			s := withPast()
			hangUp, _ := connect(t, f, s)
			s.refuse = tt.refuse
			if code := f.Resume(t.Context(), console.Resuming{Task: someTasks()[tt.task], Prompt: tt.prompt}); code != tt.code {
				t.Errorf("exit code %d", code)
			}
			hangUp()
			wantIn(t, f.err.String(), tt.errs...)
			if strings.Contains(s.noted(), "resume ") || strings.Contains(f.err.String(), "to go on with this") {
				t.Errorf("%s\n%s", s.noted(), f.err)
			}
		})
	}
	f := newFront(t, resumable(console.Options{}))
	hangUp, _ := connect(t, f, withPast())
	if code := f.Resume(t.Context(), console.Resuming{Task: protocol.TaskInfo{TaskID: "gone"}}); code != console.ExitFailed {
		t.Errorf("exit code %d", code)
	}
	hangUp()
	wantIn(t, f.err.String(), `cannot be taken up: there is no task "gone"`)
}

// A conversation goes on with a task that is done by what is said next.
func TestResumeConversation(t *testing.T) {
	f := newFront(t, resumable(console.Options{In: strings.NewReader("more\n/exit\n"), Interactive: true}))
	s := withPast()
	s.turns = append(s.turns, answers("More."))
	hangUp, _ := connect(t, f, s)
	if code := f.Resume(t.Context(), console.Resuming{Task: someTasks()[2]}); code != console.ExitDone {
		t.Errorf("exit code %d", code)
	}
	hangUp()
	wantIn(t, s.noted(), "prompt "+id(0x5a01)+" : more")
	wantIn(t, f.err.String(), "to go on with this conversation: clined run -i --resume 00005a01\n")
}

// The last line tells how to go on, unless the task is done.
func TestPartingWords(t *testing.T) {
	for _, tt := range []struct {
		end  event.StopReason
		want string
	}{
		{event.Completed, ""},
		{event.PlanPresented, "to carry it out: clined run --resume t1 --mode act \"go ahead\"\n"},
		{event.Failed, "to go on with this task: clined run --resume t1\n"},
		{event.Cancelled, "stopped\nto go on with this task: clined run --resume t1\n"},
		{event.Interrupted, "interrupted\nto go on with this task: clined run --resume t1\n"},
	} {
		f := newFront(t, resumable(console.Options{}))
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(_ context.Context, s *fakeServer) { s.emit(idle(tt.end)) }}}
		hangUp, _ := connect(t, f, s)
		f.Run(t.Context(), task("x"))
		hangUp()
		if f.err.String() != tt.want {
			t.Errorf("%s: %q", tt.end, f.err)
		}
	}
}

// A terminal that goes away cancels nothing.
func TestLeave(t *testing.T) {
	f := newFront(t, resumable(console.Options{}))
	ctx, cancel := context.WithCancelCause(t.Context())
	over := make(chan struct{})
	s := &fakeServer{turns: []func(context.Context, *fakeServer){func(turn context.Context, s *fakeServer) {
		s.emit(say("m1", "I am"))
		cancel(console.ErrLeave)
		<-over
	}}}
	hangUp, _ := connect(t, f, s)
	if code := f.Run(ctx, task("x")); code != console.ExitCancelled {
		t.Errorf("exit code %d", code)
	}
	close(over)
	hangUp()
	if strings.Contains(s.noted(), "cancel") {
		t.Error(s.noted())
	}
	wantIn(t, f.err.String(), "● I am\nthe task is left interrupted; to go on with it: clined run --resume t1\n")
}
