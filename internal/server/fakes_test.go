package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hang guards against a test that would wait for ever.
const hang = time.Minute

// backend is a daemon whose tasks do what a test tells them.
type backend struct {
	mu       sync.Mutex
	spec     SessionSpec
	ws       *workspace.Workspace
	opened   int
	closed   bool
	refuse   error // of Open
	noTask   error // of NewTask
	noPrompt error // of the tasks' Prompt
	settings []string
	trusted  []string
	options  map[string]string
	tasks    []*fakeTask
	history  fakeHistory
	accounts fakeAccounts
	setup    fakeSetup
	rules    fakeRules
}

func (b *backend) History() History { return &b.history }

func (b *backend) Accounts() Accounts { return &b.accounts }

func (b *backend) Setup() Setup { return &b.setup }

func (b *backend) Open(_ context.Context, s SessionSpec) (Session, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened++
	if b.refuse != nil {
		return nil, b.refuse
	}
	b.spec = s
	b.ws = workspace.New(workspace.Options{Roots: s.Roots, Editor: s.Editor})
	return b, nil
}

func (b *backend) Workspace() *workspace.Workspace { return b.ws }

func (b *backend) Trust(_ context.Context, root, hash string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trusted = append(b.trusted, root+" "+hash)
	return nil
}

func (b *backend) Configure(settings json.RawMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settings = append(b.settings, string(settings))
	if string(settings) == `{"bad":1}` {
		return errors.New(`unknown setting "bad"`)
	}
	return nil
}

func (b *backend) Options() []event.Option { return list(b.options) }

func (b *backend) SetOption(id, value string) error { return set(b.options, id, value) }

func (b *backend) NewTask(ctx context.Context, s TaskSpec) (Task, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.noTask != nil {
		return nil, b.noTask
	}
	if !s.Stored {
		b.history.begin(s.ID)
	} else {
		if _, err := b.history.knows(s.ID); err != nil {
			return nil, err
		}
	}
	t := &fakeTask{
		TaskSpec: s, ctx: ctx, fail: b.noPrompt, options: map[string]string{"mode": "act", "model": "m"},
		record: b.history.record(s.ID),
	}
	if s.Mode != "" {
		t.options["mode"] = string(s.Mode)
	}
	b.tasks = append(b.tasks, t)
	return t, nil
}

func (b *backend) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}

func (b *backend) task(t testing.TB, i int) *fakeTask {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.tasks) <= i {
		t.Fatalf("there are %d tasks", len(b.tasks))
	}
	return b.tasks[i]
}

// fakeTask notes what it is told. With fail it refuses.
type fakeTask struct {
	TaskSpec
	ctx     context.Context
	mu      sync.Mutex
	prompts []agent.Prompt
	cancels []string
	options map[string]string
	fail    error
	// slow, if set, is called by Prompt, as a disk that is waited for.
	slow      func()
	closed    bool
	record    *fakeRecord
	terminals fakeTerminals
	noted     []string
	notes     string
	noNotes   error
}

func (t *fakeTask) Note(markdown string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes += markdown
	return "/state/" + t.ID + "/transcript.md", t.noNotes
}

func (t *fakeTask) Prompt(p agent.Prompt) (agent.Accepted, error) {
	if t.slow != nil {
		t.slow()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fail != nil {
		return agent.Accepted{}, t.fail
	}
	t.prompts = append(t.prompts, p)
	acc := agent.Accepted{TurnID: fmt.Sprintf("turn%d", len(t.prompts)), MessageID: fmt.Sprintf("msg%d", len(t.prompts))}
	t.Sink.Emit(acc.TurnID, event.State{State: event.Running})
	return acc, nil
}

func (t *fakeTask) Cancel(turn string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancels = append(t.cancels, turn)
	return t.fail
}

func (t *fakeTask) Options() []event.Option { return list(t.options) }

func (t *fakeTask) SetOption(id, value string) error { return set(t.options, id, value) }

func (t *fakeTask) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
}

func list(m map[string]string) []event.Option {
	out := []event.Option{}
	for id, v := range m {
		out = append(out, event.Option{ID: id, Name: id, Value: v})
	}
	slices.SortFunc(out, func(a, b event.Option) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func set(m map[string]string, id, value string) error {
	if _, ok := m[id]; !ok {
		return fmt.Errorf("there is no option %q", id)
	}
	m[id] = value
	return nil
}

// fakeClient is the editor: it notes what it is told and answers by its functions.
type fakeClient struct {
	// messages, if set, are the messages with actions that are shown.
	messages chan shownMessage

	protocol.NoWindows
	mu       sync.Mutex
	events   []protocol.TaskEventParams
	resolved []protocol.ApprovalResolvedParams
	logs     []string
	shown    []string
	changed  chan struct{}

	approve func(ctx context.Context, p *protocol.ApprovalRequestParams) (*protocol.ApprovalOutcome, error)
	ask     func(ctx context.Context, p *protocol.AskParams) (*protocol.AskResult, error)
	apply   func(p *protocol.ApplyEditParams) (*protocol.ApplyEditResult, error)
}

func (c *fakeClient) note(f func()) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	close(c.changed)
	c.changed = make(chan struct{})
	return nil
}

// until waits for a condition on what was noted.
func (c *fakeClient) until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(hang)
	for {
		met, changed := c.look(ok)
		if met {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("waited in vain for %s; events: %v, logs: %v", what, c.events, c.logs)
		}
	}
}

func (c *fakeClient) look(ok func() bool) (met bool, changed chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return ok(), c.changed
}

