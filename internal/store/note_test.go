package store_test

import (
	"testing"

	"clined/internal/store"
)

// A mode is kept without a message, also before the task has a row.
func TestNote(t *testing.T) {
	ctx := t.Context()
	s := store.Open(t.TempDir(), store.Options{})
	defer s.Close()
	task, err := s.Create(ctx, store.New{ID: "t1", Mode: "act"})
	if err != nil {
		t.Fatal(err)
	}
	if err := task.Note(ctx, store.Notes{Mode: "plan"}); err != nil {
		t.Fatal(err)
	}
	if list, _, err := s.List(ctx, store.Query{}); err != nil || len(list) != 0 {
		t.Errorf("a task that nobody prompted is listed: %+v, %v", list, err)
	}
	if _, err := task.Begin(ctx, "turn"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"plan", "act"} {
		if info, err := s.Info(ctx, "t1"); err != nil || info.Mode != mode {
			t.Errorf("the mode is %q, want %q: %v", info.Mode, mode, err)
		}
		if err := task.Note(ctx, store.Notes{Mode: "act"}); err != nil {
			t.Fatal(err)
		}
	}
}
