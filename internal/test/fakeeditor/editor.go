// Package fakeeditor is an editor for tests: the client side of the protocol
// with buffers, diff views, approvals and questions, driven by a test instead of a person,
// or a plain LSP client with messages, progress and nothing of ours.
// It holds the daemon to the protocol: sequence numbers that rise, edits that
// name the buffer's version, no request it did not announce.
//
// It writes its own JSON, so that a fault of the protocol package shows. Only
// tests import it.
package fakeeditor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// TB is what a test gives; testing.TB satisfies it.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// Editor is one connected editor.
type Editor struct {
	t    TB
	conn *rpc.Conn

	mu sync.Mutex // guards the rest; changed is signalled at each change
	// changed is closed and replaced whenever something below changes.
	changed   chan struct{}
	buffers   map[string]*Buffer
	events    []protocol.TaskEventParams
	lastSeq   map[string]int64
	approvals []*Approval
	asks      []*Ask
	messages  []string
	// RefuseEdits makes the editor turn workspace/applyEdit down.
	refuseEdits bool
	applied     []protocol.ApplyEditParams
	checks      Checks
	// Diff views: what was announced of them, nil for nothing; how they behave;
	// all that were opened; unsaved texts that the daemon is not told of; whether
	// a save is held, and what one waits for.
	diffCaps  []string
	habits    DiffHabits
	views     []*DiffView
	hidden    map[string]string
	holding   bool
	waiting   chan struct{}
	windows   windows
	resources Resources
}

// Approval is an approval request that the editor holds open.
type Approval struct {
	protocol.ApprovalRequestParams
	answer    chan *protocol.ApprovalOutcome
	withdrawn bool
	answered  bool
}

// Ask is an open question.
type Ask struct {
	protocol.AskParams
	answer    chan *protocol.AskResult
	withdrawn bool
	answered  bool
}

// Connect attaches an editor to a daemon at the other end of rwc.
func Connect(ctx context.Context, t TB, rwc io.ReadWriteCloser, framing rpc.Framing) *Editor {
	e := &Editor{t: t, changed: make(chan struct{}), buffers: map[string]*Buffer{}, hidden: map[string]string{}, lastSeq: map[string]int64{}}
	e.conn = rpc.NewConn(ctx, rwc, func(*rpc.Conn) rpc.Handler { return e.handle }, rpc.Options{Framing: framing})
	return e
}

// Call sends a request and returns its raw result.
func (e *Editor) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	var raw json.RawMessage
	err := e.conn.Call(ctx, method, params, &raw)
	return raw, err
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) error { return e.conn.Notify(method, params) }

// Close hangs up without a word, as an editor that dies.
func (e *Editor) Close() { _ = e.conn.Close() }

// Done is closed when the connection has ended.
func (e *Editor) Done() <-chan struct{} { return e.conn.Done() }

func (e *Editor) handle(ctx context.Context, r *rpc.Request) (any, error) {
	rpc.Release(ctx) // an editor shows several decisions at the same time
	if e.foreign(r.Method) {
		e.t.Errorf("the daemon sent %s to a plain LSP client", r.Method)
		return nil, rpc.ErrMethodNotFound
	}
	if result, known, err := e.onWindow(ctx, r); known {
		return result, err
	}
	switch r.Method {
	case "clined/task/event":
		return nil, e.onEvent(r.Params)
	case "clined/approval/request":
		return e.onApproval(ctx, r.Params)
	case "clined/ask":
		return e.onAsk(ctx, r.Params)
	case "clined/approval/resolved":
		return nil, nil
	case "workspace/applyEdit":
		return e.onApplyEdit(r.Params)
	case "window/showMessage", "window/logMessage":
		return nil, e.onMessage(r.Params)
	}
	if strings.HasPrefix(r.Method, "clined/diff/") {
		return e.onDiff(ctx, r)
	}
	if r.Method == "clined/diagnostics/pull" {
		return e.onPull(r.Params)
	}
	e.t.Errorf("the daemon sent %s, which this editor never announced", r.Method)
	return nil, rpc.ErrMethodNotFound
}

func (e *Editor) update(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
	close(e.changed)
	e.changed = make(chan struct{})
}

// Until waits until f, called under the editor's lock, returns true.
func (e *Editor) Until(ctx context.Context, what string, f func() bool) error {
	for {
		e.mu.Lock()
		ok, changed := f(), e.changed
		e.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-e.conn.Done():
			e.mu.Lock()
			ok = f()
			e.mu.Unlock()
			if ok {
				return nil
			}
			return fmt.Errorf("waiting for %s: the connection ended", what)
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", what, context.Cause(ctx))
		}
	}
}

