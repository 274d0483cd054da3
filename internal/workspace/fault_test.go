package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/tools"
)

// faulty makes the n-th call to the system fail with err, and with always each one
// from there on.
type faulty struct {
	n, calls int
	always   bool
	err      error
	failed   string
}

func (f *faulty) fail(call, path string) error {
	if f.calls++; f.calls != f.n && (!f.always || f.calls < f.n) {
		return nil
	}
	f.failed += call + " " + filepath.Base(path) + " "
	return &fs.PathError{Op: call, Path: path, Err: f.err}
}

// changesOfFiles are all kinds of them, on the files of faultyFolder.
var changesOfFiles = map[string]func(t *testing.T, w *Workspace) error{
	"create": func(t *testing.T, w *Workspace) error { return writeWhole(t, w, "new/deep/n", "new\n") },
	"write":  func(t *testing.T, w *Workspace) error { return writeWhole(t, w, "a", "A\n") },
	"write in place": func(t *testing.T, w *Workspace) error {
		return writeWhole(t, w, "h", "a much longer text than there was\n")
	},
	"write shorter in place": func(t *testing.T, w *Workspace) error { return writeWhole(t, w, "h", "\n") },
	"remove":                 func(t *testing.T, w *Workspace) error { return withFile(t, w, "b", w.Remove) },
	"remove a link":          func(t *testing.T, w *Workspace) error { return withFile(t, w, "link", w.Remove) },
	"move":                   func(t *testing.T, w *Workspace) error { return moveTo(t, w, "b", "moved/b", "b\n") },
	"move with an edit":      func(t *testing.T, w *Workspace) error { return moveTo(t, w, "b", "moved/b", "B\n") },
	"move beside itself":     func(t *testing.T, w *Workspace) error { return moveTo(t, w, "a", "a2", "A\n") },
	"move one of two names":  func(t *testing.T, w *Workspace) error { return moveTo(t, w, "h", "moved/h", "H is longer\n") },
	"move a link":            func(t *testing.T, w *Workspace) error { return moveTo(t, w, "link", "link2", "a\n") },
	"set aside and put back": func(t *testing.T, w *Workspace) error {
		return withFile(t, w, "b", func(ctx context.Context, f *tools.File) error {
			a, err := w.SetAside(ctx, f)
			if err != nil {
				return err
			}
			return a.PutBack()
		})
	},
	"set aside and drop": func(t *testing.T, w *Workspace) error {
		return withFile(t, w, "b", func(ctx context.Context, f *tools.File) error {
			a, err := w.SetAside(ctx, f)
			if err != nil {
				return err
			}
			return a.Drop()
		})
	},
}

var quiet = slog.New(slog.DiscardHandler)

func withFile(t *testing.T, w *Workspace, name string, do func(context.Context, *tools.File) error) error {
	p, err := w.Resolve(name)
	if err != nil {
		return err
	}
	f, err := w.Read(t.Context(), p)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &tools.File{Path: p}, nil
	}
	if err != nil {
		return err
	}
	return do(t.Context(), f)
}

func writeWhole(t *testing.T, w *Workspace, name, text string) error {
	return withFile(t, w, name, func(ctx context.Context, f *tools.File) error {
		_, err := w.Write(ctx, f, text)
		return err
	})
}

func moveTo(t *testing.T, w *Workspace, name, to, text string) error {
	return withFile(t, w, name, func(ctx context.Context, f *tools.File) error {
		p, err := w.Resolve(to)
		if err != nil {
			return err
		}
		_, err = w.Move(ctx, f, p, text)
		return err
	})
}

