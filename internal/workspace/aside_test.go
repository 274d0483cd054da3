package workspace

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/safefile"
	"clined/internal/tools"
)

func look(t *testing.T, w *Workspace, name string) *tools.File {
	t.Helper()
	f, err := w.Look(t.Context(), resolve(t, w, name))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLook(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "text", "1\n", "bin", "\x00\x01")
	if err := os.Truncate(filepath.Join(dir, "text"), 2); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "large", "")
	if err := os.Truncate(filepath.Join(dir, "large"), MaxFile+1); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	if f := look(t, w, "text"); f.Opaque != nil || f.Text != "1\n" {
		t.Errorf("a text: %+v", f)
	}
	if f := look(t, w, "bin"); !f.Exists || f.Opaque == nil || f.Opaque.String() != "binary file, 2 bytes" {
		t.Errorf("a binary file: %+v", f)
	}
	if f := look(t, w, "large"); f.Opaque == nil || f.Opaque.String() != "large file, 20971521 bytes" {
		t.Errorf("a large file: %+v", f)
	}
	for _, name := range []string{".", "none"} {
		if f, err := w.Look(t.Context(), resolve(t, w, name)); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// What is set aside comes back as the very file it was, or is gone with the folders
// that were made for it.
func TestSetAside(t *testing.T) {
	dir := realTemp(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, dir, "text", "1\n", "bin", "\x00\x01", "latin1", "caf\xE9\n", "h1", "3\n", "target", "t\n")
	put(t, dir, "large", "")
	if err := os.Truncate(at("large"), MaxFile+1); err != nil {
		t.Fatal(err)
	}
	link(t, "target", at("link"))
	if err := os.Link(at("h1"), at("h2")); err != nil {
		t.Fatal(err)
	}
	lists := filepath.Join(t.TempDir(), "lists")
	w := New(Options{Roots: []string{dir}, Unfinished: safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler))})
	for _, name := range []string{"text", "bin", "latin1", "h1", "large", "link"} {
		if name != "link" {
			old := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
			if err := errors.Join(os.Chmod(at(name), 0o604), os.Chtimes(at(name), old, old)); err != nil {
				t.Fatal(err)
			}
		}
		before, err := os.Lstat(at(name))
		if err != nil {
			t.Fatal(err)
		}
		a, err := w.SetAside(t.Context(), look(t, w, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := os.Lstat(at(name)); err == nil {
			t.Errorf("%s is still there", name)
		}
		if err := a.PutBack(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		after, err := os.Lstat(at(name))
		if err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() || !before.ModTime().Equal(after.ModTime()) {
			t.Errorf("%s came back as %v (%v), not %v", name, after, err, before)
		}
		if a, err = w.SetAside(t.Context(), look(t, w, name)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := a.Drop(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	noLeftovers(t, dir, "h2", "target")

	made, err := w.Write(t.Context(), &tools.File{Path: resolve(t, w, "new/deep/f")}, "x\n")
	if err != nil {
		t.Fatal(err)
	}
	a, err := w.SetAside(t.Context(), &tools.File{Path: resolve(t, w, "new/deep/f"), Text: made.Text, Exists: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Drop(); err != nil {
		t.Fatal(err)
	}
	noLeftovers(t, dir, "h2", "target")
}

// A file that is another by now stays, and so does what took its name meanwhile.
func TestSetAsideChanged(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "text", "1\n", "bin", "\x00\x01", "sub/bin", "\x00")
	w := New(Options{Roots: []string{dir}})
	text, bin := look(t, w, "text"), look(t, w, "bin")
	for _, now := range []string{"\x00\x02", "\x00\x01\x02", "text\n"} {
		put(t, dir, "text", now, "bin", now)
		for _, f := range []*tools.File{text, bin} {
			_, err := w.SetAside(t.Context(), f)
			if !errors.Is(err, tools.ErrChanged) && !(f == text && errors.Is(err, tools.ErrBinary)) {
				t.Errorf("%s with %q: %v", f.Path.Display, now, err)
			}
		}
		if onDisk(t, dir, "text") != now || onDisk(t, dir, "bin") != now {
			t.Errorf("a changed file is gone")
		}
	}
	w.SetState(State{Tabs: []Tab{{Path: filepath.Join(dir, "sub/bin"), Dirty: true}}})
	if _, err := w.SetAside(t.Context(), look(t, w, "sub/bin")); err == nil || !strings.Contains(err.Error(), "unsaved") {
		t.Errorf("unsaved: %v", err)
	}
	w.SetState(State{})
	a, err := w.SetAside(t.Context(), look(t, w, "sub/bin"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "sub/bin", "theirs\n")
	err = a.PutBack()
	if !errors.Is(err, tools.ErrChanged) || onDisk(t, dir, "sub/bin") != "theirs\n" {
		t.Errorf("put back over theirs: %v", err)
	}
	_, name, _ := strings.Cut(err.Error(), "is in \"")
	if onDisk(t, dir, strings.TrimSuffix(strings.TrimSuffix(name, " now"), "\"")) != "\x00" {
		t.Errorf("not to be found: %v", err)
	}
}
