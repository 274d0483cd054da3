package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// do is one thing that the user does.
func (s *stage) do(a Action) {
	if err := s.Do(s.ctx, a); err != nil {
		s.Fatalf("%s is not possible: %v%s", describe(a), err, s.screen())
	}
}

func describe(a Action) string {
	what := a.Verb
	for _, w := range []string{a.Title, a.Path, a.Option, a.Text} {
		if w != "" {
			what += fmt.Sprintf(" %q", w)
		}
	}
	return what
}

// start opens the workspace in the front.
func (s *stage) start() { s.launch(Start) }

// launch has the front start its clined, and waits for the relay in it.
func (s *stage) launch(verb string) {
	arrived := make(chan net.Conn, 1)
	go func() {
		conn, err := s.control.Accept()
		if err != nil {
			close(arrived)
			return
		}
		arrived <- conn
	}()
	s.do(Action{Verb: verb, Clined: s.program(), Workspace: s.ws, Format: s.check.format})
	select {
	case conn, ok := <-arrived:
		if !ok {
			s.Fatalf("the relay cannot be reached any more")
		}
		s.relayed = conn
		s.Cleanup(func() { _ = conn.Close() })
	case <-time.After(s.rig.patience):
		s.Fatalf("the front did not start %s", s.program())
	}
}

// kill ends clined at once, as kill -9 or a crash does, and waits for its end.
func (s *stage) kill() {
	_, err := s.relayed.Write([]byte("k"))
	s.Must("killing clined", err)
	_ = s.relayed.SetReadDeadline(time.Now().Add(s.rig.patience))
	// The relay says nothing and ends with its clined.
	_, err = s.relayed.Read(make([]byte, 1))
	if err, ok := err.(net.Error); ok && err.Timeout() {
		s.Fatalf("clined was killed and lives on")
	}
}

func (s *stage) prompt(text string) { s.do(Action{Verb: Prompt, Text: text}) }
func (s *stage) approve(part string) {
	s.seePending("approval", part)
	s.do(Action{Verb: Approve, Title: part})
}

// now is the screen as it is.
func (s *stage) now() State {
	state, err := s.State(s.ctx, -1)
	s.Must("the front's state", err)
	return state
}

// see waits until the user sees something.
func (s *stage) see(what string, ok func(State) bool) State {
	ctx, cancel := context.WithTimeout(s.ctx, s.rig.patience)
	defer cancel()
	after := int64(-1)
	for {
		state, err := s.State(s.ctx, after)
		s.Must("the front's state", err)
		if ok(state) {
			return state
		}
		if ctx.Err() != nil {
			s.Fatalf("the user never sees %s%s", what, state.text())
		}
		after = state.Rev
	}
}

// want fails at once when something is not as the user may expect.
func (s *stage) want(ok bool, format string, args ...any) {
	if !ok {
		s.Fatalf("%s%s", fmt.Sprintf(format, args...), s.screen())
	}
}

func (s *stage) seeConnected() {
	s.see("that clined is connected", func(st State) bool { return st.Connected })
}

// seeEnd waits until the task stands still for that reason.
func (s *stage) seeEnd(reason string) State {
	return s.see("the end of the turn ("+reason+")", func(st State) bool { return st.Task != nil && st.Task.Status == reason })
}

// seePending waits for a decision with a part of its title.
func (s *stage) seePending(kind, part string) Pending {
	var found Pending
	s.see(fmt.Sprintf("the %s %q", kind, part), func(st State) bool {
		i := slices.IndexFunc(st.Pending, func(p Pending) bool { return p.Kind == kind && strings.Contains(p.Title, part) })
		if i >= 0 {
			found = st.Pending[i]
		}
		return i >= 0
	})
	return found
}

// seeDiff waits for a diff view of a file that has this on its proposed side.
func (s *stage) seeDiff(path, proposed string) Diff {
	var found Diff
	s.see(fmt.Sprintf("a diff in which %s becomes %q", path, proposed), func(st State) bool {
		for _, d := range st.Diffs {
			if d.Path == path && d.Proposed == proposed {
				found = d
				return true
			}
		}
		return false
	})
	return found
}

// seeNoDiff waits until all diff views are gone.
func (s *stage) seeNoDiff() State {
	return s.see("the diff view go", func(st State) bool { return len(st.Diffs) == 0 })
}

// seeBuffer waits until an open file has this text.
func (s *stage) seeBuffer(path, text string) {
	s.see(fmt.Sprintf("the buffer to be %q", text), func(st State) bool { return st.Buffers[path] == text })
}

// seeItem waits for an item of a kind with a part of its text, and a status if
// one is given.
func (s *stage) seeItem(kind, part, status string) State {
	what := fmt.Sprintf("%s %q", kindNames[kind], part)
	if status != "" {
		what += " as " + status
	}
	return s.see(what, func(st State) bool { return st.count(kind, part, status) > 0 })
}

var kindNames = map[string]string{
	UserSaid: "their message", AssistantSaid: "the answer", CallCard: "a card of the call", NoticeShown: "the notice",
}

// count tells how many items fit.
func (st State) count(kind, part, status string) (n int) {
	for _, i := range st.Items {
		if (kind == "" || i.Kind == kind) && strings.Contains(i.Text, part) && (status == "" || i.Status == status) {
			n++
		}
	}
	return n
}

// index is where an item stands, -1 for nowhere.
func (st State) index(kind, part string) int {
	return slices.IndexFunc(st.Items, func(i Item) bool { return i.Kind == kind && strings.Contains(i.Text, part) })
}

// screen is the state as a text.
func (s *stage) screen() string {
	state, err := s.State(s.ctx, -1)
	if err != nil {
		return "; the screen cannot be had: " + err.Error()
	}
	return state.text()
}

func (st State) text() string {
	var b strings.Builder
	b.WriteString("; they see:")
	if !st.Connected {
		b.WriteString("\n  no clined connected")
	}
	for _, n := range st.Notices {
		fmt.Fprintf(&b, "\n  notice: %s", n)
	}
	if st.Task != nil {
		fmt.Fprintf(&b, "\n  task %q: %s", st.Task.Title, st.Task.Status)
	}
	for _, i := range st.Items {
		fmt.Fprintf(&b, "\n  %s [%s]: %q", i.Kind, i.Status, i.Text)
	}
	for _, p := range st.Pending {
		fmt.Fprintf(&b, "\n  %s %q: %q", p.Kind, p.Title, p.Options)
	}
	for _, d := range st.Diffs {
		fmt.Fprintf(&b, "\n  diff of %s: %q becomes %q", d.Path, d.Base, d.Proposed)
	}
	for path, text := range st.Buffers {
		fmt.Fprintf(&b, "\n  buffer %s: %q", path, text)
	}
	for _, t := range st.History {
		fmt.Fprintf(&b, "\n  listed %q: %s", t.Title, t.Status)
	}
	return b.String()
}
