package store_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"clined/internal/event"
	"clined/internal/store"
	"clined/internal/transcript"
)

// clock is time that a test sets.
type clock struct{ now time.Time }

func (c *clock) tick() { c.now = c.now.Add(time.Second) }
func (c *clock) back() { c.now = c.now.Add(-time.Second) }

func clocked(t *testing.T) (*store.Store, *clock) {
	t.Helper()
	c := &clock{time.UnixMilli(1_700_000_000_000).UTC()}
	return openStore(t, t.TempDir(), store.Options{Now: func() time.Time { return c.now }}), c
}

func TestRules(t *testing.T) {
	s, c := clocked(t)
	var rules []store.Rule
	for _, r := range []store.Rule{
		{Scope: "user", Text: json.RawMessage(`{"a":1}`)},
		{Scope: "workspace", Workspace: "/w", Text: json.RawMessage(`{"b": 2}`)},
		{Scope: "workspace", Workspace: "/x", Text: json.RawMessage(`"c"`)},
		{Scope: "task", Task: "t1", Text: json.RawMessage(`"c"`)},
	} {
		id, err := s.AddRule(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.AddRule(t.Context(), r); err != nil || again != id {
			t.Errorf("the same rule is %d, then %d, %v", id, again, err)
		}
		r.ID, r.Created = id, c.now
		rules = append(rules, r)
	}
	for _, r := range []store.Rule{
		{}, {Scope: "user", Workspace: "/w", Text: json.RawMessage("1")}, {Scope: "workspace", Text: json.RawMessage("1")},
		{Scope: "user", Text: json.RawMessage("{")}, {Scope: "user"},
		{Scope: "task", Text: json.RawMessage("1")}, {Scope: "task", Task: "t1", Workspace: "/w", Text: json.RawMessage("1")},
		{Scope: "user", Task: "t1", Text: json.RawMessage("1")},
	} {
		if _, err := s.AddRule(t.Context(), r); err == nil {
			t.Errorf("%+v was kept", r)
		}
	}
	check := func(want []store.Rule, got []store.Rule, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v, %v", got, want, err)
		}
	}
	got, err := s.Rules(t.Context(), "/w", "")
	check(rules[:2], got, err)
	got, err = s.Rules(t.Context(), "/y", "t2")
	check(rules[:1], got, err)
	got, err = s.Rules(t.Context(), "/y", "t1")
	check([]store.Rule{rules[0], rules[3]}, got, err)
	got, err = s.AllRules(t.Context())
	check(rules, got, err)
	if err := s.RemoveRule(t.Context(), rules[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveRule(t.Context(), rules[0].ID); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	got, err = s.AllRules(t.Context())
	check(rules[1:], got, err)
}

// The rules of a task go with it, and no others do.
func TestRulesGoWithTheirTask(t *testing.T) {
	s, _ := clocked(t)
	for _, id := range []string{"t1", "t2"} {
		task, err := s.Create(t.Context(), store.New{ID: id, Cwd: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := task.Append(t.Context(), transcript.Message{ID: "m-" + id, Role: transcript.User, Parts: []transcript.Part{transcript.TextPart("hi")}}, store.Notes{}); err != nil {
			t.Fatal(err)
		}
		if err := task.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddRule(t.Context(), store.Rule{Scope: "task", Task: id, Text: json.RawMessage("1")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.AddRule(t.Context(), store.Rule{Scope: "user", Text: json.RawMessage("1")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "t1"); err != nil {
		t.Fatal(err)
	}
	rules, err := s.AllRules(t.Context())
	if err != nil || len(rules) != 2 || rules[0].Task != "t2" || rules[1].Scope != "user" {
		t.Errorf("%+v, %v", rules, err)
	}
}

func TestTrust(t *testing.T) {
	s, c := clocked(t)
	if hash, ok, err := s.Trusted(t.Context(), "/w"); ok || hash != "" || err != nil {
		t.Error(hash, ok, err)
	}
	for _, w := range []string{"/w", "/a", "/w"} {
		c.tick()
		if err := s.Trust(t.Context(), w, "hash of "+w); err != nil {
			t.Fatal(err)
		}
	}
	if hash, ok, err := s.Trusted(t.Context(), "/w"); !ok || hash != "hash of /w" || err != nil {
		t.Error(hash, ok, err)
	}
	all, err := s.AllTrusted(t.Context())
	want := []store.Trust{{Path: "/a", Hash: "hash of /a", Created: c.now.Add(-time.Second)}, {Path: "/w", Hash: "hash of /w", Created: c.now}}
	if err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, %v", all, err)
	}
	for range 2 {
		if err := s.Untrust(t.Context(), "/w"); err != nil {
			t.Error(err)
		}
	}
	if _, ok, err := s.Trusted(t.Context(), "/w"); ok || err != nil {
		t.Error(ok, err)
	}
}

func TestExport(t *testing.T) {
	s, _ := clocked(t)
	task := create(t, s, "t1")
	begin(t, task, "turn")
	record := func(key string, e event.Event) {
		task.Record(store.Item{Key: key, Seq: task.NextSeq(), Event: e, TurnID: "turn"})
	}
	say(task, "m1", "What is in go.mod?")
	record("toolCall:c", event.ToolCall{ToolCallID: "c", Name: "read_file", Title: "Read\ngo.mod", Status: event.Done, Args: `{"path":"go.mod"}`, Output: "```\nmodule x\n"})
	record("plan", event.Plan{Entries: []event.PlanEntry{{Text: "look", Done: true}, {Text: "tell"}}})
	record("notice:1", event.Notice{Severity: "warning", Text: "slow"})
	record("message:m2", event.Message{MessageID: "m2", Role: "assistant", Status: event.Done, Content: []event.Content{{Type: "text", Text: "A module."}}})
	if _, err := task.Append(t.Context(), message(1), store.Notes{System: "be good", Title: "Look", Model: "gpt", Totals: []byte(`{"n":1}`)}); err != nil {
		t.Fatal(err)
	}
	var md strings.Builder
	if err := s.Export(t.Context(), "t1", "markdown", &md); err != nil {
		t.Fatal(err)
	}
	const want = "# Look\n\n- task: `t1`\n- folder: `/w/t1`\n- begun: 2023-11-14T22:13:20Z\n- changed: 2023-11-14T22:13:20Z\n- model: gpt\n" +
		"\n## User\n\nWhat is in go.mod?\n\n### Read go.mod (completed)\n\n```json\n{\"path\":\"go.mod\"}\n```\n\n````\n```\nmodule x\n````\n" +
		"\n### Checklist\n\n- [x] look\n- [ ] tell\n\n> warning: slow\n\n## Assistant\n\nA module.\n"
	if md.String() != want {
		t.Errorf("got\n%s\nwant\n%s", md.String(), want)
	}
	var raw strings.Builder
	if err := s.Export(t.Context(), "t1", "json", &raw); err != nil {
		t.Fatal(err)
	}
	var out struct {
		Task     struct{ ID, Title string }
		System   string
		Messages []struct{ ID string }
		Events   []struct {
			Seq   int64
			Event struct{ Type string }
		}
	}
	if err := json.Unmarshal([]byte(raw.String()), &out); err != nil || out.Task.ID != "t1" || out.Task.Title != "Look" || out.System != "be good" ||
		len(out.Messages) != 1 || len(out.Events) != 5 || out.Events[1].Event.Type != "toolCall" {
		t.Errorf("%v\n%s", err, raw.String())
	}
	if err := s.Export(t.Context(), "t1", "pdf", &raw); err == nil {
		t.Error("exported to anything")
	}
	if err := s.Export(t.Context(), "t9", "json", &raw); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	// Without events, what the model saw.
	silent := create(t, s, "t2")
	begin(t, silent, "turn")
	add(t, silent, text("m1", "hello"))
	md.Reset()
	if err := s.Export(t.Context(), "t2", "markdown", &md); err != nil || !strings.HasSuffix(md.String(), "\n## User\n\nhello\n") || !strings.HasPrefix(md.String(), "# Task t2\n") {
		t.Errorf("%v\n%s", err, md.String())
	}
}

// Control characters in what was said do not make the file binary.
func TestExportIsText(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	raw := "nul\x00 \x1b[31mred\x7f\u0085 tab\there\r\nnext"
	say(task, "m1", raw)
	seq := task.NextSeq()
	task.Record(store.Item{Key: "toolCall:c", Seq: seq, Event: event.ToolCall{ToolCallID: "c", Name: "x", Title: raw, Output: raw, Status: event.Done}})
	if _, err := task.Append(t.Context(), text("m1", raw), store.Notes{Title: raw}); err != nil {
		t.Fatal(err)
	}
	var md strings.Builder
	if err := s.Export(t.Context(), "t1", "markdown", &md); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(md.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
		t.Errorf("%q", md.String()[max(0, i-20):i+20])
	}
	if want := "nul\u2400 \u241b[31mred\u2421\uFFFD tab\there\nnext\n"; strings.Count(md.String(), want) != 2 {
		t.Errorf("%s", md.String())
	}
}
