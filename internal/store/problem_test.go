package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/store"
)

func deadline() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 2*time.Minute)
}

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
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
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

// The folder is removed under a running process.
func TestFolderRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := task.Append(t.Context(), message(1), store.Notes{}); !errors.Is(err, store.ErrNotFound) {
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
	if _, err := task.Append(ctx, message(1), store.Notes{}); !errors.Is(err, context.DeadlineExceeded) {
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

// A folder that may not be written, for one who is not root.
func TestDenied(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := child("hold", dir, "t1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "cannot be written") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A small disk of its own, full, and then read-only.
func TestDisk(t *testing.T) {
	cmd := child("disk", t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) || err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

func childDisk(args []string) error {
	disk := args[0]
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		return err
	}
	ctx, stop := deadline()
	defer stop()
	s := store.Open(filepath.Join(disk, "state"), store.Options{})
	task, err := s.Create(ctx, store.New{ID: "t1"})
	if err == nil {
		_, err = task.Begin(ctx, "turn")
	}
	if err != nil {
		return err
	}
	appended := 0
	for err == nil {
		if _, err = task.Append(ctx, text(fmt.Sprint("m", appended), strings.Repeat("x", 9000)), store.Notes{}); err == nil {
			appended++
		}
	}
	if err := isProblem(err, "full", "free some space"); err != nil {
		return err
	}
	say(task, "late", "kept for later")
	if err := isProblem(task.Sync(ctx), "full", "free some space"); err != nil {
		return err
	}
	_, err = task.Keep("c", strings.Repeat("x", 1<<20))
	if err := isProblem(err, "full", "free some space"); err != nil {
		return err
	}
	if h, err := task.Load(ctx); err != nil || len(h.Messages) != appended || appended == 0 {
		return fmt.Errorf("on a full disk: %d of %d messages, %w", len(h.Messages), appended, err)
	}
	// Another process starts on the full disk.
	other := store.Open(filepath.Join(disk, "state"), store.Options{})
	if _, err := other.Info(ctx, "t1"); err != nil {
		return fmt.Errorf("opened on a full disk: %w", err)
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, "size=8m"); err != nil {
		return err
	}
	if _, err := task.Append(ctx, text("more", "x"), store.Notes{}); err != nil {
		return fmt.Errorf("with space again: %w", err)
	}
	if items, _, err := task.Items(ctx, store.ItemQuery{}); err != nil || len(items) != 1 {
		return fmt.Errorf("%d items, %w", len(items), err)
	}
	if err := errors.Join(other.Close(), s.Close()); err != nil {
		return err
	}
	return readOnly(ctx, disk)
}

func readOnly(ctx context.Context, disk string) error {
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	s := store.Open(filepath.Join(disk, "state"), store.Options{})
	_, err := s.AddRule(ctx, store.Rule{Scope: "user", Text: []byte("1")})
	if err := isProblem(err, "cannot be written", "writable"); err != nil {
		return err
	}
	elsewhere := store.Open(filepath.Join(disk, "missing", "state"), store.Options{})
	if _, _, err := elsewhere.List(ctx, store.Query{}); isProblem(err, "cannot be written", "writable") != nil {
		return isProblem(err, "cannot be written", "writable")
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, ""); err != nil {
		return err
	}
	if _, err := s.AddRule(ctx, store.Rule{Scope: "user", Text: []byte("1")}); err != nil {
		return fmt.Errorf("writable again: %w", err)
	}
	return errors.Join(elsewhere.Close(), s.Close())
}
