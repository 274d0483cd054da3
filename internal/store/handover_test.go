package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/store"
)

// A task that goes from turn to turn is nobody else's in between.
func TestHandOver(t *testing.T) {
	dir := t.TempDir()
	here, there := openStore(t, dir, store.Options{}), openStore(t, dir, store.Options{})
	task := create(t, here, "t1")
	begin(t, task, "turn1")
	other, err := there.Task(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	var busy *store.BusyError
	for n := 2; n < 5; n++ {
		if _, err := other.Begin(t.Context(), "theirs"); !errors.As(err, &busy) {
			t.Errorf("%v", err)
		}
		if err := other.Claim(t.Context()); !errors.As(err, &busy) {
			t.Errorf("%v", err)
		}
		begin(t, task, fmt.Sprint("turn", n))
		if info, err := there.Info(t.Context(), "t1"); err != nil || info.State != store.Running || info.TurnID != fmt.Sprint("turn", n) {
			t.Errorf("%+v, %v", info, err)
		}
	}
	if err := task.End(t.Context(), "turn4", "completed"); err != nil {
		t.Fatal(err)
	}
	if err := other.Claim(t.Context()); err != nil {
		t.Error(err)
	}
	begin(t, other, "theirs")
}

// A turn that did not begin after all leaves the task as it was.
func TestAbandon(t *testing.T) {
	for _, reason := range []string{"completed", "interrupted", ""} {
		s := openStore(t, t.TempDir(), store.Options{})
		task := create(t, s, "t1")
		begin(t, task, "turn1")
		add(t, task, message(1))
		if reason != "" {
			if err := task.End(t.Context(), "turn1", reason); err != nil {
				t.Fatal(err)
			}
		}
		before, err := s.Info(t.Context(), "t1")
		if err != nil {
			t.Fatal(err)
		}
		begin(t, task, "turn2")
		say(task, "m2", "kept all the same")
		if err := task.Abandon(t.Context()); err != nil {
			t.Fatal(err)
		}
		after, err := s.Info(t.Context(), "t1")
		want := before.State
		if reason == "" { // a turn that ran when the next began was left by it
			want = store.Interrupted
		}
		if err != nil || after.State != want || after.TurnID != before.TurnID || after.StopReason != before.StopReason || after.Owner != nil {
			t.Errorf("%+v\n%+v, %v", before, after, err)
		}
		if keys, err := task.Keys(t.Context()); err != nil || !slices.Equal(keys, []string{"message:m2"}) {
			t.Errorf("%q, %v", keys, err)
		}
	}
}

// lock has another program keep the database locked.
func lock(t *testing.T, dir string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "clined.db"))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := db.Exec("ROLLBACK"); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// hurried ends what waits for the lock as soon as it has met it.
func hurried(t *testing.T) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	return ctx
}

// An End that could not be written is made up for by what is written next, so that
// the task is not held for ever.
func TestEndIsMadeUpFor(t *testing.T) {
	for _, next := range []string{"sync", "flusher", "close", "begin", "claim"} {
		t.Run(next, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir, store.Options{})
			task := create(t, s, "t1")
			begin(t, task, "turn1")
			if err := task.End(hurried(t), "turn1", "completed"); err == nil || err.Error() != "enough" {
				t.Fatal(err)
			}
			var err error
			switch next {
			case "sync":
				say(task, "m1", "x")
				err = task.Sync(t.Context())
			case "flusher":
				for info, err := s.Info(t.Context(), "t1"); info.State == store.Running; info, err = s.Info(t.Context(), "t1") {
					if err != nil {
						t.Fatal(err)
					}
				}
			case "close":
				err = task.Close()
			case "begin":
				begin(t, task, "turn2")
				say(task, "m1", "x")
				if err = task.Sync(t.Context()); err == nil {
					if info, err := s.Info(t.Context(), "t1"); err != nil || info.State != store.Running || info.TurnID != "turn2" {
						t.Errorf("the end of the turn before ended this one: %+v, %v", info, err)
					}
					err = task.End(t.Context(), "turn2", "completed")
				}
			case "claim":
				err = task.Claim(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			info, err := s.Info(t.Context(), "t1")
			if err != nil || info.State != store.Idle || info.StopReason != "completed" || info.Owner != nil {
				t.Errorf("%+v, %v", info, err)
			}
		})
	}
}

// Closing does not wait for a lock that is never given up, and tells what it
// could not write. What had to be written before is there.
func TestCloseOfALockedDatabase(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn1")
	add(t, task, message(1))
	second := create(t, s, "t2")
	begin(t, second, "turn1")
	unlock := lock(t, dir)
	say(task, "m2", "x")
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "keeps \"clined.db\" locked") {
		t.Errorf("%v", err)
	}
	unlock()
	s = openStore(t, dir, store.Options{})
	if h := load(t, s, "t1"); ids(h.Messages) != "m1" {
		t.Errorf("%+v", h)
	}
}

// Numbers are given while the database is locked, and none twice.
func TestNumbersOfALockedDatabase(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	create(t, s, "t1")
	task := create(t, s, "t2")
	begin(t, task, "turn")
	unlock := lock(t, dir)
	last := int64(0)
	for range 3 * 4096 {
		n := task.NextSeq()
		if n <= last {
			t.Fatalf("%d behind %d", n, last)
		}
		last = n
	}
	unlock()
}

// Items are found by their keys, whatever their age; those that were taken back
// are not.
func TestNamed(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	if keys, err := task.Keys(t.Context()); err != nil || len(keys) != 0 {
		t.Errorf("%q, %v", keys, err)
	}
	begin(t, task, "turn")
	old := say(task, "old", "words")
	add(t, task, message(1))
	for n := range 3000 {
		say(task, fmt.Sprint("x", n), "more")
	}
	newest := say(task, "new", "other words")
	items, err := task.Named(t.Context(), newest.Key, "message:none", old.Key)
	if err != nil || len(items) != 2 || items[0].Key != old.Key || items[1].Seq != newest.Seq || items[1].Event.(event.Message).MessageID != "new" {
		t.Errorf("%+v, %v", items, err)
	}
	if none, err := task.Named(t.Context()); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	add(t, task, text("old", "words"))
	if _, err := task.Rewind(t.Context(), "old"); err != nil {
		t.Fatal(err)
	}
	if keys, err := task.Keys(t.Context()); err != nil || len(keys) != 0 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
}

// Who gives up reading is told so, wherever the driver was at that moment.
func TestCancelledReading(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	for n := range 500 {
		say(task, fmt.Sprint("m", n), strings.Repeat("words ", 100))
	}
	if err := task.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	cancelled := 0
	for n := range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(n)*10*time.Microsecond, cancel)
		_, _, err := task.Items(ctx, store.ItemQuery{Limit: 1000})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("%d: %v", n, err)
		}
		if err != nil {
			cancelled++
		}
		cancel()
	}
	if cancelled == 0 {
		t.Error("nothing was cancelled in time")
	}
}
