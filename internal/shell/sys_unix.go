//go:build unix

package shell

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const supported = true

// pipeSize is what a pipe holds on the systems we know (pipe(7)): more cannot
// have been written before the shell exited.
const pipeSize = 64 << 10

// newSession takes away the controlling terminal and makes the child lead a
// process group. A parent-death signal is of no use here: it fires when the
// thread that forked ends, and reaches the shell alone.
func newSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func startError(err error) error {
	if errors.Is(err, syscall.E2BIG) {
		return errors.New("the command line is too long for the system: write it to a script file and run that")
	}
	return fmt.Errorf("the command could not be started: %w", err)
}

// exitOf returns the exit code, or -1 and the name of the signal.
func exitOf(s *os.ProcessState) (code int, signal string) {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, ws.Signal().String()
	}
	return s.ExitCode(), ""
}

// drain takes what lies in the pipe without waiting for more and tells whether
// the pipe has ended. A writer that never rests is left after one pipe's worth.
func drain(r *os.File, to io.Writer) (ended bool) {
	raw, err := r.SyscallConn()
	if err != nil {
		return true
	}
	buf := make([]byte, pipeSize)
	for taken := 0; taken < pipeSize; {
		var n int
		var readErr error
		if err := raw.Read(func(fd uintptr) bool {
			n, readErr = syscall.Read(int(fd), buf)
			return true
		}); err != nil {
			return true
		}
		switch {
		case readErr == syscall.EINTR:
		case readErr == syscall.EAGAIN:
			return false
		case readErr != nil || n == 0:
			return true
		default:
			to.Write(buf[:n])
			taken += n
		}
	}
	return false
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

// wait polls until no member is left or the time is up; members are not our
// children, so there is nothing to wait on. Each look sends sig, if given, so
// that what was forked since is met too.
func (t tree) wait(limit time.Duration, sig syscall.Signal) bool {
	until := time.Now().Add(limit)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if sig != 0 && !t.signal(sig) {
			return true
		}
		if sig == 0 && len(t.members()) == 0 {
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
	pids := t.members()
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
