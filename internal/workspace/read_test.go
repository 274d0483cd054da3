package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"clined/internal/fileuri"
	"clined/internal/tools"
)

// Special, binary and huge files.
func TestReadRefuses(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "doc.pdf", "%PDF-1.4\n"+strings.Repeat("x", 1<<20), "bin", "a\x00b", "sub/x", "", "plain", "x", "wide", strings.Repeat("w", 10<<20))
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	sock, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(sock)
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // a socket's path has to be short
	if err := syscall.Bind(sock, &syscall.SockaddrUnix{Name: "sock"}); err != nil {
		t.Fatal(err)
	}
	t.Chdir(cwd)
	huge, err := os.Create(filepath.Join(dir, "huge.log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(huge.Truncate(5<<30), huge.Close()); err != nil {
		t.Fatal(err)
	}
	link(t, "/dev/zero", filepath.Join(dir, "zero"))
	w := New(Options{Roots: []string{dir}})
	ctx := context.Background()
	for path, says := range map[string]string{
		"doc.pdf": "binary", "bin": "binary", "sub": "directory", "fifo": "pipe", "sock": "socket", "zero": "device", "/dev/null": "device", "/": "directory",
		"huge.log": "is too large", "none": "there is no file \"none\"", "plain/x": "stands where a folder",
	} {
		_, err := w.Read(ctx, resolve(t, w, path))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
		if missing := path == "none" || path == "plain/x"; errors.Is(err, fs.ErrNotExist) != missing {
			t.Errorf("%s: missing is %v", path, !missing)
		}
	}
	if f := read(t, w, "wide"); len(f.Text) != 10<<20 {
		t.Errorf("a wide line has %d bytes", len(f.Text))
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := w.Read(done, resolve(t, w, "plain")); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
}

func TestStat(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "a", "1234", "d/x", "")
	w := New(Options{Roots: []string{dir}})
	w.Open(filepath.Join(dir, "unsaved.txt"), "", 1, "abc")
	for path, want := range map[string]tools.FileInfo{
		"a": {Exists: true, Size: 4}, "none": {}, "a/b": {}, "unsaved.txt": {Exists: true, Size: 3},
	} {
		if got, err := w.Stat(context.Background(), resolve(t, w, path)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	if got, err := w.Stat(context.Background(), resolve(t, w, "d")); err != nil || !got.Dir {
		t.Errorf("folder: %+v, %v", got, err)
	}
}

func TestDocuments(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "a b.txt", "disk\r\n", "real/x", "disk\n")
	link(t, "real", filepath.Join(dir, "alias"))
	uri := func(name string) string { return fileuri.FromPath(filepath.Join(dir, name)) }
	w := New(Options{Roots: []string{dir}})
	check := func(name, path, text string, open, dirty bool) {
		t.Helper()
		if f := read(t, w, path); f.Text != text || f.Open != open || f.Dirty != dirty {
			t.Errorf("%s: %q open %v dirty %v", name, f.Text, f.Open, f.Dirty)
		}
	}
	check("not open", "a b.txt", "disk\r\n", false, false)
	w.Open(uri("a b.txt"), "text", 1, "disk\n")
	check("clean, other line ends", "a b.txt", "disk\r\n", true, false)
	if err := w.Change(strings.ReplaceAll(uri("a b.txt"), "%20", " "), 2, "typed\n"); err != nil {
		t.Fatal(err)
	}
	check("changed", "a b.txt", "typed\n", true, true)
	put(t, dir, "a b.txt", "other\n")
	check("changed in both", "a b.txt", "typed\n", true, true)
	put(t, dir, "a b.txt", "typed\n")
	w.Saved(uri("a b.txt"))
	check("saved", "a b.txt", "typed\n", true, false)
	put(t, dir, "a b.txt", "pulled\n")
	check("clean, newer on disk", "a b.txt", "pulled\n", true, false)
	if err := w.Change(uri("a b.txt"), 3, "pulled\n"); err != nil {
		t.Fatal(err)
	}
	check("reloaded", "a b.txt", "pulled\n", true, false)
	put(t, dir, "a b.txt", "again\n")
	check("reloaded, newer on disk", "a b.txt", "again\n", true, false)
	w.Close(uri("a b.txt"))
	check("closed", "a b.txt", "again\n", false, false)
	if err := w.Change(uri("a b.txt"), 4, ""); err == nil {
		t.Error("a closed document was changed")
	}

	w.Open(uri("alias/x"), "", 1, "through a link\n")
	check("other name", "real/x", "through a link\n", true, true)
	w.Open("untitled:Untitled-1", "", 1, "scratch")
	w.Open("vscode-remote://ssh/"+dir+"/real/x", "", 7, "remote")
	check("another scheme is another document", "real/x", "through a link\n", true, true)
	if d, ok := w.Document("untitled:Untitled-1"); !ok || d.Text != "scratch" || d.Path != "" {
		t.Errorf("scratch: %+v %v", d, ok)
	}
	if len(w.Documents()) != 3 {
		t.Errorf("%+v", w.Documents())
	}
	if err := w.Edit("untitled:Untitled-1", 2, func(string) (string, error) { return "", errors.New("bad range") }); err == nil {
		t.Error("a failed edit is no error")
	}
	if d, _ := w.Document("untitled:Untitled-1"); d.Text != "scratch" || d.Version != 1 {
		t.Errorf("after a failed edit: %+v", d)
	}
	w.SetState(State{Tabs: []Tab{{Path: filepath.Join(dir, "a b.txt"), Dirty: true}}})
	check("unsaved changes that were not shared", "a b.txt", "again\n", true, true)
}
