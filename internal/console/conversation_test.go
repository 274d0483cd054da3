package console_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
)

// A conversation of many turns.
func TestConversation(t *testing.T) {
	keys := newTypist()
	f := newFront(t, console.Options{OutTTY: true, Width: 80, In: keys, InTTY: true, Interactive: true})
	answer := func(text string) func(context.Context, *fakeServer) {
		return func(_ context.Context, s *fakeServer) { s.emit(final("m"+text, text), idle(event.Completed)) }
	}
	failing := func(_ context.Context, s *fakeServer) { s.emit(idle(event.Failed)) }
	s := &fakeServer{turns: []func(context.Context, *fakeServer){answer("one"), answer("two"), answer("three"), failing}}
	hangUp, _ := connect(t, f, s)
	done := make(chan int)
	go func() { done <- f.Run(t.Context(), protocol.TaskNewParams{Cwd: "/w", Mode: "act"}) }()
	prompts, more := 0, 0
	enter := func(line string, further ...string) {
		prompts++
		f.err.wait(t, "\n› ", prompts)
		keys.enter(line)
		for _, line := range further {
			more++
			f.err.wait(t, "… ", more)
			keys.enter(line)
		}
	}
	enter("")
	enter("/help")
	enter("/plan")
	enter("first,")
	enter("/act second")
	enter("/plan")
	enter(`third, \`, `of two \`, "lines")
	enter("refused")
	enter("/jbos")
	enter("/actually this is a prompt")
	enter("/exit")
	if code := <-done; code != console.ExitFailed {
		t.Errorf("exit code %d, want that of the last turn", code)
	}
	hangUp()
	keys.w.Close()
	golden(t, "conversation", f.err.String()+"-- server --\n"+s.noted()+"\n")
}

// What was typed while a turn ran waits for its end, and is shown when it begins.
func TestPromptTypedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := newTypist()
		f := newFront(t, console.Options{OutTTY: true, In: keys, InTTY: true, Interactive: true})
		over := func(_ context.Context, s *fakeServer) { s.emit(idle(event.Completed)) }
		s := &fakeServer{turns: []func(context.Context, *fakeServer){
			func(ctx context.Context, s *fakeServer) {
				go func() {
					synctest.Wait()
					keys.enter("y", "second \\", "and third", "/exit")
				}()
				if _, err := s.client.Ask(ctx, &protocol.AskParams{Text: "first"}); err != nil {
					t.Error(err)
				}
				synctest.Wait() // all lines are read
				over(ctx, s)
			}, over,
		}}
		hangUp, _ := connect(t, f, s)
		if code := f.Run(t.Context(), task("x")); code != console.ExitDone {
			t.Errorf("exit code %d", code)
		}
		hangUp()
		keys.w.Close()
		wantIn(t, s.noted(), "prompt t1 : second \nand third")
		wantIn(t, f.err.String(), "  queued: second and third\n", "\n› second\n  and third\n", "the conversation ends when this is done")
	})
}

func TestConversationEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		code int
	}{
		"with input": {"", console.ExitDone}, "by /quit": {"/quit\n", console.ExitDone}, "in the middle of a prompt": {"and \\\n", console.ExitDone},
	} {
		f := newFront(t, console.Options{In: strings.NewReader(tt.in), Interactive: true})
		if code := f.Run(t.Context(), protocol.TaskNewParams{}); code != tt.code {
			t.Errorf("%s: exit code %d", name, code)
		}
		if text := f.err.String(); !strings.HasSuffix(text, "\n") {
			t.Errorf("%s: an open line: %q", name, text)
		}
	}
	synctest.Test(t, func(t *testing.T) { // Ctrl-C at the prompt
		keys := newTypist()
		f := newFront(t, console.Options{In: keys, InTTY: true, Interactive: true})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan int)
		go func() { done <- f.Run(ctx, protocol.TaskNewParams{}) }()
		synctest.Wait()
		cancel()
		if code := <-done; code != console.ExitCancelled {
			t.Errorf("exit code %d", code)
		}
		keys.w.Close()
	})
}

// Input is not touched before somebody has to answer, and its reader ends when
// it is closed, or with its next line once the front has hung up.
func TestInputReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		touched := false
		f := newFront(t, console.Options{In: readerFunc(func([]byte) (int, error) {
			touched = true
			return 0, io.EOF
		})})
		f.events(weatherStory()...)
		if touched {
			t.Error("read without need")
		}

		keys := newTypist() // closed while the front is there
		f = newFront(t, console.Options{In: keys, InTTY: true})
		got := make(chan *protocol.AskResult)
		go func() {
			res, _ := f.Ask(t.Context(), &protocol.AskParams{Text: "?"})
			got <- res
		}()
		synctest.Wait()
		keys.w.Close()
		if res := <-got; res != nil {
			t.Errorf("%+v", res)
		}

		keys = newTypist() // many lines ahead, and nobody takes them
		f = newFront(t, console.Options{In: keys})
		go keys.enter(strings.Split(strings.Repeat("line ", 100), " ")...)
		if res, err := f.Ask(t.Context(), &protocol.AskParams{Text: "?"}); err != nil || res.Text != "line" {
			t.Errorf("%+v, %v", res, err)
		}
		f.Close()
		f.Close()
		synctest.Wait()
		keys.Close() // lets the typist go
	}) // the bubble ends only when all its goroutines have
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
