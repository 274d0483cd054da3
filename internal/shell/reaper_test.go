//go:build linux

package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// withArg lists the processes that have an argument.
func withArg(arg string) (pids []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		if line, _ := os.ReadFile(d + "/cmdline"); slices.Contains(strings.Split(string(line), "\x00"), arg) {
			pid, _ := strconv.Atoi(filepath.Base(d))
			if p, ok := readStat(pid); ok && !p.dead {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// escapes are ways to leave a tree, with %s for what is left running.
var escapes = []string{
	"%s &",
	"setsid %s &",
	"env -i %s &",
	"(trap '' TERM HUP; %s; :) &",
	"nohup %s >/dev/null 2>&1 &",
	"env -i setsid %s >/dev/null 2>&1 </dev/null &",
	"(env -i setsid sh -c '%s & ' & ) >/dev/null 2>&1",
	"env -i setsid sh -c 'cd /; (setsid env -i %s &) & exit' >/dev/null 2>&1 </dev/null",
	"(unset CLINED_COMMAND; setsid sh -c '(%s >/dev/null 2>&1 &)')",
	"env -i setsid setsid sh -c 'cd /tmp; umask 0; ulimit -n 64; (nohup %s >/dev/null 2>&1 &)'",
}

// sleeper is a command that can be found among all processes.
func sleeper() (line, arg string) {
	arg = fmt.Sprintf("3%09d", rand.IntN(1e9))
	return "sleep " + arg, arg
}

// The reaper ends everything when the daemon gets a SIGKILL, also what left its
// session, cleared its environment and has lost its parents.
func TestReaperAfterKill(t *testing.T) {
	line, arg := sleeper()
	all := ""
	for _, e := range escapes {
		all += fmt.Sprintf(e, line) + "\n"
	}
	mark := "CLINED_TEST=" + newToken()
	cmd := exec.Command(os.Args[0], "daemon-for-test", all+"echo ready; sleep 300")
	cmd.Env = append(os.Environ(), mark, "TMPDIR=/nowhere/at/all") // the reaper needs none
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, 6)
	if _, err := out.Read(ready); err != nil || string(ready) != "ready\n" {
		t.Fatalf("%q %v", ready, err)
	}
	eventually(t, "its children run", func() bool { return len(withArg(arg)) >= len(escapes) })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	eventually(t, "nothing is left", func() bool { return len(withArg(arg)) == 0 && len(marked(mark)) == 0 })
}

// Kill ends what left the tree by any way, and nothing of another command.
func TestKillMeetsWhatEscaped(t *testing.T) {
	m := manager(t, Options{})
	other, otherArg := sleeper()
	for _, e := range escapes {
		m.run(fmt.Sprintf(e, other))
	}
	eventually(t, "the others run", func() bool { return len(withArg(otherArg)) == len(escapes) })
	others := m.List()
	for _, e := range escapes {
		line, arg := sleeper()
		if res := m.run(fmt.Sprintf(e, line)); !res.Background {
			t.Errorf("%s: not seen to be running: %+v", e, res)
			continue
		}
		list := m.List()
		if len(list) != len(others)+1 {
			t.Fatalf("%s: %+v", e, list)
		}
		eventually(t, "it runs", func() bool { return len(withArg(arg)) == 1 })
		if err := m.Kill(t.Context(), list[len(others)].ID); err != nil {
			t.Error(e, err)
		}
		if left := withArg(arg); len(left) > 0 {
			t.Errorf("%s: left %v", e, left)
		}
	}
	if n := len(withArg(otherArg)); n != len(escapes) {
		t.Errorf("%d of %d of the others are left", n, len(escapes))
	}
	m.Close()
	if left := withArg(otherArg); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestReaperIsReplaced(t *testing.T) {
	r := NewReaper([]string{os.Args[0], "reaper-for-test"}, nil)
	defer r.Close()
	m := manager(t, Options{Reaper: r})
	if m.run("sleep 60 & echo a"); len(m.List()) != 1 {
		t.Fatal("no job")
	}
	first, gone := r.child, r.gone
	first.Kill()
	<-gone
	for range 3 { // the second write at the latest meets the broken pipe
		m.run("true")
	}
	if r.child.Pid == first.Pid {
		t.Error("not replaced")
	}
	if len(m.List()) != 1 || len(marked(m.mark)) != 1 {
		t.Error("the job was ended along with its reaper")
	}
}
