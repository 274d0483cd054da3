//go:build linux

package shell

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestReadStat(t *testing.T) {
	p, ok := readStat(os.Getpid())
	if !ok || p.pid != os.Getpid() || p.parent != os.Getppid() || p.dead || p.start == 0 {
		t.Errorf("%+v %v", p, ok)
	}
	// A name with brackets, blanks and line ends.
	dir := t.TempDir()
	odd := dir + "/a) Z (1\n2"
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(sleep, odd); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(odd, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	if p, ok := readStat(cmd.Process.Pid); !ok || p.parent != os.Getpid() || p.dead {
		t.Errorf("%+v %v", p, ok)
	}
	if _, ok := readStat(1 << 30); ok {
		t.Error("there is no such process")
	}
}

// The tag tells commands and daemons apart, and is not that of a usual process.
func TestTags(t *testing.T) {
	a, b, c := tagOf("token.x.1."), tagOf("token.x.2."), tagOf("other.x.1.")
	if a == (tag{}) || a.queue != b.queue || a.signals == b.signals || a.queue == c.queue {
		t.Errorf("%+v %+v %+v", a, b, c)
	}
	before, _ := readTag(os.Getpid())
	cmd := exec.Command("sleep", "60")
	if err := startTagged(cmd, "token.x.1."); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	if got, _ := readTag(cmd.Process.Pid); got != a {
		t.Errorf("%+v, want %+v", got, a)
	}
	if after, _ := readTag(os.Getpid()); after != before || after == a {
		t.Errorf("this process has %+v, had %+v", after, before)
	}
	if lowered(1000, "x", queueTags) != 0 || lowered(^uint64(0), "x", 1<<12) == 0 {
		t.Error("a low limit is left alone, an unlimited one is not")
	}
	// What this process starts at that moment is none of a command's.
	foreign := exec.Command("sleep", "61")
	if err := startTagged(foreign, "token.x.1."); err != nil {
		t.Fatal(err)
	}
	defer foreign.Wait()
	defer foreign.Process.Kill()
	tree := newTree(cmd.Process, "token.x.1.", &processes{})
	tree.leader = 1 << 30 // its session is this test's
	if got := tree.members(time.Now()); len(got) != 0 {
		t.Errorf("%v", got)
	}
	// Nor is it the reaper's to end, as long as this process lives.
	all := allTrees("token")
	all.livesOn()
	if all.daemon != os.Getppid() {
		t.Errorf("the reaper takes %d for the daemon", all.daemon)
	}
	all.daemon = os.Getpid()
	if got := all.members(time.Now()); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := allTrees("token").members(time.Now()); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

func BenchmarkMembers(b *testing.B) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	tree := newTree(cmd.Process, "none.", &processes{})
	for b.Loop() {
		tree.members(time.Now())
	}
}
