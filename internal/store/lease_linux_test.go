package store_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/store"
)

// living is a process that exists: this one.
func living(t *testing.T, s *store.Store) store.Process {
	t.Helper()
	task := create(t, s, "probe")
	begin(t, task, "turn")
	info, err := s.Info(t.Context(), "probe")
	if err != nil || info.Owner == nil {
		t.Fatal(info, err)
	}
	if err := task.End(t.Context(), "turn", "completed"); err != nil {
		t.Fatal(err)
	}
	return info.Owner.Process
}

func TestOwnProcess(t *testing.T) {
	p := living(t, openStore(t, t.TempDir(), store.Options{}))
	if p.PID != os.Getpid() || p.BootID == "" || p.Start == "" {
		t.Errorf("%+v", p)
	}
}

func TestLeases(t *testing.T) {
	dir := t.TempDir()
	now := time.UnixMilli(1_700_000_000_000).UTC()
	clock := func() time.Time { return now }
	here := openStore(t, dir, store.Options{Now: clock})
	self := living(t, here)
	for _, c := range []struct {
		name  string
		owner store.Process
		later time.Duration
		busy  bool
	}{
		{"lives", self, 0, true},
		{"lives, no beat for 14 s", self, 14 * time.Second, true},
		{"no beat for 15 s", self, 15 * time.Second, false},
		{"a clock set back a little", self, -5 * time.Second, true},
		{"a clock set back far", self, -time.Hour, false},
		{"is gone", store.Process{BootID: self.BootID, PID: 1 << 30, Start: self.Start}, 0, false},
		{"its number is another's", store.Process{BootID: self.BootID, PID: self.PID, Start: "5 " + strings.SplitN(self.Start, " ", 2)[1]}, 0, false},
		{"another boot", store.Process{BootID: "other", PID: self.PID, Start: self.Start}, 0, false},
		{"another container", store.Process{BootID: self.BootID, PID: 1 << 30, Start: "5 pid:[1]"}, 0, true},
		{"another container, silent", store.Process{BootID: self.BootID, PID: 1 << 30, Start: "5 pid:[1]"}, 15 * time.Second, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := "t-" + strings.NewReplacer(" ", "-", ",", "", "'", "").Replace(c.name)
			there := openStore(t, dir, store.Options{Now: clock, Process: c.owner})
			theirs := create(t, there, id)
			since := now
			begin(t, theirs, "turn1")
			add(t, theirs, message(1))
			defer func(before time.Time) { now = before }(now)
			now = now.Add(c.later)
			mine, err := here.Task(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			info, err := here.Info(t.Context(), id)
			want := store.Interrupted
			if c.busy {
				want = store.Running
			}
			if err != nil || info.State != want || (info.Owner != nil) != c.busy || info.TurnID != "turn1" {
				t.Errorf("%+v, %v", info, err)
			}
			if !c.busy {
				begin(t, mine, "turn2")
				for _, err := range []error{
					must(theirs.Append(t.Context(), message(2), store.Notes{})),
					must(theirs.Rewind(t.Context(), "m1")),
					theirs.End(t.Context(), "turn1", "completed"),
					theirs.Sync(t.Context()),
				} {
					if !errors.Is(err, store.ErrLost) {
						t.Errorf("who lost its lease: %v", err)
					}
				}
				say(theirs, "m9", "lost")
				add(t, mine, message(3))
				if h := load(t, here, id); ids(h.Messages) != "m1 m3" {
					t.Error(ids(h.Messages))
				}
				if items, _, err := mine.Items(t.Context(), store.ItemQuery{}); err != nil || len(items) != 0 {
					t.Error("what was recorded after the loss is kept", items, err)
				}
				return
			}
			var busy *store.BusyError
			for _, err := range []error{
				must(mine.Begin(t.Context(), "turn2")),
				must(mine.Append(t.Context(), message(2), store.Notes{})),
				must(mine.Rewind(t.Context(), "m1")),
				here.Delete(t.Context(), id),
			} {
				if !errors.As(err, &busy) || busy.Owner.PID != c.owner.PID || !busy.Owner.Since.Equal(since) || busy.TaskID != id {
					t.Errorf("%v", err)
				}
			}
			if text := busy.Error(); !strings.Contains(text, "pid") || !strings.Contains(text, "since") {
				t.Error(text)
			}
		})
	}
}

func must(_ int64, err error) error { return err }

// Two sessions of one process do not run a task both.
func TestTwoHandles(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn1")
	v := add(t, task, message(1))
	other, err := s.Task(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	var busy *store.BusyError
	if _, err := other.Begin(t.Context(), "turn2"); !errors.As(err, &busy) {
		t.Errorf("%v", err)
	}
	if got := begin(t, task, "turn1b"); got != v {
		t.Errorf("a second turn of the same handle: version %d, want %d", got, v)
	}
	if err := task.End(t.Context(), "turn1b", "interrupted"); err != nil {
		t.Fatal(err)
	}
	if h := load(t, s, "t1"); h.State != store.Interrupted || h.TurnID != "turn1b" {
		t.Errorf("%+v", h)
	}
	if got := begin(t, other, "turn2"); got != v {
		t.Errorf("version %d, want %d", got, v)
	}
	add(t, other, message(2))
	if err := other.End(t.Context(), "turn2", "completed"); err != nil {
		t.Fatal(err)
	}
	if got := begin(t, task, "turn3"); got == v {
		t.Error("a message of another handle does not change the version")
	}
}

// A lease is kept by beats alone, through a turn in which nothing is written.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := store.Open(dir, store.Options{})
		task := create(t, s, "t1")
		begin(t, task, "turn")
		other := store.Open(dir, store.Options{})
		for range 4 {
			pauseFor(t, 14*time.Second)
			info, err := other.Info(t.Context(), "t1")
			if err != nil || info.State != store.Running || time.Since(info.Owner.LastBeat) > 10*time.Second {
				t.Fatalf("%+v, %v", info, err)
			}
		}
		if err := task.End(t.Context(), "turn", "completed"); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*store.Store{s, other} {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// pauseFor lets fake time pass.
func pauseFor(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-time.After(d):
	case <-t.Context().Done():
	}
	synctest.Wait()
}