// faultyFolder has a file, one in a folder of its own making, and two names of a third.
func faultyFolder(t *testing.T) string {
	t.Helper()
	dir := realTemp(t)
	put(t, dir, "a", "a\n", "b", "b\n", "h", "h of some length\n")
	link(t, "a", filepath.Join(dir, "link"))
	if err := os.Link(filepath.Join(dir, "h"), filepath.Join(dir, "h2")); err != nil {
		t.Fatal(err)
	}
	old := time.Date(2020, 1, 2, 3, 4, 5, 678, time.UTC)
	for _, name := range []string{"a", "b", "h"} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.Chmod(at, 0o640), os.Chtimes(at, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree tells what is below dir; with all also times, folders and unfinished files.
func tree(t *testing.T, dir string, all bool) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		info, err := e.Info()
		switch {
		case err != nil:
			return err
		case e.IsDir() && all:
			fmt.Fprintln(&b, rel)
		case e.IsDir(), !all && strings.HasPrefix(e.Name(), ".clined-"):
		case e.Type()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			fmt.Fprintln(&b, rel, "->", target)
		case all:
			fmt.Fprintf(&b, "%s %v %d %v %q\n", rel, info.Mode(), linkCount(info), info.ModTime(), onDisk(t, path))
		default:
			fmt.Fprintf(&b, "%s %q\n", rel, onDisk(t, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// eachChange tests all kinds of changes, and tells what is there when one is done.
func eachChange(t *testing.T, test func(t *testing.T, do func(*testing.T, *Workspace) error, after string)) {
	for name, do := range changesOfFiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the disk is what they wait for
			good := faultyFolder(t)
			if err := do(t, New(Options{Roots: []string{good}, Log: quiet})); err != nil {
				t.Fatal(err)
			}
			test(t, do, tree(t, good, false))
		})
	}
}

// Whatever call to the system fails, once: all is as it was or as it was to be, and
// the error says which.
func TestOneFault(t *testing.T) {
	eachChange(t, func(t *testing.T, do func(*testing.T, *Workspace) error, after string) {
		n := 1
		for ; ; n++ {
			dir := faultyFolder(t)
			before := tree(t, dir, true)
			f := &faulty{n: n, err: []error{syscall.EIO, syscall.EMFILE, syscall.EINVAL, syscall.EACCES, syscall.ENOSPC}[n%5]}
			err := do(t, New(Options{Roots: []string{dir}, Fault: f.fail, Log: quiet}))
			if f.failed == "" {
				break
			}
			switch {
			case err == nil && tree(t, dir, false) != after:
				t.Errorf("%v of %s: done, and this is there:\n%s", f.err, f.failed, tree(t, dir, false))
			case err == nil:
				noUnfinished(t, dir)
			case errors.Is(err, tools.ErrHalfDone), tree(t, dir, true) != before:
				t.Errorf("%v of %s: %v, and this is there:\n%s", f.err, f.failed, err, tree(t, dir, true))
			case errors.Is(err, tools.ErrChanged), errors.Is(err, fs.ErrNotExist):
				t.Errorf("%v of %s: %v", f.err, f.failed, err)
			}
		}
		if n < 10 {
			t.Errorf("only %d calls", n)
		}
	})
}

func noUnfinished(t *testing.T, dir string) {
	t.Helper()
	if all := tree(t, dir, true); strings.Contains(all, ".clined-") {
		t.Errorf("a file was left behind:\n%s", all)
	}
}

// A system that fails from some call on: no text is lost, and an error tells the
// truth of what is there.
func TestFaultsFromThereOn(t *testing.T) {
	eachChange(t, func(t *testing.T, do func(*testing.T, *Workspace) error, after string) {
		if strings.Contains(t.Name(), "aside") {
			return // the error says where the file is
		}
		for n := 1; ; n++ {
			dir := faultyFolder(t)
			before := tree(t, dir, false)
			f := &faulty{n: n, err: []error{syscall.EIO, syscall.EACCES}[n%2], always: true}
			err := do(t, New(Options{Roots: []string{dir}, Fault: f.fail, Log: quiet}))
			if f.failed == "" {
				break
			}
			now := tree(t, dir, false)
			switch {
			case err == nil && now != after, err != nil && !errors.Is(err, tools.ErrHalfDone) && now != before:
				t.Errorf("failing from %s on: %v, and this is there:\n%s", f.failed, err, now)
			case errors.Is(err, tools.ErrHalfDone) && errors.Is(err, tools.ErrChanged):
				t.Errorf("failing from %s on: %v", f.failed, err)
			case errors.Is(err, tools.ErrHalfDone) && !strings.Contains(t.Name(), "in_place") && strings.Count(now, "\n") < 5:
				t.Errorf("failing from %s on: %v, and a file is lost:\n%s", f.failed, err, now)
			}
		}
	})
}

// Some file systems never sync a folder: all else works there.
func TestFoldersThatCannotBeSynced(t *testing.T) {
	refuses := func(call, path string) error {
		if info, err := os.Stat(path); call == "fsync" && err == nil && info.IsDir() {
			return syscall.EINVAL
		}
		return nil
	}
	eachChange(t, func(t *testing.T, do func(*testing.T, *Workspace) error, after string) {
		dir := faultyFolder(t)
		if err := do(t, New(Options{Roots: []string{dir}, Fault: refuses, Log: quiet})); err != nil {
			t.Error(err)
		}
		if now := tree(t, dir, false); now != after {
			t.Errorf("this is there:\n%s", now)
		}
	})
}