// last returns the newest event's content, nil for none.
func (c *fakeClient) last() event.Event {
	if len(c.events) == 0 {
		return nil
	}
	return c.events[len(c.events)-1].Event.Event
}

func (c *fakeClient) TaskEvent(_ context.Context, p *protocol.TaskEventParams) error {
	return c.note(func() { c.events = append(c.events, *p) })
}

func (c *fakeClient) ApprovalRequest(ctx context.Context, p *protocol.ApprovalRequestParams) (*protocol.ApprovalOutcome, error) {
	return c.approve(ctx, p)
}

func (c *fakeClient) ApprovalResolved(_ context.Context, p *protocol.ApprovalResolvedParams) error {
	return c.note(func() { c.resolved = append(c.resolved, *p) })
}

func (c *fakeClient) Ask(ctx context.Context, p *protocol.AskParams) (*protocol.AskResult, error) {
	return c.ask(ctx, p)
}

func (c *fakeClient) ApplyEdit(_ context.Context, p *protocol.ApplyEditParams) (*protocol.ApplyEditResult, error) {
	return c.apply(p)
}

func (c *fakeClient) LogMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	return c.note(func() { c.logs = append(c.logs, p.Message) })
}

func (c *fakeClient) ShowMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	return c.note(func() { c.shown = append(c.shown, p.Message) })
}

// rig is an editor connected to a served session.
type rig struct {
	t       testing.TB
	backend *backend
	client  *fakeClient
	server  protocol.Server // as the editor calls it
	conn    *rpc.Conn
	pipe    io.Closer
	code    chan int
}

func connect(t testing.TB) *rig {
	t.Helper()
	a, b := net.Pipe()
	r := &rig{
		t:       t,
		backend: &backend{options: map[string]string{"mode": "act", "model": "m"}},
		client:  &fakeClient{changed: make(chan struct{})},
		pipe:    a, code: make(chan int, 1),
	}
	ids := 0
	var mu sync.Mutex
	o := Options{
		Backend: r.backend, Version: "1.2.3",
		Now:   func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) },
		NewID: func() string { mu.Lock(); defer mu.Unlock(); ids++; return fmt.Sprintf("id%d", ids) },
	}
	go func() { r.code <- Serve(t.Context(), b, o) }()
	r.conn = rpc.NewConn(t.Context(), a, func(*rpc.Conn) rpc.Handler { return protocol.ClientHandler(r.client) }, rpc.Options{Framing: rpc.Header})
	r.server = protocol.NewServerStub(r.conn)
	t.Cleanup(func() {
		r.conn.Close()
		select {
		case <-r.code:
		case <-time.After(hang):
			t.Error("the session does not end")
		}
	})
	return r
}

// everything is a client with all capabilities.
const everything = `{"general":{"positionEncodings":["utf-8"]},"workspace":{"applyEdit":true},"experimental":{"clined":{
	"protocol":{"min":1,"max":1},"client":{"name":"test"},
	"caps":{"approvals":{"feedback":{},"editedContent":{}},"asks":{},"editorState":{},"transcript":{}}}}}`

// bare is a native client that can do nothing.
const bare = `{"experimental":{"clined":{}}}`

// start connects and initializes with a workspace folder.
func start(t testing.TB, capabilities string) *rig {
	t.Helper()
	r := connect(t)
	r.initialize(`{"processId":7,"workspaceFolders":[{"uri":"` + fileuri.FromPath(t.TempDir()) + `","name":"w"}],"capabilities":` + capabilities + `}`)
	return r
}

func (r *rig) ctx() context.Context {
	ctx, cancel := context.WithTimeout(r.t.Context(), hang)
	r.t.Cleanup(cancel)
	return ctx
}

func (r *rig) initialize(params string) *protocol.InitializeResult {
	r.t.Helper()
	var res protocol.InitializeResult
	if err := r.conn.Call(r.ctx(), protocol.MethodInitialize, json.RawMessage(params), &res); err != nil {
		r.t.Fatal(err)
	}
	return &res
}

// call sends raw params and returns the raw result.
func (r *rig) call(method, params string) (string, error) {
	var res json.RawMessage
	err := r.conn.Call(r.ctx(), method, json.RawMessage(params), &res)
	return string(res), err
}

// refused asserts that a request is answered with an error of that code.
func (r *rig) refused(method, params string, code int64, text string) {
	r.t.Helper()
	_, err := r.call(method, params)
	var e *rpc.Error
	if !errors.As(err, &e) || e.Code != code || e.Message != text {
		r.t.Errorf("%s %s:\ngot  %v\nwant %s (code %d)", method, params, err, text, code)
	}
}

func (r *rig) notify(method, params string) {
	r.t.Helper()
	if err := r.conn.Notify(method, json.RawMessage(params)); err != nil {
		r.t.Fatal(err)
	}
}

// settle waits until all notifications sent so far were handled.
func (r *rig) settle() {
	r.t.Helper()
	if _, err := r.server.ConfigGet(r.ctx(), &protocol.ConfigGetParams{}); err != nil {
		r.t.Fatal(err)
	}
}

// newTask makes a task with a running turn.
func (r *rig) newTask() (*fakeTask, string) {
	r.t.Helper()
	r.backend.mu.Lock()
	n := len(r.backend.tasks)
	r.backend.mu.Unlock()
	res, err := r.server.TaskNew(r.ctx(), &protocol.TaskNewParams{Prompt: []protocol.ContentBlock{{Type: "text", Text: "hi"}}})
	if err != nil {
		r.t.Fatal(err)
	}
	return r.backend.task(r.t, n), res.TaskID
}
