package daemon

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"clined/internal/sandbox"
)

// What is looked at when a command failed is the plan that it was held to,
// caches and all.
func TestWrapCompletesThePlan(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	cache, own := t.TempDir(), filepath.Join(t.TempDir(), "own/config")
	d := &Daemon{sandbox: sandbox.New(os.DevNull)}
	cmd := exec.Command("true")
	cmd.Env = []string{"GOCACHE=" + cache}
	p := sandbox.Plan{Kept: []string{own}, Writable: []string{"/tmp"}}
	if held, err := d.wrap(cmd, &p); held != "" || err != nil { // the null device confines nothing
		t.Fatalf("%q, %v", held, err)
	}
	if !slices.Contains(p.Writable, cache) || !slices.Contains(p.Writable, "/tmp") {
		t.Errorf("writable are %q", p.Writable)
	}
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

// A relative HOME makes relative folders, which no plan would take.
func TestOwnFoldersAreAbsolute(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	got := absolute([]string{"config/clined", "/state"})
	if want := []string{filepath.Join(here, "config/clined"), "/state"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
