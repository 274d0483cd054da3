package console_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// fakeServer is a daemon that plays scripts. Methods that it does not have
// panic, which fails the test.
type fakeServer struct {
	protocol.Server
	client protocol.Client
	// turns are the scripts of the task's turns, in order. ctx ends with the
	// turn's cancel.
	turns    []func(ctx context.Context, s *fakeServer)
	refuse   error
	stored   stored
	commands commands

	mu     sync.Mutex // guards the rest
	wg     sync.WaitGroup
	seq    int64
	begun  int
	active bool
	queue  []waitingPrompt
	cancel context.CancelFunc
	log    []string
}

// turnID is that of the turn that was begun last.
func (s *fakeServer) turnID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("u%d", s.begun)
}

func (s *fakeServer) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, line)
}

func (s *fakeServer) noted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.log, "\n")
}

func (s *fakeServer) emit(list ...event.Event) {
	s.emitIn(s.turnID(), list...)
}

func (s *fakeServer) emitIn(turn string, list ...event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range list {
		if st, ok := e.(event.State); ok && st.State == event.Idle {
			s.active = len(s.queue) > 0
		}
		s.seq++
		p := envelope(s.seq, e)
		p.TurnID = turn
		_ = s.client.TaskEvent(context.Background(), p)
	}
}

// turn plays the next script after the request was answered.
func (s *fakeServer) turn(ctx context.Context) {
	play := s.next(context.WithoutCancel(ctx))
	rpc.AfterReply(ctx, func() { s.wg.Go(play) })
}

func (s *fakeServer) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if s.refuse != nil {
		return nil, s.refuse
	}
	c := p.Capabilities.Experimental.Clined
	if c == nil || c.Caps.Approvals == nil || c.Caps.Approvals.Feedback == nil || c.Caps.Asks == nil || c.Caps.Transcript == nil || c.Client.Version != "9.9" {
		return nil, errors.New("wrong capabilities")
	}
	s.note("initialize " + p.WorkspaceFolders[0].URI)
	return &protocol.InitializeResult{}, nil
}

func (s *fakeServer) Initialized(context.Context, *protocol.Empty) error {
	s.note("initialized")
	return nil
}

func (s *fakeServer) Shutdown(context.Context, *protocol.Empty) (*protocol.Null, error) {
	s.note("shutdown")
	return &protocol.Null{}, nil
}

func (s *fakeServer) Exit(context.Context, *protocol.Empty) error {
	s.note("exit")
	return nil
}

func (s *fakeServer) TaskNew(ctx context.Context, p *protocol.TaskNewParams) (*protocol.TaskNewResult, error) {
	if s.refuse != nil {
		return nil, s.refuse
	}
	s.note("new " + p.Mode + ": " + p.Prompt[0].Text)
	s.turn(ctx)
	return &protocol.TaskNewResult{TaskID: "t1", TurnID: s.turnID()}, nil
}

func (s *fakeServer) TaskPrompt(ctx context.Context, p *protocol.TaskPromptParams) (*protocol.TaskPromptResult, error) {
	s.note("prompt " + p.TaskID + " " + p.Mode + ": " + p.Prompt[0].Text)
	if p.Prompt[0].Text == "refused" {
		return nil, errors.New("the prompt is refused")
	}
	if res, ok := s.wait(ctx, p.Prompt[0].Text); ok {
		return res, nil
	}
	s.turn(ctx)
	return &protocol.TaskPromptResult{TurnID: s.turnID()}, nil
}

func (s *fakeServer) TaskCancel(_ context.Context, p *protocol.TaskCancelParams) (*protocol.Empty, error) {
	s.note(strings.TrimSpace("cancel " + p.TaskID + " " + p.TurnID))
	s.mu.Lock()
	dropped := s.queue
	s.queue = nil
	s.mu.Unlock()
	for _, w := range dropped {
		s.emitIn(w.turn, w.message(event.Discarded))
	}
	if p.TurnID == "" {
		s.cancel()
	}
	return &protocol.Empty{}, nil
}

func (s *fakeServer) ConfigSet(_ context.Context, p *protocol.ConfigSetParams) (*protocol.ConfigResult, error) {
	s.note("set " + p.TaskID + " " + p.ID + "=" + p.Value)
	return &protocol.ConfigResult{}, nil
}

