//go:build unix

package safefile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func add(text string) func([]byte) ([]byte, error) {
	return func(old []byte) ([]byte, error) { return append(bytes.Clone(old), text...), nil }
}

func onDisk(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestUpdateMakesFilesAndFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	path := filepath.Join(dir, "b", "f.json")
	for range 2 {
		if err := Update(t.Context(), path, add("x")); err != nil {
			t.Fatal(err)
		}
	}
	for of, want := range map[string]fs.FileMode{dir: 0o700, path: 0o600} {
		if info, err := os.Stat(of); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", of, info.Mode(), err)
		}
	}
	if onDisk(t, path) != "xx" || len(names(t, filepath.Dir(path))) != 1 {
		t.Errorf("%q, %v", onDisk(t, path), names(t, filepath.Dir(path)))
	}
}

func TestUpdateKeepsModeOwnerAndLink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "sub", "link")
	if err := errors.Join(os.WriteFile(real, []byte("x"), 0o644), os.Chmod(real, 0o640), os.Chown(real, 4242, 4243),
		os.Mkdir(filepath.Dir(link), 0o700), os.Symlink("../real", link)); err != nil {
		t.Fatal(err)
	}
	if err := Update(t.Context(), link, add("y")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(real)
	if err != nil || info.Mode() != 0o640 || onDisk(t, real) != "xy" {
		t.Errorf("%v, %v, %q", info.Mode(), err, onDisk(t, real))
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 4242 || s.Gid != 4243 {
		t.Errorf("owner %d:%d", s.Uid, s.Gid)
	}
	if to, err := os.Readlink(link); to != "../real" {
		t.Errorf("the link is %q, %v", to, err)
	}
	dangling := filepath.Join(dir, "dangling")
	if err := errors.Join(os.Symlink("later", dangling), Update(t.Context(), dangling, add("z"))); err != nil || onDisk(t, filepath.Join(dir, "later")) != "z" {
		t.Errorf("a link that leads nowhere: %v", err)
	}
}

func TestUpdateRefuses(t *testing.T) {
	dir := t.TempDir()
	readOnly, loop := filepath.Join(dir, "ro"), filepath.Join(dir, "loop")
	if err := errors.Join(os.WriteFile(readOnly, []byte("x"), 0o400), os.Symlink(loop, loop)); err != nil {
		t.Fatal(err)
	}
	mine := errors.New("mine")
	for name, err := range map[string]error{
		"read-only":      Update(t.Context(), readOnly, add("y")),
		"no regular":     Update(t.Context(), dir, add("y")),
		"too many links": Update(t.Context(), loop, add("y")),
		"mine":           Update(t.Context(), filepath.Join(dir, "new"), func([]byte) ([]byte, error) { return []byte("x"), mine }),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if onDisk(t, readOnly) != "x" || len(names(t, dir)) != 2 {
		t.Errorf("left %v", names(t, dir))
	}
}

// A change that changes nothing leaves the file alone.
func TestUpdateWithTheSameBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	if err := Update(t.Context(), path, add("")); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
}

func TestUpdatesAtOnceLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 20 {
				if err := Update(t.Context(), path, add(fmt.Sprintf("%d.%d\n", i, j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	lines := strings.Fields(onDisk(t, path))
	seen := map[string]bool{}
	for _, l := range lines {
		seen[l] = true
	}
	if len(lines) != 160 || len(seen) != 160 || len(names(t, filepath.Dir(path))) != 1 {
		t.Errorf("%d lines, %d of them different, %v", len(lines), len(seen), names(t, filepath.Dir(path)))
	}
}

func TestLockIsGivenUpWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	unlock, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Lock(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("a held lock gave %v", err)
	}
	unlock()
	again, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file, pipe := filepath.Join(dir, "f"), filepath.Join(dir, "p")
	if err := errors.Join(os.WriteFile(file, []byte("12345"), 0o600), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(file, 5); string(b) != "12345" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := Read(file, 3); string(b) != "1234" || err != nil {
		t.Errorf("beyond the limit: %q, %v", b, err)
	}
	if _, err := Read(pipe, 5); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a pipe gave %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none"), 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing gave %v", err)
	}
}

// What an Update left that was killed is gone after the next one, and nothing
// else is.
func TestUpdateSweeps(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.json")
	kept := []string{".clined-f.json-notes", ".clined-g.json-ABCDEFGHIJKLMNOPQRSTUVWXYZ", "f.json"}
	for _, name := range append(kept[:2:2], ".clined-f.json-ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Update(t.Context(), path, add("x")); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, kept) {
		t.Errorf("left: %q, want %q", got, kept)
	}
}
