package soak

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"clined/internal/event"
	"clined/internal/store"
	"clined/internal/test/fakellm"
	"clined/internal/transcript"

	_ "modernc.org/sqlite"
)

func linesOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && !yield(line) {
				return
			}
		}
	}
}

// stored is a task as it lies on disk.
type stored struct {
	info     store.Info
	messages []transcript.Message
	items    []store.Item
}

// read reads the task without a daemon; nil when there is none.
func (s *story) read() *stored {
	s.t.Helper()
	st := store.Open(filepath.Join(s.p.home, "state"), store.Options{})
	defer st.Close()
	id := s.task
	if id == "" {
		list, _, err := st.List(s.p.ctx, store.Query{})
		if err != nil {
			s.t.Fatal(err)
		}
		if len(list) == 0 {
			return nil
		}
		id = list[0].ID
	}
	info, err := st.Info(s.p.ctx, id)
	if err != nil {
		s.t.Fatal(err)
	}
	task, err := st.Task(s.p.ctx, id)
	if err != nil {
		s.t.Fatal(err)
	}
	h, err := task.Load(s.p.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	items, _, err := task.Items(s.p.ctx, store.ItemQuery{Limit: 5000})
	if err != nil {
		s.t.Fatal(err)
	}
	if h.Damage != "" || st.Trouble() != "" {
		s.t.Errorf("damage: %q, trouble: %q", h.Damage, st.Trouble())
	}
	if err := task.Close(); err != nil {
		s.t.Error(err)
	}
	return &stored{info: info, messages: h.Messages, items: items}
}

// check looks at what a life left; over is true for the last one.
func (s *story) check(over bool) {
	s.t.Helper()
	st := s.read()
	if st == nil {
		if s.task != "" {
			s.t.Errorf("the task is gone")
		}
		s.checkSilence()
		return
	}
	s.checkTranscript(st, over)
	s.checkSent(st)
	s.checkPrompts(st, over)
	s.checkDeeds(st, over)
	if over {
		s.checkList(st)
		s.checkDatabase()
		s.checkTemporary()
	}
}

// checkSilence: without a task nothing was said to anyone.
func (s *story) checkSilence() {
	if n := len(s.model.Requests()); n > 0 {
		s.t.Errorf("%d requests were made, and there is no task", n)
	}
}

func (s *story) checkTranscript(st *stored, over bool) {
	s.t.Helper()
	whole := st.messages
	if n := len(whole); n > 0 && len(whole[n-1].Calls()) > 0 && !over { // they wait to be taken up
		whole = whole[:n-1]
	}
	if err := transcript.Validate(whole); err != nil {
		s.t.Errorf("the journal: %v", err)
	}
	if over && st.info.State != store.Idle {
		s.t.Errorf("in the end the task is %q", st.info.State)
	}
	s.count.transcripts.Add(1)
}

// checkSent: what the model was told is in the journal, in order.
func (s *story) checkSent(st *stored) {
	s.t.Helper()
	req := s.newest()
	if req == nil {
		return
	}
	said := flat(st.messages)
	if len(said) < len(req.Messages) {
		s.t.Errorf("the model was told %d messages, %d are on disk", len(req.Messages), len(said))
		return
	}
	for i, m := range req.Messages {
		if got := wire(&m); got != said[i] {
			s.t.Errorf("message %d was told as\n%s\nand is on disk as\n%s", i, tail(got, 600), tail(said[i], 600))
			return
		}
		s.count.messages.Add(1)
	}
}

func wire(m *fakellm.Message) string {
	line := m.Role + " " + m.ToolCallID
	for _, c := range m.Calls {
		line += " " + c.ID + " " + c.Name
	}
	return line + "\n" + strings.Join(strings.Fields(m.Text), "") // parts are joined in different ways
}

// flat puts messages as they go over the wire.
func flat(messages []transcript.Message) (lines []string) {
	for _, m := range messages {
		one := fakellm.Message{Role: string(m.Role), Text: m.Text()}
		for _, c := range m.Calls() {
			one.Calls = append(one.Calls, fakellm.Call{ID: c.ID, Name: c.Name})
		}
		if m.Role != transcript.Tool {
			lines = append(lines, wire(&one))
			continue
		}
		for _, p := range m.Parts {
			lines = append(lines, wire(&fakellm.Message{Role: "tool", ToolCallID: p.Result.CallID, Text: p.Result.Text}))
		}
	}
	return lines
}

// checkPrompts: what was acknowledged is there, once.
func (s *story) checkPrompts(st *stored, over bool) {
	s.t.Helper()
	var said, waits strings.Builder
	for _, m := range st.messages {
		if m.Role == transcript.User {
			said.WriteString(m.Text() + "\n")
		}
	}
	for _, i := range st.items {
		if m, ok := i.Event.(event.Message); ok && m.Role == "user" && m.Status != event.Discarded {
			for _, c := range m.Content {
				waits.WriteString(c.Text + "\n")
			}
		}
	}
	for mark, acknowledged := range s.prompts {
		n := strings.Count(said.String(), mark)
		there := n == 1 || n == 0 && !over && strings.Contains(waits.String(), mark)
		if acknowledged && !there || n > 1 {
			s.t.Errorf("%s was said %d times (acknowledged: %v; fronts see: %q)", mark, n, acknowledged, waits.String())
		}
		if acknowledged {
			s.count.prompts.Add(1)
		}
	}
}

// checkList: the model was told of the user's checklist.
func (s *story) checkList(st *stored) {
	s.t.Helper()
	if s.list == "" {
		return
	}
	if !strings.Contains(jsonOf(st.messages), s.list) {
		s.t.Errorf("the model was never told of the checklist %q", s.list)
	}
	s.count.lists.Add(1)
}

// checkDatabase asks SQLite.
func (s *story) checkDatabase() {
	s.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.p.home, "state", "clined.db"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	var answer string
	if err := db.QueryRowContext(s.p.ctx, "PRAGMA integrity_check").Scan(&answer); err != nil || answer != "ok" {
		s.t.Errorf("the database: %q, %v", answer, err)
	}
	s.count.databases.Add(1)
}

// checkTemporary: nothing of ours is left in the workspace.
func (s *story) checkTemporary() {
	s.t.Helper()
	err := filepath.WalkDir(s.p.ws, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".clined") {
			s.t.Errorf("left in the workspace: %s", path)
		}
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
	s.count.workspaces.Add(1)
}

// told is what the model was told of a call.
type told int

const (
	nothing told = iota // it has no result yet
	done
	notDone
	unknown
	failed
)

func toldBy(r *transcript.Result) told {
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(r.Text, p) })
	}
	switch {
	case has("may have been carried out", "it may have done part", "Interrupted before it was done", "Interrupted: not all", "question was interrupted"):
		return unknown
	case has("was not made", "was not run", "before this call was run", "was refused and nothing was done", "was not changed", "othing was done",
		"was NOT", "Nothing was read", "The call was not made"):
		return notDone
	case r.IsError:
		return failed
	}
	return done
}

