package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/store"
)

func TestNewerVersion(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "clined.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99; CREATE TABLE future (n INTEGER) STRICT"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)["clined.db"]
	s = openStore(t, dir, store.Options{})
	_, _, err = s.List(t.Context(), store.Query{})
	wantProblem(t, err, "newer version", "update clined")
	_, err = s.AddRule(t.Context(), store.Rule{Scope: "user", Text: []byte("1")})
	wantProblem(t, err, "newer version", "update clined")
	// Nor is it recovered when it is damaged as well.
	for _, cut := range []int{4096, len(before) - 100} {
		broken := lay(t, map[string][]byte{"clined.db": before[:cut]})
		s := openStore(t, broken, store.Options{})
		_, _, err = s.List(t.Context(), store.Query{})
		wantProblem(t, err, "newer version", "update clined")
		if left, _ := filepath.Glob(filepath.Join(broken, "*")); len(left) > 4 {
			t.Error(left)
		}
	}
}

// A newer clined changes the tables under a process that has them open: what
// this one would write is not for them any more.
func TestNewerVersionWhileRunning(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	add(t, task, text("m0", "0"))
	change(t, dir, "CREATE TABLE future (n INTEGER) STRICT; PRAGMA user_version = 99")
	_, err := task.Append(t.Context(), text("m1", "1"), store.Notes{})
	wantProblem(t, err, "newer version", "update clined")
	_, err = s.AddRule(t.Context(), store.Rule{Scope: "user", Text: []byte("1")})
	wantProblem(t, err, "newer version", "start it anew")
	change(t, dir, "DROP TABLE future; PRAGMA user_version = 1")
	add(t, task, text("m2", "2"))
	if h := load(t, s, "t1"); ids(h.Messages) != "m0 m2" {
		t.Errorf("%q", ids(h.Messages))
	}
}

func wantProblem(t *testing.T, err error, message, hint string) {
	t.Helper()
	if err := isProblem(err, message, hint); err != nil {
		t.Error(err)
	}
}

func isProblem(err error, message, hint string) error {
	var p *store.Problem
	if !errors.As(err, &p) {
		return fmt.Errorf("no problem: %v", err)
	}
	if !strings.Contains(p.Message, message) || !strings.Contains(p.Hint, hint) || strings.HasSuffix(p.Message, ".") || p.Err == nil {
		return fmt.Errorf("told: %s; hint: %s; cause: %v", p.Message, p.Hint, p.Err)
	}
	return nil
}

func TestFileInPlaceOfFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path, store.Options{})
	task := create(t, s, "t1")
	_, err := task.Begin(t.Context(), "turn")
	wantProblem(t, err, "no folder", "CLINED_HOME")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	begin(t, task, "turn")
	add(t, task, message(1))
}

// Something else than a file has the name of a file of the store.
func TestNoFileInPlaceOfFile(t *testing.T) {
	for _, name := range []string{"clined.lock", "clined.db"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		s := openStore(t, dir, store.Options{})
		wantProblem(t, s.Blocked(), fmt.Sprintf("%q is no file", path), "move what has that name away")
		task := create(t, s, "t1")
		_, err := task.Begin(t.Context(), "turn")
		wantProblem(t, err, fmt.Sprintf("cannot begin a turn: %q is no file", path), "move what has that name away")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		begin(t, task, "turn")
		if err := s.Blocked(); err != nil {
			t.Error(err)
		}
	}
}

// The folder is removed under a running process.
func TestFolderRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	_, err := task.Append(t.Context(), message(1), store.Notes{})
	wantProblem(t, err, "the task is not in", "that folder was removed")
	if !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if err := task.Close(); !errors.Is(err, store.ErrNotFound) {
		t.Error("nobody is told that the task is gone:", err)
	}
	again := create(t, s, "t2")
	begin(t, again, "turn")
	add(t, again, message(1))
	if h := load(t, s, "t2"); len(h.Messages) != 1 {
		t.Error(h)
	}
}

// A program that keeps the database locked delays, and does not break anything.
func TestLockedByOther(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	db, err := sql.Open("sqlite", filepath.Join(dir, "clined.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = task.Append(ctx, message(1), store.Notes{})
	if err := isProblem(err, "keeps \"clined.db\" locked", "end other programs"); err != nil {
		t.Error(err)
	}
	if _, err := s.Info(t.Context(), "t1"); err != nil {
		t.Error("reading waits for a writer:", err)
	}
	done := make(chan error)
	go func() {
		_, err := task.Append(t.Context(), message(2), store.Notes{})
		done <- err
	}()
	if _, err := db.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if h := load(t, s, "t1"); ids(h.Messages) != "m2" {
		t.Error(ids(h.Messages))
	}
}
