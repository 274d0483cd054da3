package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/safefile"
	"clined/internal/shell"
	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// opened is a daemon's journal of task t1 in a state folder.
func opened(t *testing.T, dir string) *journal {
	t.Helper()
	s := store.Open(dir, store.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	stored, err := s.Task(t.Context(), "t1")
	if errors.Is(err, store.ErrNotFound) {
		stored, err = s.Create(t.Context(), store.New{ID: "t1", Cwd: "/w", Mode: "act"})
	}
	if err != nil {
		t.Fatal(err)
	}
	unfinished := safefile.NewUnfinished(filepath.Join(dir, "unfinished"), nil)
	return &journal{Task: stored, s: s, sweep: unfinished.Sweep, loaded: func() {}, mode: func() tools.Mode { return tools.Act }, models: &models{}, wrote: tools.Act, now: time.Now}
}

// tell records an event as the server does.
func (j *journal) tell(turn string, e event.Event) {
	seq := j.NextSeq()
	j.Record(event.Item{Key: event.Key(e, turn, seq), Seq: seq, TurnID: turn, Event: e})
}

func words(id string, s event.Status) event.Message {
	return event.Message{MessageID: id, Role: "user", Status: s, Content: []event.Content{{Type: "text", Text: id}}}
}

func (j *journal) begin(t *testing.T, turn string) *agent.History {
	t.Helper()
	h, err := j.Begin(t.Context(), turn, true)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (j *journal) done(t *testing.T, turn string) {
	t.Helper()
	if err := j.End(t.Context(), turn, event.Completed); err != nil {
		t.Fatal(err)
	}
}

// Whatever happened since, what no model was told is found, and no more than that.
func TestUnsettledWhateverItsAge(t *testing.T) {
	dir := t.TempDir()
	j := opened(t, dir)
	j.begin(t, "1")
	j.tell("1", words("waits", event.Pending))
	j.tell("1", words("dropped", event.Discarded))
	j.tell("1", words("said", event.Done))
	j.tell("failed", words("unrecorded", event.Done))
	j.tell("failed", event.State{State: event.Idle, StopReason: event.Failed})
	j.tell("1", event.Plan{Entries: []event.PlanEntry{{Text: "mine"}}, ByUser: true})
	add := func(m transcript.Message) {
		if err := j.Append(t.Context(), m, agent.Standing{}); err != nil {
			t.Fatal(err)
		}
	}
	add(transcript.Message{ID: "said", Role: transcript.User, Parts: []transcript.Part{transcript.TextPart("x")}})
	open := transcript.Message{ID: "a", Role: transcript.Assistant, Parts: []transcript.Part{
		{Kind: transcript.CallPart, Call: &transcript.Call{ID: "open", Name: "x"}}}}
	add(open)
	j.tell("1", event.ToolCall{ToolCallID: "open", Status: event.InProgress})
	for n := range 5000 {
		j.tell("1", event.ToolCall{ToolCallID: fmt.Sprint("c", n), Status: event.Done})
	}
	j.done(t, "1")
	h := opened(t, dir).begin(t, "2")
	if len(h.Unsent) != 1 || h.Unsent[0].MessageID != "waits" {
		t.Errorf("unsent: %+v", h.Unsent)
	}
	if len(h.Calls) != 1 || h.Calls["open"].Status != event.InProgress {
		t.Errorf("%d calls, %+v", len(h.Calls), h.Calls["open"])
	}
	if h.UserChecklist == nil || *h.UserChecklist != "- [ ] mine\n" {
		t.Errorf("the list: %v", h.UserChecklist)
	}
}

// A checklist that another process set is news, an emptied one too, and only once.
func TestChecklistOfAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	a := opened(t, dir)
	a.begin(t, "1")
	a.tell("1", event.Plan{Entries: []event.PlanEntry{{Text: "the model's"}}})
	a.done(t, "1")
	for n, entries := range [][]event.PlanEntry{{{Text: "mine", Done: true}}, nil} {
		b := opened(t, dir)
		if err := b.Claim(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.tell("", event.Plan{Entries: entries, ByUser: true})
		if err := b.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		turn := fmt.Sprint("a", n)
		h := a.begin(t, turn)
		if h == nil || h.UserChecklist == nil || *h.UserChecklist != checklistText(entries) {
			t.Errorf("%d: %+v", n, h)
		}
		var taken *agent.TakenError
		if err := b.Claim(t.Context()); !errors.As(err, &taken) {
			t.Errorf("while another process runs the task: %v", err)
		}
		a.tell(turn, event.Plan{Entries: entries}) // the model was told
		a.done(t, turn)
		if h := a.begin(t, turn+"b"); h != nil {
			t.Errorf("%d: told again: %+v", n, h)
		}
		a.done(t, turn+"b")
		if h, err := a.Begin(t.Context(), turn+"c", false); err != nil || h == nil || h.UserChecklist != nil {
			t.Errorf("who does not know the task is told %+v, %v", h, err)
		}
		a.done(t, turn+"c")
	}
}

// What waits with a living process is not left over, however often its turns end.
func TestWhatWaitsIsNotTaken(t *testing.T) {
	dir := t.TempDir()
	a, b := opened(t, dir), (*journal)(nil)
	a.begin(t, "1")
	a.tell("1", words("waits", event.Pending))
	if err := a.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	b = opened(t, dir)
	var taken *agent.TakenError
	for _, turn := range []string{"2", "3"} {
		a.begin(t, turn)
		if _, err := b.Begin(t.Context(), "theirs", true); !errors.As(err, &taken) {
			t.Errorf("%v", err)
		}
	}
	a.done(t, "3") // gone without having said it
	if h := b.begin(t, "theirs"); len(h.Unsent) != 1 {
		t.Errorf("%+v", h.Unsent)
	}
}

// A turn that is given up leaves an interrupted task as it was.
func TestAbandonedTurn(t *testing.T) {
	dir := t.TempDir()
	a := opened(t, dir)
	a.begin(t, "1")
	if err := a.End(t.Context(), "1", event.Interrupted); err != nil {
		t.Fatal(err)
	}
	b := opened(t, dir)
	if h := b.begin(t, "2"); h.Interrupted != "1" {
		t.Errorf("%+v", h)
	}
	if err := b.Abandon(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h := opened(t, dir).begin(t, "3"); h.Interrupted != "1" {
		t.Errorf("%+v", h)
	}
}

// elsewhere is the same task in a process that takes the first one for dead.
func elsewhere(t *testing.T, dir string) *journal {
	t.Helper()
	s := store.Open(dir, store.Options{Process: store.Process{BootID: "the next", PID: 1}})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	stored, err := s.Task(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	return &journal{Task: stored, s: s, sweep: func() {}, loaded: func() {}, mode: func() tools.Mode { return tools.Act }, models: &models{}, wrote: tools.Act, now: time.Now}
}

// A process that ends right behind a rewind has lost nothing: what was said instead
// waits, and fronts learn of both, once.
func TestKilledBehindARewind(t *testing.T) {
	dir := t.TempDir()
	a := opened(t, dir)
	a.begin(t, "1")
	for _, id := range []string{"one", "two"} {
		a.tell("1", words(id, event.Done))
		if err := a.Append(t.Context(), transcript.Message{ID: id, Role: transcript.User, Parts: []transcript.Part{transcript.TextPart(id)}}, agent.Standing{}); err != nil {
			t.Fatal(err)
		}
		answer := transcript.Message{ID: "to " + id, Role: transcript.Assistant, Parts: []transcript.Part{transcript.TextPart("yes")}}
		if err := a.Append(t.Context(), answer, agent.Standing{}); err != nil {
			t.Fatal(err)
		}
	}
	a.done(t, "1")
	a.begin(t, "2")
	if err := a.Rewind(t.Context(), "two", "2", words("zwei", event.Pending)); err != nil {
		t.Fatal(err)
	}
	b := elsewhere(t, dir)
	if list, err := b.Waiting(t.Context(), "2"); err != nil || len(list) != 1 || list[0].MessageID != "zwei" {
		t.Errorf("waiting: %+v, %v", list, err)
	}
	h := b.begin(t, "3")
	if len(h.Messages) != 2 || h.Interrupted != "2" || len(h.Unsent) != 1 || h.Unsent[0].MessageID != "zwei" {
		t.Errorf("%d messages, interrupted %q, unsent %+v", len(h.Messages), h.Interrupted, h.Unsent)
	}
	b.tell("3", event.Rewind{MessageID: "another"}) // of its own
	items, _, err := b.Items(t.Context(), store.ItemQuery{})
	var got []string
	for _, it := range items {
		got = append(got, it.Event.Type())
	}
	if err != nil || !slices.Equal(got, []string{"message", "rewind", "message", "rewind"}) {
		t.Errorf("fronts see %q, %v", got, err)
	}
}

// A rewind that is told behind what is on record of it is there once.
func TestRewindIsThereOnce(t *testing.T) {
	j := opened(t, t.TempDir())
	j.begin(t, "1")
	j.tell("1", words("one", event.Done))
	if err := j.Append(t.Context(), transcript.Message{ID: "one", Role: transcript.User, Parts: []transcript.Part{transcript.TextPart("x")}}, agent.Standing{}); err != nil {
		t.Fatal(err)
	}
	for _, next := range []string{"two", "three"} {
		before := map[string]string{"two": "one", "three": "two"}[next]
		if err := j.Rewind(t.Context(), before, "1", words(next, event.Pending)); err != nil {
			t.Fatal(err)
		}
		j.tell("1", event.Rewind{MessageID: before})
		j.tell("1", words(next, event.Done))
		if err := j.Append(t.Context(), transcript.Message{ID: next, Role: transcript.User, Parts: []transcript.Part{transcript.TextPart("x")}}, agent.Standing{}); err != nil {
			t.Fatal(err)
		}
		items, _, err := j.Items(t.Context(), store.ItemQuery{})
		rewinds, messages := 0, 0
		for _, it := range items {
			switch e := it.Event.(type) {
			case event.Rewind:
				if e.MessageID == before {
					rewinds++
				}
			case event.Message:
				if e.MessageID == next && e.Status == event.Done {
					messages++
				}
			}
		}
		if err != nil || rewinds != 1 || messages != 1 {
			t.Errorf("instead of %s: %d rewinds, %d messages, %v", before, rewinds, messages, err)
		}
	}
}

// What a model was told does not wait any more, whatever fronts saw of it last.
func TestToldDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	a := opened(t, dir)
	a.begin(t, "1")
	a.tell("1", words("told", event.Pending))
	if err := a.Append(t.Context(), transcript.Message{ID: "told", Role: transcript.User, Parts: []transcript.Part{transcript.TextPart("x")}}, agent.Standing{}); err != nil {
		t.Fatal(err)
	}
	a.tell("1", words("waits", event.Pending))
	a.tell("2", words("of another", event.Pending))
	if err := a.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list, err := elsewhere(t, dir).Waiting(t.Context(), "1"); err != nil || len(list) != 1 || list[0].MessageID != "waits" {
		t.Errorf("%+v, %v", list, err)
	}
}

// What End has told already is no warning again when the task is closed.
func TestCloseTellsNothingTwice(t *testing.T) {
	for _, ended := range []bool{true, false} {
		dir := t.TempDir()
		j := opened(t, dir)
		j.begin(t, "turn")
		files, err := filepath.Glob(filepath.Join(dir, "clined.db*"))
		for _, f := range files {
			err = errors.Join(err, os.Remove(f))
		}
		if err != nil || len(files) == 0 {
			t.Fatalf("%q, %v", files, err)
		}
		if ended {
			if err := j.End(t.Context(), "turn", event.Failed); err == nil {
				t.Fatal("recorded without a database")
			}
		}
		var log bytes.Buffer
		p := &parts{journal: j, models: &models{}, commands: shell.New(shell.Options{}),
			log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))}
		p.close()
		if told := log.Len() > 0; told == ended {
			t.Errorf("the end was told: %t; the log: %s", ended, &log)
		}
	}
}
