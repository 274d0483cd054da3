package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What confining adds to a command. The child of the product is a larger
// program than this one: it takes some milliseconds more.
func BenchmarkCommand(b *testing.B) {
	ws := b.TempDir()
	env := []string{"PATH=/usr/bin:/bin"}
	plan := Plan{Workspace: []string{ws}, Writable: append(Temp(env, ws), Caches(env, ws)...), Network: true, Required: true}
	hiding, offline := plan, plan
	home, err := os.UserHomeDir()
	if err != nil {
		b.Fatal(err)
	}
	hiding.Hidden = []string{filepath.Join(home, ".config", "clined")}
	offline.Network = false
	for _, c := range []struct {
		name string
		plan *Plan
	}{{"free", nil}, {"held", &plan}, {"hiding", &hiding}, {"offline", &offline}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command("/bin/true")
				if c.plan != nil {
					if _, err := here().Wrap(cmd, *c.plan); err != nil {
						b.Fatal(err)
					}
				}
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What it takes to say what a command may write, with a home folder as people
// have them.
func BenchmarkPlan(b *testing.B) {
	home, err := os.UserHomeDir()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p := Plan{Workspace: []string{"/usr"}, Writable: append(Temp(os.Environ(), home), Caches(os.Environ(), home)...)}
		if len(p.writable()) == 0 {
			b.Fatal("nothing")
		}
	}
}
