package workspace

import (
	"fmt"
	"path/filepath"
	"testing"

	"clined/internal/fileuri"
)

// What is open stands for the screen of an editor that tells nothing of it.
func TestStateOfOpenDocuments(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.txt", "alpha\n")
	put(t, dir, "b.txt", "beta\n")
	w := New(Options{Roots: []string{dir}, Private: filepath.Join(dir, "state")})
	look := func(step, want string) {
		t.Helper()
		s := w.State()
		got := "active " + filepath.Base(s.Active)
		for _, v := range s.Visible {
			got += ", visible " + filepath.Base(v)
		}
		for _, tab := range s.Tabs {
			got += fmt.Sprintf(", %s %v", filepath.Base(tab.Path), tab.Dirty)
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", step, got, want)
		}
	}
	uri := func(name string) string { return fileuri.FromPath(filepath.Join(dir, name)) }
	look("nothing is open", "active .")
	w.Open(uri("b.txt"), "", 1, "beta\n")
	w.Open(uri("a.txt"), "", 1, "alpha\n")
	look("opened", "active a.txt, visible a.txt, a.txt false, b.txt false")
	if err := w.Change(uri("b.txt"), 2, "new\n"); err != nil {
		t.Fatal(err)
	}
	look("changed", "active b.txt, visible b.txt, a.txt false, b.txt true")
	w.Touch(uri("a.txt"))
	w.Touch(uri("no.txt"))
	look("touched", "active a.txt, visible a.txt, a.txt false, b.txt true")
	w.Saved(uri("b.txt"))
	look("saved", "active b.txt, visible b.txt, a.txt false, b.txt false")
	w.Open("untitled:Untitled-1", "", 1, "x")
	w.Open(uri("state/tasks/1/transcript.md"), "", 1, "# Task")
	look("no files of the user", "active b.txt, visible b.txt, a.txt false, b.txt false")
	w.Close(uri("b.txt"))
	look("closed", "active a.txt, visible a.txt, a.txt false")
	w.SetState(State{Active: "/x", Tabs: []Tab{{Path: "/y", Dirty: true}}})
	look("told", "active x, y true")
}
