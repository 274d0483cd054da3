package scenario_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/store"
	"clined/internal/test/fakeeditor"
	"clined/internal/test/fakellm"
	"clined/internal/test/scenario"
	"clined/internal/transcript"
)

// driver is an editor with one task, for tests that no story can tell.
type driver struct {
	*testing.T
	ctx    context.Context
	ws     string
	home   string
	model  *fakellm.Server
	daemon scenario.Daemon
	editor *fakeeditor.Editor
	task   string
}

// setting is what a driver's daemon finds.
type setting struct {
	// model is the script of the model, mcp the text of mcp.json; settings are
	// the members of settings.json but the model's, by default commands need no
	// approval.
	model, mcp, settings string
	// processID of the editor, 0 for none.
	processID int
}

// drive starts a daemon with an editor and a task without a prompt.
func drive(t *testing.T, start scenario.Start, s setting) *driver {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	dir := t.TempDir()
	d := &driver{T: t, ctx: ctx, ws: filepath.Join(dir, "ws"), home: filepath.Join(dir, "home"), model: fakellm.Start(t, s.model)}
	d.write(filepath.Join(d.home, "settings.json"), settingsText(d.model, s.settings))
	if s.mcp != "" {
		d.write(filepath.Join(d.home, "mcp.json"), s.mcp)
	}
	d.write(filepath.Join(d.ws, "a.txt"), "alpha\n")
	d.write(filepath.Join(d.ws, "b.txt"), "beta\n")
	d.daemon = start(t, scenario.Setup{Dir: dir, Home: d.home, Log: io.Discard})
	d.editor = fakeeditor.Connect(ctx, t, d.daemon, rpc.Header)
	t.Cleanup(func() {
		cancel()
		d.editor.Close()
		d.daemon.Wait()
	})
	params := map[string]any{
		"workspaceFolders": []any{map[string]any{"uri": fakeeditor.URI(d.ws), "name": "ws"}},
		"capabilities": map[string]any{"experimental": map[string]any{"clined": map[string]any{
			"caps": map[string]any{"approvals": map[string]any{}, "asks": map[string]any{}, "transcript": map[string]any{}},
		}}},
	}
	if s.processID != 0 {
		params["processId"] = s.processID
	}
	d.call("initialize", params, nil)
	var res protocol.TaskNewResult
	d.call("clined/task/new", map[string]any{}, &res)
	d.task = res.TaskID
	return d
}

func settingsText(model *fakellm.Server, members string) string {
	return `{"model": "fake-model", "baseUrl": "` + model.URL() + `", ` + cmp.Or(members, `"autoApprove": {"command": true}`) + `}`
}

func (d *driver) write(path, text string) {
	d.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		d.Fatal(err)
	}
}

func (d *driver) call(method string, params, result any) {
	d.Helper()
	raw, err := d.editor.Call(d.ctx, method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		d.Fatalf("%s: %v", method, err)
	}
}

// prompt says something and returns its turn.
func (d *driver) prompt(text string) string {
	d.Helper()
	var res protocol.TaskPromptResult
	d.call("clined/task/prompt", map[string]any{"taskId": d.task, "prompt": protocol.Text(text)}, &res)
	return res.TurnID
}

// decide answers the next approval.
func (d *driver) decide(option string) {
	d.Helper()
	a, err := d.editor.NextApproval(d.ctx)
	if err != nil {
		d.Fatal(err)
	}
	d.editor.Decide(a, &protocol.ApprovalOutcome{OptionID: option, SubjectHash: a.SubjectHash})
}

// until waits for a condition on the events from number seen on.
func (d *driver) until(what string, seen int, f func(events []protocol.TaskEventParams) bool) {
	d.Helper()
	if err := d.editor.Until(d.ctx, what, func() bool { return f(d.editor.EventsLocked()[seen:]) }); err != nil {
		d.Fatal(err)
	}
}

// end waits for the end of a turn.
func (d *driver) end(turn string) (end event.State) {
	d.Helper()
	d.until("the end of turn "+turn, 0, func(events []protocol.TaskEventParams) bool {
		for _, p := range events {
			if s, ok := p.Event.Event.(event.State); ok && s.State == event.Idle && p.TurnID == turn {
				end = s
				return true
			}
		}
		return false
	})
	return end
}

// journal returns what lies on disk of the task, which must be valid.
func (d *driver) journal() []transcript.Message {
	d.Helper()
	st := store.Open(filepath.Join(d.home, "state"), store.Options{})
	defer st.Close()
	var messages []transcript.Message
	task, err := st.Task(context.Background(), d.task)
	if err == nil {
		var h *store.History
		if h, err = task.Load(context.Background()); err == nil {
			messages = h.Messages
		}
		err = errors.Join(err, task.Close())
	}
	whole := messages
	if n := len(whole); n > 0 && len(whole[n-1].Calls()) > 0 { // they wait to be taken up
		whole = whole[:n-1]
	}
	if err == nil {
		err = transcript.Validate(whole)
	}
	if err != nil {
		d.Errorf("the journal of %d messages: %v", len(messages), err)
	}
	return messages
}
