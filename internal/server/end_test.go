package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// closing is a backend whose tasks do something when they are closed.
type closing struct {
	*backend
	onClose func(*fakeTask)
}

func (b closing) Open(ctx context.Context, s SessionSpec) (Session, error) {
	if _, err := b.backend.Open(ctx, s); err != nil {
		return nil, err
	}
	return b, nil
}

func (b closing) NewTask(ctx context.Context, s TaskSpec) (Task, error) {
	if _, err := b.backend.NewTask(ctx, s); err != nil {
		return nil, err
	}
	return closingTask{b.backend.tasks[len(b.backend.tasks)-1], b.onClose}, nil
}

type closingTask struct {
	*fakeTask
	onClose func(*fakeTask)
}

func (t closingTask) Close() { t.onClose(t.fakeTask) }

// nativeClient has no capabilities but knows the protocol.
func nativeClient() *protocol.InitializeParams {
	p := &protocol.InitializeParams{}
	p.Capabilities.Experimental.Clined = &protocol.ClinedClient{}
	return p
}

// serveClosing serves an editor with one running task.
func serveClosing(ctx context.Context, t *testing.T, onClose func(*fakeTask)) (editor *rpc.Conn, client *fakeClient, code <-chan int) {
	t.Helper()
	a, b := net.Pipe()
	client = &fakeClient{changed: make(chan struct{})}
	ended := make(chan int, 1)
	go func() {
		ended <- Serve(ctx, b, Options{
			Backend: closing{&backend{options: map[string]string{}}, onClose}, NewID: func() string { return "id" },
		})
	}()
	editor = rpc.NewConn(t.Context(), a, func(*rpc.Conn) rpc.Handler { return protocol.ClientHandler(client) }, rpc.Options{Framing: rpc.Header})
	t.Cleanup(func() { _ = editor.Close() })
	server := protocol.NewServerStub(editor)
	if _, err := server.Initialize(t.Context(), nativeClient()); err != nil {
		t.Fatal(err)
	}
	if _, err := server.TaskNew(t.Context(), &protocol.TaskNewParams{Cwd: t.TempDir(), Prompt: protocol.Text("go")}); err != nil {
		t.Fatal(err)
	}
	return editor, client, ended
}

// A process that is asked to end tells its editor how the tasks ended.
func TestEndOfContextIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, client, code := serveClosing(ctx, t, func(task *fakeTask) {
		task.Sink.Emit("turn1", event.State{State: event.Idle, StopReason: event.Cancelled})
	})
	cancel()
	if got := <-code; got != ExitUnclean {
		t.Errorf("exit code %d", got)
	}
	client.until(t, "the end of the turn", func() bool {
		s, ok := client.last().(event.State)
		return ok && s.State == event.Idle
	})
}

// A task that does not stop keeps neither shutdown nor the process waiting.
func TestTaskThatDoesNotStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		editor, _, code := serveClosing(t.Context(), t, func(*fakeTask) { <-release })
		start := time.Now()
		server := protocol.NewServerStub(editor)
		if _, err := server.Shutdown(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := server.Exit(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if got := <-code; got != ExitClean {
			t.Errorf("exit code %d", got)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// The daemon may end a session; the editor sees the connection close.
func TestSessionEndedFromInside(t *testing.T) {
	r := start(t, everything)
	task, _ := r.newTask()
	r.backend.spec.End("the editor has ended")
	r.backend.spec.End("again")
	r.ends(ExitUnclean)
	if !task.closed || !r.backend.closed {
		t.Error("something lives on")
	}
}

// What waits in one task does not hide what another one asks.
func TestTwoTasksAsk(t *testing.T) {
	r := start(t, everything)
	one, first := r.newTask()
	two, second := r.newTask()
	shown := r.approvals()
	firstDone := ask(t.Context(), one, command("a", "one"))
	a := <-shown
	secondDone := ask(t.Context(), two, command("b", "two"))
	b := <-shown
	if a.p.TaskID != first || b.p.TaskID != second {
		t.Errorf("asked for %s and %s", a.p.TaskID, b.p.TaskID)
	}
	b.reply(&protocol.ApprovalOutcome{OptionID: "allow_once"}, nil)
	if v := <-secondDone; !v.answer.Allowed {
		t.Errorf("%+v", v)
	}
	a.reply(&protocol.ApprovalOutcome{OptionID: "reject_once"}, nil)
	if v := <-firstDone; v.answer.Allowed {
		t.Errorf("%+v", v)
	}
}

// A process id of no process is none.
func TestProcessID(t *testing.T) {
	for params, want := range map[string]int{`7`: 7, `0`: 0, `-1`: 0, `null`: 0} {
		r := connect(t)
		r.initialize(`{"processId":` + params + `,"capabilities":{}}`)
		if got := r.backend.spec.ProcessID; got != want {
			t.Errorf("%s: %d, want %d", params, got, want)
		}
	}
}

// The author of a plugin hears of a notification that could not be read: a
// document that is not what the editor shows is hard to find otherwise.
func TestBadNotificationsAreTold(t *testing.T) {
	r := start(t, everything)
	r.notify(protocol.MethodDidChange, `{"textDocument":{"uri":"file:///a","version":1},"contentChanges":[{"range":{"start":{"line":-1}},"text":"x"}]}`)
	r.notify("no/such", `{}`)
	r.settle()
	r.client.until(t, "the log message", func() bool { return len(r.client.logs) == 1 })
	if got := r.client.logs[0]; !strings.Contains(got, "textDocument/didChange was ignored") || !strings.Contains(got, "line") {
		t.Errorf("%q", got)
	}
}

// An editor that is suspended finds its session when it goes on.
func TestSuspendedEditor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		code := make(chan int, 1)
		go func() {
			code <- Serve(t.Context(), b, Options{Backend: &backend{options: map[string]string{}}, NewID: func() string { return "id" }})
		}()
		if _, err := io.WriteString(a, `{"id":1,"method":"initialize","params":{"capabilities":{}}}`+"\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // of the bubble: the answer is not read for so long
		line, err := bufio.NewReader(a).ReadString('\n')
		if err != nil || !strings.Contains(line, `"id":1`) {
			t.Errorf("%q, %v", line, err)
		}
		a.Close()
		if got := <-code; got != ExitUnclean {
			t.Errorf("exit code %d", got)
		}
	})
}
