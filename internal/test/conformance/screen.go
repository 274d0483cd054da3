package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/protocol"
	"clined/internal/test/fakeeditor"
)

// stateLimit is how long State waits for a change.
const stateLimit = time.Second

func (e *editor) State(ctx context.Context, after int64) (State, error) {
	if e.conn == nil {
		return State{}, errors.New("it was not started")
	}
	limited, cancel := context.WithTimeout(ctx, stateLimit)
	defer cancel()
	if e.connected {
		defer context.AfterFunc(e.gone, cancel)()
	}
	var s State
	err := e.conn.Until(limited, "a change", func() bool {
		s = e.drawLocked()
		return s.Rev != after
	})
	switch {
	case err != nil && e.connected && e.gone.Err() != nil:
		e.lost()
		s = e.look()
	case err != nil: // nothing can come any more
		<-limited.Done()
	}
	return s, ctx.Err()
}

// look takes in what came and returns the screen.
func (e *editor) look() (s State) {
	// The condition is true at once, so that there is no error.
	_ = e.conn.Until(e.ctx, "", func() bool {
		s = e.drawLocked()
		return true
	})
	return s
}

// lost is called when the daemon is gone.
func (e *editor) lost() {
	e.connected = false
	e.notices = append(e.notices, "clined ended unexpectedly; restart it to go on")
	e.look() // what it said last
	e.view.broken()
}

// drawLocked makes the screen of what came; it is called under the editor's lock.
func (e *editor) drawLocked() State {
	for _, p := range e.conn.EventsLocked()[e.events:] {
		e.view.take(p)
		e.events++
	}
	messages := e.conn.MessagesLocked()
	e.notices = append(e.notices, messages[e.messages:]...)
	e.messages = len(messages)
	s := State{Connected: e.connected, Notices: e.notices, Items: e.view.items(), Faults: e.seenFaults()}
	if e.view.taskID != "" {
		task := e.view.task
		s.Task = &task
	}
	for _, t := range e.history {
		s.History = append(s.History, listed(t))
	}
	if e.connected {
		s.Pending = e.pendingLocked()
		for _, v := range e.conn.ViewsLocked() {
			if !v.Closed && !v.Left {
				s.Diffs = append(s.Diffs, Diff{Path: e.relative(v.URI), Base: v.Base, Proposed: v.Proposed})
			}
		}
	}
	s.Buffers = map[string]string{}
	for uri, text := range e.conn.TextsLocked() {
		s.Buffers[e.relative(uri)] = text
	}
	text, err := json.Marshal(s)
	if err != nil {
		e.Errorf("the screen cannot be told: %v", err)
	}
	if string(text) != e.shown {
		e.shown = string(text)
		e.rev++
	}
	s.Rev = e.rev
	return s
}

func (e *editor) pendingLocked() (list []Pending) {
	approvals, asks := e.conn.WaitingLocked()
	for _, a := range approvals {
		p := Pending{Kind: "approval", Title: a.Title, Detail: detail(a)}
		for _, o := range a.Options {
			p.Options = append(p.Options, o.Name)
		}
		list = append(list, p)
	}
	for _, a := range asks {
		list = append(list, Pending{Kind: "question", Title: a.Text, Options: a.Options})
	}
	return list
}

// detail is what the user decides about.
func detail(a *fakeeditor.Approval) string {
	s := a.Subject
	var parts []string
	for _, f := range s.Files {
		parts = append(parts, where(f.SubjectPath), f.Diff)
	}
	for _, p := range s.Paths {
		parts = append(parts, where(p))
	}
	if s.Command != "" {
		parts = append(parts, s.Command)
	}
	for _, p := range s.Parts {
		parts = append(parts, p.Verdict+": "+p.Command+" "+p.Reason+p.Rule)
	}
	if s.Tool != "" {
		parts = append(parts, s.Server+" "+s.Tool+" "+string(s.Args))
	}
	return strings.Join(parts, "\n")
}

// where is a path, where it really leads, and what a rule says of it.
func where(p protocol.SubjectPath) string {
	return strings.TrimSpace(p.Path + "\n" + p.Real + "\n" + p.Protected)
}

// relative is the path of a URI in the workspace.
func (e *editor) relative(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	rel, err := filepath.Rel(e.workspace, u.Path)
	if err != nil {
		return uri
	}
	return filepath.ToSlash(rel)
}

func (e *editor) uri(path string) string {
	return fakeeditor.URI(filepath.Join(e.workspace, filepath.FromSlash(path)))
}

func (e *editor) seenFaults() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.faults...)
}