// checkDeeds holds what was done against what the model was told.
func (s *story) checkDeeds(st *stored, over bool) {
	s.t.Helper()
	results := map[string]*transcript.Result{}
	called := map[string]bool{}
	for _, m := range st.messages {
		for _, c := range m.Calls() {
			called[c.ID] = true
		}
		for _, p := range m.Parts {
			if p.Result != nil {
				results[p.Result.CallID] = p.Result
			}
		}
	}
	began, ended := s.readLog()
	served := s.readServed()
	for id, d := range s.play.all() {
		what, text := nothing, ""
		if r := results[id]; r != nil {
			what, text = toldBy(r), r.Text
		}
		times, whole, err := s.effect(d, began, ended, served)
		switch {
		case err != nil:
			s.t.Errorf("%s: %v", id, err)
		case times > 1:
			s.t.Errorf("%s was done %d times", id, times)
		case times > 0 && !called[id]:
			s.t.Errorf("%s was done, and is not in the journal", id)
		case what == done && d.kind <= server && !whole:
			s.t.Errorf("%s is told as done and was not: %q", id, tail(text, 300))
		case what == notDone && times > 0:
			s.t.Errorf("%s is told as not done and was: %q", id, tail(text, 300))
		case what == failed:
			s.t.Errorf("%s failed: %q", id, tail(text, 300))
		case over && called[id] && what == nothing:
			s.t.Errorf("%s has no result", id)
		}
		s.count.deed(what)
	}
}

// effect looks for what a call did: how often, and whether to its end.
func (s *story) effect(d *deed, began, ended, served map[string]int) (times int, whole bool, err error) {
	switch d.kind {
	case command:
		return began[d.id], ended[d.id] == 1, nil
	case server:
		return served[d.id], served[d.id] == 1, nil
	case write, edit:
		raw, err := os.ReadFile(filepath.Join(s.p.ws, d.path))
		switch {
		case errors.Is(err, fs.ErrNotExist) && d.was == "":
			return 0, false, nil
		case err != nil:
			return 0, false, err
		case string(raw) == d.is:
			return 1, true, nil
		case string(raw) == d.was && d.was != "":
			return 0, false, nil
		}
		return 0, false, fmt.Errorf("%s is half written: %d bytes, %d before and %d after; it ends %q",
			d.path, len(raw), len(d.was), len(d.is), tail(string(raw), 60))
	}
	return 0, true, nil
}
