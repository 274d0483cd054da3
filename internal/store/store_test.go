package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clined/internal/event"
	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/transcript"
)

var _ tools.Spill = (*store.Task)(nil)

// openStore opens a state folder; it must be left without goroutines.
func openStore(t *testing.T, dir string, o store.Options) *store.Store {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	s := store.Open(dir, o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return s
}

func create(t *testing.T, s *store.Store, id string) *store.Task {
	t.Helper()
	task, err := s.Create(t.Context(), store.New{ID: id, Cwd: "/w/" + id, Roots: []string{"/w/" + id}, Mode: "act"})
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func begin(t *testing.T, task *store.Task, turn string) int64 {
	t.Helper()
	version, err := task.Begin(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func add(t *testing.T, task *store.Task, m transcript.Message) int64 {
	t.Helper()
	version, err := task.Append(t.Context(), m, store.Notes{})
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func load(t *testing.T, s *store.Store, id string) *store.History {
	t.Helper()
	task, err := s.Task(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	h, err := task.Load(t.Context())
	if err := errors.Join(err, task.Close()); err != nil {
		t.Fatal(err)
	}
	return h
}

func message(n int) transcript.Message {
	return transcript.Message{ID: fmt.Sprint("m", n), Role: transcript.User, Parts: []transcript.Part{
		transcript.TextPart(fmt.Sprintf("text <%d> & \u2028 \"quoted\"\n", n)),
		{Kind: transcript.ImagePart, Image: &transcript.Image{MediaType: "image/png", Data: []byte{0, 255, byte(n)}}},
	}}
}

func ids(messages []transcript.Message) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.ID)
	}
	return strings.Join(all, " ")
}

func text(id, words string) transcript.Message {
	return transcript.Message{ID: id, Role: transcript.User, Parts: []transcript.Part{transcript.TextPart(words)}}
}

// say records what a user said.
func say(task *store.Task, id, words string) store.Item {
	i := store.Item{Key: "message:" + id, Seq: task.NextSeq(), TurnID: "turn", Time: time.UnixMilli(5).UTC(),
		Event: event.Message{MessageID: id, Role: "user", Status: event.Done, Content: []event.Content{{Type: "text", Text: words}}}}
	i.First = i.Seq
	task.Record(i)
	return i
}

func TestTaskLife(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := filepath.Join(t.TempDir(), "state")
	now := time.UnixMilli(1_700_000_000_000).UTC()
	s := store.Open(dir, store.Options{Now: func() time.Time { return now }})
	task := create(t, s, "t1")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("something was made before it was needed")
	}
	if v := begin(t, task, "turn1"); v != 0 {
		t.Errorf("a new transcript has version %d", v)
	}
	info, err := s.Info(t.Context(), "t1")
	if err != nil || info.State != store.Running || info.TurnID != "turn1" || info.Owner == nil || info.Owner.PID != os.Getpid() {
		t.Fatalf("%+v, %v", info, err)
	}
	want := []transcript.Message{message(1), message(2), message(3)}
	said := say(task, "m1", "hello")
	for n, m := range want {
		v, err := task.Append(t.Context(), m, store.Notes{System: "be good", Title: "A title", Model: "gpt",
			Standing: []byte(`{"a":1}`), Totals: []byte(fmt.Sprintf(`{"n":%d}`, n))})
		if err != nil || v != int64(n+1) {
			t.Fatal(v, err)
		}
	}
	if err := task.End(t.Context(), "turn1", "completed"); err != nil {
		t.Fatal(err)
	}
	wantInfo := store.Info{ID: "t1", Title: "A title", Cwd: "/w/t1", Roots: []string{"/w/t1"}, Created: now, Updated: now,
		Mode: "act", Model: "gpt", State: store.Idle, StopReason: "completed", Messages: 3, Totals: []byte(`{"n":2}`)}
	if info, err := s.Info(t.Context(), "t1"); err != nil || !reflect.DeepEqual(info, wantInfo) {
		t.Errorf("%v\n%+v\n%+v", err, info, wantInfo)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Info(t.Context(), "t1"); err == nil {
		t.Error("a closed store answers")
	}

	s = openStore(t, dir, store.Options{})
	h := load(t, s, "t1")
	if !reflect.DeepEqual(h.Messages, want) || h.System != "be good" || string(h.Standing) != `{"a":1}` || h.Version != 3 ||
		h.Damage != "" || h.State != store.Idle || h.TurnID != "" {
		t.Errorf("%+v", h)
	}
	task, err = s.Task(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	items, before, err := task.Items(t.Context(), store.ItemQuery{})
	if err != nil || before != 0 || len(items) != 1 || !reflect.DeepEqual(items[0], said) {
		t.Errorf("%+v, %v, %v", items, before, err)
	}
	if _, err := s.Task(t.Context(), "t2"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsLeftOfATaskWithoutPrompt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s := store.Open(dir, store.Options{})
	task := create(t, s, "t1")
	task.NextSeq()
	if h, err := task.Load(t.Context()); err != nil || len(h.Messages) != 0 {
		t.Error(h, err)
	}
	if items, _, err := task.Items(t.Context(), store.ItemQuery{}); err != nil || len(items) != 0 {
		t.Error(items, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was written")
	}
}

func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "state")
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	add(t, task, message(1))
	if _, err := task.Keep("c1", "x"); err != nil {
		t.Fatal(err)
	}
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, want %v", path, info.Mode().Perm(), want)
		}
		seen++
		return nil
	})
	if err != nil || seen < 11 {
		t.Errorf("%d files and folders, %v", seen, err)
	}
}

func TestCancelledBeforeItBegan(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := task.Append(ctx, message(1), store.Notes{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	add(t, task, message(2))
	if h := load(t, s, "t1"); ids(h.Messages) != "m2" {
		t.Error(ids(h.Messages))
	}
}