// connect attaches a front to s over a real connection. hangUp also waits for
// the server.
func connect(t *testing.T, f *front, s *fakeServer) (hangUp func(), server *rpc.Conn) {
	t.Helper()
	here, there := net.Pipe()
	server = rpc.NewConn(context.Background(), there, func(c *rpc.Conn) rpc.Handler {
		s.client = protocol.NewClientStub(c)
		return protocol.ServerHandler(s)
	}, rpc.Options{Framing: rpc.Header})
	bye, err := f.Connect(t.Context(), here, console.Workspace{Cwd: "/w", Version: "9.9"})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		bye()
		s.wg.Wait()
		_ = server.Wait()
	}, server
}

func task(text string) protocol.TaskNewParams {
	return protocol.TaskNewParams{Cwd: "/w", Mode: "act", Prompt: protocol.Text(text)}
}

// A whole task over a real connection, with an approval and a question.
func TestTask(t *testing.T) {
	f := newFront(t, console.Options{Width: 80, In: strings.NewReader("yes, gently\n2\n")})
	s := &fakeServer{turns: []func(context.Context, *fakeServer){func(ctx context.Context, s *fakeServer) {
		c := event.ToolCall{ToolCallID: "c1", Name: "replace_in_file", Kind: "edit", Args: `{"path":"price.go"}`, Status: event.InProgress}
		s.emit(event.State{State: event.Running}, say("m1", "I will correct it."), said("m1", "I will correct it."), c)
		out, err := s.client.ApprovalRequest(ctx, approvalParams())
		if err != nil || out.OptionID != "yes1" || out.Feedback == nil || out.Feedback.Text != "gently" {
			t.Errorf("%+v, %v", out, err)
		}
		_ = s.client.ApprovalResolved(ctx, &protocol.ApprovalResolvedParams{ApprovalID: "a1", Outcome: "allow_once"})
		c.Status, c.Title, c.Diff = event.Done, "Edit price.go", diff
		s.emit(c)
		res, err := s.client.Ask(ctx, &protocol.AskParams{TaskID: "t1", Text: "Commit it?", Options: []string{"yes", "no"}})
		if err != nil || res.Option != "no" {
			t.Errorf("%+v, %v", res, err)
		}
		s.emit(final("m2", "It is corrected."), idle(event.Completed))
	}}}
	hangUp, _ := connect(t, f, s)
	if code := f.Run(t.Context(), task("correct it")); code != console.ExitDone {
		t.Errorf("exit code %d", code)
	}
	hangUp()
	golden(t, "task", f.both()+"-- server --\n"+s.noted()+"\n")
}

func TestExitCodes(t *testing.T) {
	needsUser := idle(event.NeedsUser)
	needsUser.Error = &event.Failure{Code: "needs_user", Message: "the task needs a decision"}
	for _, tt := range []struct {
		end  event.State
		code int
	}{
		{idle(event.Completed), console.ExitDone}, {idle(event.PlanPresented), console.ExitDone}, {idle(event.Cancelled), console.ExitCancelled},
		{idle(event.Failed), console.ExitFailed}, {needsUser, console.ExitNeedsUser},
	} {
		f := newFront(t, console.Options{})
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(_ context.Context, s *fakeServer) { s.emit(tt.end) }}}
		hangUp, _ := connect(t, f, s)
		if code := f.Run(t.Context(), task("x")); code != tt.code {
			t.Errorf("%s: exit code %d, want %d", tt.end.StopReason, code, tt.code)
		}
		hangUp()
		if strings.Contains(f.err.String(), "daemon is gone") {
			t.Errorf("after hanging up: %s", f.err)
		}
	}
}

// A decision that nobody is there to make cancels the task: exit code 3, one
// explanation.
func TestNobodyThere(t *testing.T) {
	for name, ask := range map[string]func(ctx context.Context, s *fakeServer) error{
		"approval": func(ctx context.Context, s *fakeServer) error {
			_, err := s.client.ApprovalRequest(ctx, approvalParams())
			return err
		},
		"question": func(ctx context.Context, s *fakeServer) error {
			_, err := s.client.Ask(ctx, &protocol.AskParams{TaskID: "t1", Text: "Which one?"})
			return err
		},
	} {
		f := newFront(t, console.Options{In: strings.NewReader("")})
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(ctx context.Context, s *fakeServer) {
			_ = ask(ctx, s) // null, or cancelled with the turn
			<-ctx.Done()
			end := idle(event.Cancelled)
			end.Error = &event.Failure{Message: "told twice"}
			s.emit(end)
		}}}
		hangUp, _ := connect(t, f, s)
		if code := f.Run(t.Context(), task("x")); code != console.ExitNeedsUser {
			t.Errorf("%s: exit code %d", name, code)
		}
		hangUp()
		wantIn(t, s.noted(), "cancel t1")
		if text := f.err.String(); strings.Count(text, "clined: ") != 1 || strings.Count(text, "hint: ") != 1 || strings.Contains(text, "stopped") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// The end of ctx cancels the turn and waits for its end.
