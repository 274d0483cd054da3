package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/store"
)

// A database whose newest changes were lost with their file says so; one that
// merely was not closed, or was, does not.
func TestLostChangesAreNoticed(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	for n := range 3 {
		add(t, task, message(n))
	}
	// What is on disk now is what a process leaves that is killed.
	for name, c := range map[string]struct {
		files []string
		lost  bool
	}{
		"killed":                {[]string{"clined.db", "clined.db-wal"}, false},
		"killed, one file kept": {[]string{"clined.db"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			left := t.TempDir()
			for _, file := range c.files {
				copyTo(t, filepath.Join(dir, file), filepath.Join(left, file))
			}
			for _, pass := range []string{"first", "second"} {
				s := store.Open(left, store.Options{})
				list, _, err := s.List(t.Context(), store.Query{})
				if err != nil || !c.lost && (len(list) != 1 || list[0].Messages != 3) {
					t.Errorf("%s: %+v, %v", pass, list, err)
				}
				if told := strings.Contains(s.Trouble(), `clined.db-wal" was missing`); told != (c.lost && pass == "first") {
					t.Errorf("%s: told %q", pass, s.Trouble())
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if wal, err := os.Stat(filepath.Join(left, "clined.db-wal")); err != nil || wal.Size() != 0 {
				t.Errorf("closed, it leaves %v, %v", wal, err)
			}
		})
	}
}

// What a recovery put in the place of a damaged database has lost nothing more.
func TestRecoveredIsNotLost(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir, store.Options{})
	for n := range 20 {
		task := create(t, s, fmt.Sprint("t", n))
		begin(t, task, "turn")
		add(t, task, message(0))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "clined.db")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	for pass := range 3 {
		s := store.Open(dir, store.Options{})
		if _, err := s.Search(t.Context(), "say", 10); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.List(t.Context(), store.Query{}); err != nil {
			t.Fatal(err)
		}
		if told := s.Trouble(); strings.Contains(told, "was missing") || (told != "") != (pass == 0) {
			t.Errorf("%d: told %q", pass, told)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// copyTo copies a file that may not exist.
func copyTo(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
