package store_test

import (
	"context"
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
	for _, id := range []string{"bare0", "long0", "bare1", "long1", "long2"} {
		if err := small(ctx, s, id, strings.HasPrefix(id, "long")); err != nil {
			return err
		}
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
	say(task, "late", strings.Repeat("kept for later ", 1000))
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
	if err := errors.Join(deleteOnFull(ctx, disk, s, "0"), deleteOnFull(ctx, disk, other, "1")); err != nil {
		return err
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
	// Nobody else has it open.
	alone := store.Open(filepath.Join(disk, "state"), store.Options{})
	if err := errors.Join(fill(disk), alone.Delete(ctx, "long2"), alone.Close(), os.Remove(filepath.Join(disk, "filler"))); err != nil {
		return err
	}
	return readOnly(ctx, disk)
}

// small makes a task that ended, with a long output or none.
func small(ctx context.Context, s *store.Store, id string, long bool) error {
	task, err := s.Create(ctx, store.New{ID: id})
	if err == nil {
		_, err = task.Begin(ctx, "turn")
	}
	if err == nil {
		_, err = task.Append(ctx, text(id, "x"), store.Notes{})
	}
	if err == nil {
		err = task.End(ctx, "turn", "completed")
	}
	if err == nil && long {
		_, err = task.Keep("call", strings.Repeat("x", 120<<10))
	}
	return errors.Join(err, task.Close())
}

// fill leaves no byte of a disk.
func fill(disk string) error {
	f, err := os.OpenFile(filepath.Join(disk, "filler"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	for size := 4096; err == nil && size > 0; size /= 2 {
		for err == nil {
			_, err = f.Write(make([]byte, size))
		}
		if errors.Is(err, syscall.ENOSPC) {
			err = nil
		}
	}
	return errors.Join(err, f.Close())
}

// deleteOnFull deletes a task where not even that has room: its long output makes some.
func deleteOnFull(ctx context.Context, disk string, s *store.Store, n string) error {
	if err := fill(disk); err != nil {
		return err
	}
	bare := s.Delete(ctx, "bare"+n)
	if bare != nil { // SQLite may begin its -wal anew, and then has room
		if err := isProblem(bare, "full", "what was saved before is safe"); err != nil {
			return err
		}
	}
	if err := s.Delete(ctx, "long"+n); err != nil {
		return fmt.Errorf("deleting a task on a full disk: %w", err)
	}
	if _, err := s.Info(ctx, "long"+n); !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("it is there still: %w", err)
	}
	if i, err := s.Info(ctx, "bare"+n); bare != nil && (err != nil || i.Damage != "") {
		return fmt.Errorf("%+v, %w", i, err)
	}
	return nil
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
