//go:build linux

package shell

import (
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/tools"
)

var pidIn = regexp.MustCompile(`, process (\d+)$`)

// A command that a signal has stopped is told of, goes on when it is let, and can
// be ended.
func TestStoppedCommands(t *testing.T) {
	for name, line := range map[string]string{
		"its shell":   "kill -STOP $$; echo on",
		"its program": "sh -c 'kill -STOP $$; echo on'; true",
	} {
		for _, goesOn := range []bool{true, false} {
			w := newWatcher()
			m := manager(t, Options{Changed: w.changed})
			done := make(chan *tools.CommandResult, 1)
			go func() {
				res, err := m.Run(t.Context(), tools.CommandLine{ID: "c", Line: line, Timeout: 10 * time.Minute}, nil)
				if err != nil {
					t.Error(err)
				}
				done <- res
			}()
			pid := 0
			w.await(t, "c", "it is stopped", func(s Status, _ string) bool {
				if found := pidIn.FindStringSubmatch(s.Stopped); found != nil {
					pid, _ = strconv.Atoi(found[1])
				}
				return pid != 0
			})
			if goesOn {
				if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
					t.Fatal(err)
				}
			} else if err := m.Kill(t.Context(), "c"); err != nil {
				t.Error(err)
			}
			res := <-done
			if goesOn && (res.ExitCode != 0 || res.Stopped != "" || strings.TrimSpace(res.Output) != "on") {
				t.Errorf("%s, let go on: %+v", name, res)
			}
			if !goesOn && (!res.Cancelled || !pidIn.MatchString(res.Stopped) || res.Output != "" || res.Background) {
				t.Errorf("%s, ended: %+v", name, res)
			}
			w.await(t, "c", "it is stopped no more", func(s Status, _ string) bool { return s.State == Exited && s.Stopped == "" })
		}
	}
}

// A command that only waits is not stopped.
func TestWaitingIsNotStopped(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed})
	res, err := m.Run(t.Context(), tools.CommandLine{ID: "c", Line: "sleep 3", Timeout: 10 * time.Minute}, nil)
	if err != nil || res.ExitCode != 0 || res.Stopped != "" {
		t.Fatalf("%+v, %v", res, err)
	}
	for _, s := range w.states["c"] {
		if s.Stopped != "" {
			t.Errorf("%+v", s)
		}
	}
}