func (e *Editor) onEvent(raw json.RawMessage) error {
	var p protocol.TaskEventParams
	if err := json.Unmarshal(raw, &p); err != nil {
		e.t.Errorf("an event that cannot be read: %v: %s", err, raw)
		return nil
	}
	e.update(func() {
		if p.Seq <= e.lastSeq[p.TaskID] {
			e.t.Errorf("event %d of task %s came after %d", p.Seq, p.TaskID, e.lastSeq[p.TaskID])
		}
		e.lastSeq[p.TaskID] = p.Seq
		e.events = append(e.events, p)
	})
	return nil
}

// Events returns a copy of what came so far.
func (e *Editor) Events() []protocol.TaskEventParams {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]protocol.TaskEventParams(nil), e.events...)
}

// EventsLocked is Events for use inside Until.
func (e *Editor) EventsLocked() []protocol.TaskEventParams { return e.events }

func (e *Editor) onMessage(raw json.RawMessage) error {
	var p struct {
		Message string `json:"message"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	e.update(func() { e.messages = append(e.messages, p.Message) })
	return nil
}

// MessagesLocked are the window/showMessage and logMessage texts, for Until.
func (e *Editor) MessagesLocked() []string { return e.messages }

func (e *Editor) onApproval(ctx context.Context, raw json.RawMessage) (any, error) {
	a := &Approval{answer: make(chan *protocol.ApprovalOutcome, 1)}
	if err := json.Unmarshal(raw, &a.ApprovalRequestParams); err != nil {
		e.t.Errorf("an approval request that cannot be read: %v: %s", err, raw)
	}
	e.update(func() { e.approvals = append(e.approvals, a) })
	select {
	case out := <-a.answer:
		return out, nil
	case <-ctx.Done():
		e.update(func() { a.withdrawn = true })
		return nil, ctx.Err()
	}
}

func (e *Editor) onAsk(ctx context.Context, raw json.RawMessage) (any, error) {
	a := &Ask{answer: make(chan *protocol.AskResult, 1)}
	if err := json.Unmarshal(raw, &a.AskParams); err != nil {
		e.t.Errorf("a question that cannot be read: %v: %s", err, raw)
	}
	e.update(func() { e.asks = append(e.asks, a) })
	select {
	case out := <-a.answer:
		return out, nil
	case <-ctx.Done():
		e.update(func() { a.withdrawn = true })
		return nil, ctx.Err()
	}
}

// NextApproval waits for an approval request that is open.
func (e *Editor) NextApproval(ctx context.Context) (*Approval, error) {
	var found *Approval
	err := e.Until(ctx, "an approval request", func() bool {
		for _, a := range e.approvals {
			if !a.answered && !a.withdrawn {
				found = a
				return true
			}
		}
		return false
	})
	return found, err
}

// Decide answers an approval; nil is the answer null, which decides nothing.
func (e *Editor) Decide(a *Approval, out *protocol.ApprovalOutcome) {
	e.update(func() { a.answered = true })
	a.answer <- out
}

// Forget lets an approval's request stay open and no longer counts it as due:
// the test answers it out of band.
func (e *Editor) Forget(a *Approval) { e.update(func() { a.answered = true }) }

// Withdrawn waits until the daemon called the request back.
func (e *Editor) Withdrawn(ctx context.Context, a *Approval) error {
	return e.Until(ctx, "the withdrawal of an approval", func() bool { return a.withdrawn })
}

// NextAsk waits for an open question.
func (e *Editor) NextAsk(ctx context.Context) (*Ask, error) {
	var found *Ask
	err := e.Until(ctx, "a question", func() bool {
		for _, a := range e.asks {
			if !a.answered && !a.withdrawn {
				found = a
				return true
			}
		}
		return false
	})
	return found, err
}

// Answer answers a question.
func (e *Editor) Answer(a *Ask, out *protocol.AskResult) {
	e.update(func() { a.answered = true })
	a.answer <- out
}

// Unanswered returns what is still open, for a test's end.
func (e *Editor) Unanswered() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var open []string
	for _, a := range e.approvals {
		if !a.answered && !a.withdrawn {
			open = append(open, "approval: "+a.Title)
		}
	}
	for _, a := range e.asks {
		if !a.answered && !a.withdrawn {
			open = append(open, "question: "+a.Text)
		}
	}
	for _, m := range e.windows.messages {
		if m.open() {
			open = append(open, "message: "+m.Text)
		}
	}
	return open
}

// ForgetEvents drops the events so far, for tests that run for long.
func (e *Editor) ForgetEvents() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.events = nil
}
