//go:build unix

package shell

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"clined/internal/tools"
)

const supported = true

// reaped is true: nothing ends the processes of a daemon that is killed.
const reaped = true

// newSession takes away the controlling terminal and makes the child lead a
// process group. A parent-death signal is of no use here: it fires when the
// thread that forked ends, and reaches the shell alone.
func newSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// setLine gives cmd the arguments that run line.
func setLine(cmd *exec.Cmd, path, line string) { cmd.Args = append(cmd.Args, shellArgs(path, line)...) }

// systemShell is there on every Unix (POSIX leaves its place open, and all agree).
func systemShell() (string, error) { return "/bin/sh", nil }

// maxString is what Linux takes as one argument or variable (MAX_ARG_STRLEN,
// execve(2)), its end included.
const maxString = 128 << 10

// startError is a sentence for the model.
func startError(err error, cmd *exec.Cmd, c tools.CommandLine) error {
	var at *os.PathError
	switch {
	case errors.Is(err, syscall.E2BIG):
		return tooBig(cmd.Env, c.Line)
	case errors.As(err, &at) && at.Op == "chdir":
		return fmt.Errorf("the working directory %q cannot be entered: %w", c.Dir, at.Err)
	}
	return fmt.Errorf("the command could not be started: %w", err)
}

// tooBig tells what was too much for the system.
func tooBig(env []string, line string) error {
	size := 0
	for _, kv := range env {
		size += len(kv) + 1
		if name, _, _ := strings.Cut(kv, "="); len(kv) >= maxString && len(line) < maxString {
			return fmt.Errorf("the command could not be started: the environment variable %q is too long for the system (%d bytes)", name, len(kv))
		}
	}
	if size > len(line) {
		return fmt.Errorf("the command could not be started: its environment is too large for the system (%d bytes)", size)
	}
	return fmt.Errorf("the command line is too long for the system (%d bytes): write it to a script file and run that", len(line))
}

// exitOf returns the exit code, or -1 and the name of the signal.
func exitOf(s *os.ProcessState) (code int, signal string) {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, ws.Signal().String()
	}
	return s.ExitCode(), ""
}

// end ends the tree: TERM, then KILL after grace. It reports whether nothing is
// left.
func (t tree) end(grace time.Duration) bool {
	if !t.signal(syscall.SIGTERM) {
		return true
	}
	t.signal(syscall.SIGCONT) // a stopped process must run to take a TERM
	if t.wait(grace, 0) {
		return true
	}
	return t.wait(killWait, syscall.SIGKILL)
}

// alive tells whether a process of the tree lived at a time or later.
func (t tree) alive(at time.Time) bool { return len(t.members(at)) > 0 }

// close has nothing to let go of.
func (t tree) close() {}

// wait polls until no member is left or the time is up; members are not our
// children, so there is nothing to wait on. Each look sends sig, if given, so
// that what was forked since is met too.
func (t tree) wait(limit time.Duration, sig syscall.Signal) bool {
	until := time.Now().Add(limit)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if sig != 0 && !t.signal(sig) {
			return true
		}
		if sig == 0 && !t.alive(time.Now()) {
			return true
		}
		if time.Now().After(until) {
			return false
		}
		time.Sleep(pause)
	}
}

// leaders are all leaders of the tree.
func (t tree) leaders() iter.Seq[int] {
	return func(yield func(int) bool) {
		if t.leader > 0 && !yield(t.leader) {
			return
		}
		for id := range t.more {
			if !yield(id) {
				return
			}
		}
	}
}

// signal sends sig to every member; it reports whether there were any.
func (t tree) signal(sig syscall.Signal) bool {
	pids := t.members(time.Now())
	if len(pids) == 0 {
		return false
	}
	for leader := range t.leaders() {
		syscall.Kill(-leader, sig)
	}
	for _, pid := range pids {
		syscall.Kill(pid, sig)
	}
	return true
}
