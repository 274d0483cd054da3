//go:build linux

package shell

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"clined/internal/tools"
)

// The test binary is also a program that waits for keys; its first thread does.
func init() {
	if len(os.Args) > 2 && os.Args[1] == "keys-for-test" {
		runtime.LockOSThread()
		os.Exit(keysForTest(os.Args[2]))
	}
}

// keysForTest waits for keys as full-screen programs do that met the end of their
// input: from what the errors go to.
func keysForTest(how string) int {
	if err := unix.Dup3(2, 0, 0); err != nil {
		return 3
	}
	var err error
	for err = unix.EINTR; err == unix.EINTR; {
		switch how {
		case "poll":
			_, err = unix.Poll([]unix.PollFd{{Fd: 0, Events: unix.POLLIN}}, -1)
		case "select":
			var set unix.FdSet
			set.Set(0)
			_, err = unix.Select(1, &set, nil, nil, nil)
		case "epoll":
			var ep int
			if ep, err = unix.EpollCreate1(0); err == nil {
				if err = unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, 0, &unix.EpollEvent{Events: unix.EPOLLIN}); err == nil {
					_, err = unix.EpollWait(ep, make([]unix.EpollEvent, 1), -1)
				}
			}
		case "sleep":
			err = unix.Nanosleep(&unix.Timespec{Sec: 2}, nil)
		}
	}
	return 0
}

// asTest is a line in which ME is this program.
func asTest(line string) string {
	return strings.ReplaceAll(line, "ME", "'"+os.Args[0]+"' keys-for-test")
}

// What waits for keys from the command's own output waits for ever, and that is told.
func TestWaitingForKeysInVain(t *testing.T) {
	name := filepath.Base(os.Args[0])
	asks := "(" + name[:min(len(name), 15)] + " waits for keys, and has no terminal)" // as proc(5) says of comm
	for _, line := range []string{"exec ME poll", "ME select; true", "(echo on; ME epoll) | cat"} {
		w := newWatcher()
		m := manager(t, Options{Changed: w.changed})
		done := m.begin(w, tools.CommandLine{ID: "c", Line: asTest(line), Timeout: 10 * time.Minute})
		w.await(t, "c", line, func(s Status, _ string) bool { return s.Asks == asks })
		if err := m.Kill(t.Context(), "c"); err != nil {
			t.Error(err)
		}
		if res := m.wait(done); !res.Cancelled || res.Asks != asks {
			t.Errorf("%s: %+v", line, res)
		}
	}
}

// What waits for something else is not said to wait for keys.
func TestWaitingForOthers(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed})
	ends := map[string]<-chan *tools.CommandResult{}
	for _, line := range []string{
		"ME sleep",                             // its input is the output, but it does not read
		"(sleep 2; echo on) | cat",             // reads from a pipe that is not the output
		"exec 0>&2; (sleep 2 & wait); exit 0",  // waits for a child
		"sleep 2 | ME sleep; sleep 1; echo on", // one after the other
	} {
		ends[line] = m.begin(w, tools.CommandLine{ID: line, Line: asTest(line)})
	}
	for line, done := range ends {
		if res := m.wait(done); res.ExitCode != 0 || res.Asks != "" {
			t.Errorf("%s: %+v", line, res)
		}
	}
	for line, states := range w.states { // all have ended
		for _, s := range states {
			if s.Asks != "" {
				t.Errorf("%s: %+v", line, s)
			}
		}
	}
}
