package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/test/fakeeditor"
)

// editor is the fake editor as a Front. It is used from one goroutine.
type editor struct {
	ctx               context.Context
	clined, workspace string
	// plain editors have no diff views.
	plain  bool
	format bool

	conn *fakeeditor.Editor
	cmd  *exec.Cmd
	// gone ends when the daemon says no more.
	gone context.Context
	// events and messages count those of conn that are on the screen.
	events, messages int
	stateRev         int
	// edited are the user's texts for proposals, by URI.
	edited map[string]string

	view      *view
	connected bool
	notices   []string
	history   []protocol.TaskInfo

	shown string // the last State without its Rev, as JSON
	rev   int64

	mu     sync.Mutex // guards faults
	faults []string
}

func newEditor(ctx context.Context, plain bool) *editor {
	return &editor{ctx: ctx, plain: plain, view: &view{}, edited: map[string]string{}}
}

// Helper, Logf and Errorf are fakeeditor.TB.
func (e *editor) Helper()             {}
func (e *editor) Logf(string, ...any) {}
func (e *editor) Errorf(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = append(e.faults, fmt.Sprintf(format, args...))
}

func (e *editor) Do(ctx context.Context, a Action) error {
	if a.Verb == Start {
		e.clined, e.workspace, e.format = a.Clined, a.Workspace, a.Format
	}
	do, ok := editorVerbs[a.Verb]
	if !ok {
		return fmt.Errorf("the verb %q is unknown", a.Verb)
	}
	switch {
	case e.conn != nil:
		e.look()
	case a.Verb != Start:
		return errors.New("it was not started")
	}
	return do(e, ctx, a)
}

// connect starts the daemon. What the handshake says is for the user to read.
func (e *editor) connect(ctx context.Context, _ Action) error {
	if e.conn != nil {
		if err := e.Close(); err != nil {
			return err
		}
	}
	e.cmd = exec.CommandContext(e.ctx, e.clined, "--stdio")
	in, err := e.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := e.cmd.Start(); err != nil {
		return err
	}
	var end context.CancelFunc
	e.gone, end = context.WithCancel(e.ctx)
	e.conn = fakeeditor.Connect(e.ctx, e, pipes{out, in, end}, rpc.Header)
	e.events, e.messages = 0, 0
	params := map[string]any{}
	if err := json.Unmarshal([]byte(strings.Replace(handshake, "$DIFFS", e.announceDiffs(), 1)), &params); err != nil {
		return err
	}
	params["workspaceFolders"] = []any{map[string]any{"uri": fakeeditor.URI(e.workspace), "name": "ws"}}
	if _, err := e.conn.Call(ctx, "initialize", params); err != nil {
		e.notices = append(e.notices, "clined cannot be used: "+err.Error())
		return nil
	}
	e.connected = true
	return e.conn.Notify("initialized", struct{}{})
}

const handshake = `{
	"processId": null,
	"clientInfo": {"name": "fakeeditor", "version": "1"},
	"capabilities": {
		"workspace": {"applyEdit": true, "workspaceFolders": true},
		"experimental": {"clined": {
			"protocol": {"min": 1, "max": 1},
			"client": {"name": "fakeeditor", "version": "1", "instanceId": "conformance"},
			"caps": {"approvals": {"feedback": {}, "editedContent": {}}, "asks": {}, "editorState": {}, "transcript": {}$DIFFS}
		}}
	}
}`

// announceDiffs is the member of the capabilities, with its comma.
func (e *editor) announceDiffs() string {
	if e.plain {
		return ""
	}
	e.conn.HaveDiffs("streaming", "userEdits", "saveFormats")
	if e.format {
		e.conn.Behave(func(h *fakeeditor.DiffHabits) { h.Format = trimmed })
	}
	return `, "diffView": {"streaming": {}, "userEdits": {}, "saveFormats": {}}`
}

// trimmed is a formatter: no blanks before line ends, and one at the end.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	text = strings.Join(lines, "\n")
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// pipes are the standard streams of a child. end is called at once when it says
// no more: the connection itself waits for open approvals before it ends.
type pipes struct {
	io.ReadCloser
	io.WriteCloser
	end func()
}

func (p pipes) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if err != nil {
		p.end()
	}
	return n, err
}

func (p pipes) Close() error { return errors.Join(p.WriteCloser.Close(), p.ReadCloser.Close()) }

// Close ends the daemon as an editor does that is closed.
func (e *editor) Close() error {
	if e.conn == nil {
		return nil
	}
	if e.connected {
		if _, err := e.conn.Call(e.ctx, "shutdown", nil); err == nil {
			_ = e.conn.Notify("exit", nil) // its end may be faster
		}
	}
	e.conn.Close()
	<-e.conn.Done()
	err := e.cmd.Wait()
	e.connected, e.conn = false, nil
	var exit *exec.ExitError
	if errors.As(err, &exit) { // it was killed, or there was no handshake
		return nil
	}
	return err
}