func TestCancel(t *testing.T) {
	f := newFront(t, console.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	s := &fakeServer{turns: []func(context.Context, *fakeServer){func(turn context.Context, s *fakeServer) {
		s.emit(say("m1", "I am"))
		cancel()
		<-turn.Done()
		stopped := said("m1", "I am")
		stopped.Status = event.Stopped
		s.emit(stopped, idle(event.Cancelled))
	}}}
	hangUp, _ := connect(t, f, s)
	if code := f.Run(ctx, task("x")); code != console.ExitCancelled {
		t.Errorf("exit code %d", code)
	}
	hangUp()
	wantIn(t, f.err.String(), "\n● I am\n", "stopping…\n", "stopped\n")
	wantIn(t, s.noted(), "cancel t1\nshutdown\nexit")
}

// A connection that is lost ends the run, wherever it is.
func TestLost(t *testing.T) {
	t.Run("in a turn", func(t *testing.T) {
		f := newFront(t, console.Options{})
		var server *rpc.Conn
		begun := make(chan struct{})
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(_ context.Context, s *fakeServer) {
			s.emit(say("m1", "I am"))
			close(begun)
		}}}
		hangUp, server := connect(t, f, s)
		go func() {
			<-begun
			f.err.wait(t, "● I", 1)
			_ = server.Close()
		}()
		if code := f.Run(t.Context(), task("x")); code != console.ExitFailed {
			t.Errorf("exit code %d", code)
		}
		hangUp()
		wantIn(t, f.err.String(), "\n● I am\nclined: the daemon is gone: the connection was closed\n")
	})
	t.Run("in a question", func(t *testing.T) {
		keys := newTypist()
		defer keys.w.Close()
		f := newFront(t, console.Options{In: keys, InTTY: true})
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(ctx context.Context, s *fakeServer) {
			_, _ = s.client.ApprovalRequest(ctx, approvalParams())
		}}}
		hangUp, server := connect(t, f, s)
		go func() {
			f.err.wait(t, "› ", 1)
			_ = server.Close()
		}()
		if code := f.Run(t.Context(), task("x")); code != console.ExitFailed {
			t.Errorf("exit code %d", code)
		}
		hangUp()
		wantIn(t, f.err.String(), "(no answer is needed any more)\n", "clined: the daemon is gone")
		if strings.Contains(f.err.String(), "nobody is there") {
			t.Error(f.err)
		}
	})
	t.Run("at a prompt", func(t *testing.T) {
		keys := newTypist()
		defer keys.w.Close()
		f := newFront(t, console.Options{In: keys, InTTY: true, Interactive: true})
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(_ context.Context, s *fakeServer) { s.emit(idle(event.Completed)) }}}
		hangUp, server := connect(t, f, s)
		go func() {
			f.err.wait(t, "› ", 1)
			_ = server.Close()
		}()
		if code := f.Run(t.Context(), task("x")); code != console.ExitFailed {
			t.Errorf("exit code %d", code)
		}
		hangUp()
	})
	t.Run("before the task", func(t *testing.T) {
		f := newFront(t, console.Options{})
		s := &fakeServer{}
		hangUp, server := connect(t, f, s)
		_ = server.Close()
		if code := f.Run(t.Context(), task("x")); code != console.ExitFailed {
			t.Errorf("exit code %d", code)
		}
		hangUp()
		wantIn(t, f.err.String(), "clined: the task could not be started: ")
	})
}

func TestRefused(t *testing.T) {
	f := newFront(t, console.Options{})
	here, there := net.Pipe()
	s := &fakeServer{refuse: errors.New("no protocol in common")}
	server := rpc.NewConn(t.Context(), there, func(*rpc.Conn) rpc.Handler { return protocol.ServerHandler(s) }, rpc.Options{Framing: rpc.Header})
	if _, err := f.Connect(t.Context(), here, console.Workspace{Cwd: "/w"}); err == nil || !strings.Contains(err.Error(), "handshake: no protocol in common") {
		t.Errorf("%v", err)
	}
	_ = server.Wait()

	s.refuse = nil
	hangUp, _ := connect(t, f, s)
	s.refuse = errors.New("no such folder")
	if code := f.Run(t.Context(), task("x")); code != console.ExitFailed {
		t.Errorf("exit code %d", code)
	}
	hangUp()
	wantIn(t, f.err.String(), "clined: the task could not be started: no such folder\n")
}
