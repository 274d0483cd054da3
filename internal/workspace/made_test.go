package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"clined/internal/tools"
)

// Folders that were made for a file go with it; others stay, and so does one in
// which something else came to be.
func TestFoldersGoWithTheirLastFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "theirs"), 0o755); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	at := func(name string) tools.Path {
		p, err := w.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	write := func(name string) *tools.File {
		p := at(name)
		if _, err := w.Write(t.Context(), &tools.File{Path: p}, "x\n"); err != nil {
			t.Fatal(err)
		}
		return &tools.File{Path: p, Text: "x\n", Exists: true}
	}
	there := func(name string, want bool) {
		t.Helper()
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", name, err, want)
		}
	}
	a, b, c := write("theirs/made/deep/a"), write("theirs/made/b"), write("theirs/c")
	if err := w.Remove(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	there("theirs/made/deep", false)
	there("theirs/made/b", true)
	if _, err := w.Move(t.Context(), b, at("theirs/new/b"), "x\n"); err != nil {
		t.Fatal(err)
	}
	there("theirs/made", false)
	b.Path = at("theirs/new/b")
	if err := os.WriteFile(filepath.Join(dir, "theirs/new/other"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	there("theirs/new/other", true)
	if err := w.Remove(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	there("theirs", true)

	// A folder of the same name that somebody made since is theirs.
	d := write("again/d")
	for _, step := range []error{os.RemoveAll(filepath.Join(dir, "again")), os.Mkdir(filepath.Join(dir, "again"), 0o755)} {
		if step != nil {
			t.Fatal(step)
		}
	}
	if err := w.Remove(t.Context(), d); err == nil {
		t.Error("what is not there was removed")
	}
	there("again", true)
}
