package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/test/fakeeditor"
)

// editorVerbs are what the user of the fake editor can do.
var editorVerbs = map[string]func(*editor, context.Context, Action) error{
	Start:       (*editor).connect,
	Restart:     (*editor).restart,
	Prompt:      (*editor).prompt,
	Approve:     (*editor).approve,
	Reject:      (*editor).reject,
	EditDiff:    (*editor).editDiff,
	Respond:     (*editor).respond,
	Cancel:      (*editor).cancel,
	Resume:      (*editor).resume,
	NewTask:     (*editor).newTask,
	History:     (*editor).list,
	OpenTask:    (*editor).openTask,
	EditMessage: (*editor).editMessage,
	TypeText:    (*editor).typeText,
	Undo:        (*editor).undo,
	Show:        (*editor).show,
}

// call sends a request and reads its result, which may be nil.
func (e *editor) call(ctx context.Context, method string, params map[string]any, result any) error {
	raw, err := e.conn.Call(ctx, method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// restart starts the daemon anew. Open buffers stay what they were, and the
// screen shows the task as before until it is opened again.
func (e *editor) restart(ctx context.Context, a Action) error {
	buffers := map[string]string{}
	_ = e.conn.Until(ctx, "", func() bool { // true at once
		maps.Copy(buffers, e.conn.TextsLocked())
		return true
	})
	if err := e.connect(ctx, a); err != nil || !e.connected {
		return err
	}
	for uri, text := range buffers {
		if err := e.conn.Open(uri, text); err != nil {
			return err
		}
	}
	return nil
}

func (e *editor) prompt(ctx context.Context, a Action) error {
	params := map[string]any{"prompt": protocol.Text(a.Text)}
	if e.view.taskID == "" {
		var res protocol.TaskNewResult
		if err := e.call(ctx, "clined/task/new", params, &res); err != nil {
			return err
		}
		e.view.taskID = res.TaskID
		e.events = 0 // they were passed over as another task's
		return nil
	}
	params["taskId"] = e.view.taskID
	method := "clined/task/prompt"
	if a.How == "steer" {
		method = "clined/task/steer"
		params["expectedTurnId"] = e.view.turnID
	}
	return e.call(ctx, method, params, nil)
}

func (e *editor) cancel(ctx context.Context, _ Action) error {
	return e.call(ctx, "clined/task/cancel", map[string]any{"taskId": e.view.taskID}, nil)
}

func (e *editor) resume(ctx context.Context, _ Action) error {
	return e.call(ctx, "clined/task/resume", map[string]any{"taskId": e.view.taskID}, nil)
}

func (e *editor) newTask(context.Context, Action) error {
	e.view = &view{}
	return nil
}

func (e *editor) list(ctx context.Context, _ Action) error {
	var res protocol.TaskListResult
	if err := e.call(ctx, "clined/task/list", map[string]any{"cwd": e.workspace}, &res); err != nil {
		return err
	}
	e.history = res.Tasks
	return nil
}

// listed is a stored task in the words of a screen.
func listed(t protocol.TaskInfo) Task {
	status := t.State
	if status == string(event.Idle) {
		status = string(t.StopReason)
	}
	return Task{Title: t.Title, Status: status}
}

// openTask attaches to a task of the list. What is on the screen of it already
// is not fetched again.
func (e *editor) openTask(ctx context.Context, a Action) error {
	if err := e.list(ctx, a); err != nil {
		return err
	}
	for _, t := range e.history {
		if !strings.Contains(t.Title, a.Title) {
			continue
		}
		if e.view.taskID != t.TaskID {
			e.view = &view{taskID: t.TaskID}
		}
		var res protocol.TaskAttachResult
		if err := e.call(ctx, "clined/task/attach", map[string]any{"taskId": t.TaskID, "sinceSeq": e.view.seq}, &res); err != nil {
			return err
		}
		if e.view.seq != 0 && res.More { // more than an answer holds: what is known has holes
			e.view = &view{taskID: t.TaskID}
			res = protocol.TaskAttachResult{}
			if err := e.call(ctx, "clined/task/attach", map[string]any{"taskId": t.TaskID}, &res); err != nil {
				return err
			}
		}
		for _, p := range res.Events {
			e.view.take(p)
		}
		e.view.task = listed(res.Task)
		return nil
	}
	return fmt.Errorf("no task in the list has %q in its title", a.Title)
}

func (e *editor) editMessage(ctx context.Context, a Action) error {
	id, ok := e.view.message(a.Title)
	if !ok {
		return fmt.Errorf("no message of the user has %q in it", a.Title)
	}
	return e.call(ctx, "clined/task/editMessage", map[string]any{
		"taskId": e.view.taskID, "messageId": id, "prompt": protocol.Text(a.Text),
	}, nil)
}

// typeText makes text the unsaved text of a file.
func (e *editor) typeText(ctx context.Context, a Action) error {
	uri := e.uri(a.Path)
	if _, open := e.conn.Text(uri); !open {
		return e.taken(ctx, e.conn.Open(uri, a.Text))
	}
	return e.taken(ctx, e.conn.Replace(uri, a.Text))
}

func (e *editor) undo(ctx context.Context, a Action) error {
	return e.taken(ctx, e.conn.Undo(e.uri(a.Path)))
}

// show has files in view, for which it opens them.
func (e *editor) show(ctx context.Context, a Action) error {
	for _, path := range a.Visible {
		uri := e.uri(path)
		if _, open := e.conn.Text(uri); open {
			continue
		}
		text, err := os.ReadFile(filepath.Join(e.workspace, filepath.FromSlash(path)))
		if err == nil {
			err = e.conn.Open(uri, string(text))
		}
		if err != nil {
			return err
		}
	}
	e.stateRev++
	uris := func(paths []string) []any {
		list := []any{}
		for _, p := range paths {
			list = append(list, map[string]any{"uri": e.uri(p)})
		}
		return list
	}
	state := map[string]any{"rev": e.stateRev, "visible": uris(a.Visible), "tabs": uris(a.Tabs)}
	if len(a.Visible) > 0 {
		state["active"] = map[string]any{"uri": e.uri(a.Visible[0])}
	}
	return e.taken(ctx, e.conn.Notify("clined/editor/didChangeState", state))
}

// taken waits until the daemon has taken what it was told, which any answer
// shows: the model's words come another way and could overtake it.
func (e *editor) taken(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return e.call(ctx, "clined/config/get", nil, nil)
}

// approval finds an open one by a part of its title.
func (e *editor) approval(title string) (found *fakeeditor.Approval, err error) {
	_ = e.conn.Until(e.ctx, "", func() bool { // true at once
		approvals, _ := e.conn.WaitingLocked()
		for _, a := range approvals {
			if found == nil && strings.Contains(a.Title, title) {
				found = a
			}
		}
		return true
	})
	if found == nil {
		return nil, fmt.Errorf("no approval with %q in its title waits", title)
	}
	return found, nil
}

// decide answers with the first option of a kind.
func (e *editor) decide(a *fakeeditor.Approval, kind string, out protocol.ApprovalOutcome) error {
	for _, o := range a.Options {
		if o.Kind == kind {
			out.OptionID, out.SubjectHash = o.OptionID, a.SubjectHash
			e.conn.Decide(a, &out)
			return nil
		}
	}
	return fmt.Errorf("the approval %q has no option %s", a.Title, kind)
}

func (e *editor) approve(_ context.Context, act Action) error {
	a, err := e.approval(act.Title)
	if err != nil {
		return err
	}
	var out protocol.ApprovalOutcome
	for _, f := range a.Subject.Files {
		if text, ok := e.edited[f.URI]; ok {
			out.EditedContent = map[string]string{f.URI: text}
			delete(e.edited, f.URI)
		}
	}
	if out.Hunks, err = hunks(a, act.Hunks); err != nil {
		return err
	}
	kind := "allow_once"
	if act.Always {
		kind = "allow_always"
	}
	return e.decide(a, kind, out)
}

// hunks are the ids of those that are meant by their numbers, nil for all.
func hunks(a *fakeeditor.Approval, numbers []int) (ids []string, err error) {
	var all []protocol.Hunk
	for _, f := range a.Subject.Files {
		all = append(all, f.Hunks...)
	}
	for _, n := range numbers {
		if n < 1 || n > len(all) {
			return nil, fmt.Errorf("%q has %d changes, and no change %d", a.Title, len(all), n)
		}
		ids = append(ids, all[n-1].ID)
	}
	return ids, nil
}

func (e *editor) reject(_ context.Context, act Action) error {
	a, err := e.approval(act.Title)
	if err != nil {
		return err
	}
	return e.decide(a, "reject_once", protocol.ApprovalOutcome{Feedback: &protocol.Feedback{Text: act.Text}})
}

// editDiff is the user's work on what an open approval proposes for a file: in
// its diff view, or else in the approval.
func (e *editor) editDiff(ctx context.Context, act Action) error {
	uri, found, viewed := e.uri(act.Path), false, false
	_ = e.conn.Until(e.ctx, "", func() bool { // true at once
		v := e.conn.ViewLocked(uri)
		viewed = v != nil && !v.Closed && !v.Left
		approvals, _ := e.conn.WaitingLocked()
		for _, a := range approvals {
			for _, f := range a.Subject.Files {
				found = found || f.URI == uri
			}
		}
		return true
	})
	if viewed {
		return e.taken(ctx, e.conn.ChangeView(uri, act.Text))
	}
	if !found {
		return fmt.Errorf("no approval is about %s", act.Path)
	}
	e.edited[uri] = act.Text
	return nil
}

func (e *editor) respond(_ context.Context, act Action) error {
	var found *fakeeditor.Ask
	_ = e.conn.Until(e.ctx, "", func() bool { // true at once
		_, asks := e.conn.WaitingLocked()
		for _, a := range asks {
			if found == nil && strings.Contains(a.Text, act.Title) {
				found = a
			}
		}
		return true
	})
	if found == nil {
		return fmt.Errorf("no question with %q in it waits", act.Title)
	}
	e.conn.Answer(found, &protocol.AskResult{Action: "accept", Option: act.Option, Text: act.Text})
	return nil
}
