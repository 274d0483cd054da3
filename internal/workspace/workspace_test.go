package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/tools"
)

// put writes files given as path, content, … below dir.
func put(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// onDisk returns a file's bytes.
func onDisk(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func resolve(t *testing.T, w *Workspace, path string) tools.Path {
	t.Helper()
	p, err := w.Resolve(path)
	if err != nil {
		t.Fatalf("resolve %q: %v", path, err)
	}
	return p
}

func read(t *testing.T, w *Workspace, path string) *tools.File {
	t.Helper()
	f, err := w.Read(context.Background(), resolve(t, w, path))
	if err != nil {
		t.Fatalf("read %q: %v", path, err)
	}
	return f
}

// write replaces old by new in a file, as an edit tool does.
func write(t *testing.T, w *Workspace, path, old, new string) *tools.Written {
	t.Helper()
	f := read(t, w, path)
	if !strings.Contains(f.Text, old) {
		t.Fatalf("%q does not hold %q: %q", path, old, f.Text)
	}
	res, err := w.Write(context.Background(), f, strings.Replace(f.Text, old, new, 1))
	if err != nil {
		t.Fatalf("write %q: %v", path, err)
	}
	return res
}

// realTemp is t.TempDir without links in its own path.
func realTemp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadWriteSmoke(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "a/b.txt", "one\ntwo\n")
	w := New(Options{Roots: []string{dir}})
	got := write(t, w, "a/b.txt", "one", "1")
	if got.Text != "1\ntwo\n" || !got.Saved || onDisk(t, dir, "a/b.txt") != "1\ntwo\n" {
		t.Errorf("%+v, on disk %q", got, onDisk(t, dir, "a/b.txt"))
	}
	p := resolve(t, w, "x/y/new.txt")
	if _, err := w.Read(context.Background(), p); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a missing file: %v", err)
	}
	if _, err := w.Write(context.Background(), &tools.File{Path: p}, "new\n"); err != nil {
		t.Fatal(err)
	}
	if onDisk(t, dir, "x/y/new.txt") != "new\n" {
		t.Error("new file has other text")
	}
}
