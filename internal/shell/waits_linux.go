package shell

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// readsTerminal tells whether a member of the tree is blocked in a read of its
// terminal.
func readsTerminal(t tree) bool {
	for _, pid := range t.members(time.Now()) {
		if wchan, err := os.ReadFile(procFile(pid, "wchan")); err == nil && bytes.Contains(wchan, []byte("n_tty_read")) {
			return true
		}
		call, args := blockedIn(pid)
		if call != unix.SYS_READ || len(args) == 0 {
			continue
		}
		fd, err := strconv.ParseInt(strings.TrimPrefix(args[0], "0x"), 16, 32)
		if err != nil {
			continue
		}
		if to, _ := os.Readlink(procFile(pid, "fd/"+strconv.Itoa(int(fd)))); strings.HasPrefix(to, "/dev/pts/") || to == "/dev/tty" {
			return true
		}
	}
	return false
}

// readsOutput names a member of the tree, as it was no earlier than at, whose
// standard input is the command's output and that is blocked in waiting for files.
// Full-screen programs such as vim come to that without a terminal: on the end of
// their input they take what the errors go to, which is a terminal as a rule, and
// here a pipe that nobody can type into. "" is none.
func readsOutput(t tree, output os.FileInfo, at time.Time) string {
	for _, pid := range t.members(at) {
		in, err := os.Stat(procFile(pid, "fd/0"))
		if err != nil || !os.SameFile(in, output) {
			continue
		}
		if call, _ := blockedIn(pid); !waitsForFiles(call) {
			continue
		}
		if name, err := os.ReadFile(procFile(pid, "comm")); err == nil {
			return strings.TrimSpace(string(name))
		}
	}
	return ""
}

// waitsForFiles tells whether a system call waits until files can be read.
func waitsForFiles(call int) bool {
	calls := []int{unix.SYS_READ, unix.SYS_PSELECT6, unix.SYS_PPOLL, unix.SYS_EPOLL_PWAIT}
	if runtime.GOARCH == "amd64" {
		const poll, selects, epollWait = 7, 23, 232 // later machines have none of these
		calls = append(calls, poll, selects, epollWait)
	}
	return slices.Contains(calls, call)
}

// blockedIn is the system call that a process is blocked in, and its arguments;
// -1 for none. /proc/<pid>/syscall (proc(5)) is "NUMBER 0xARG …", or "running".
func blockedIn(pid int) (call int, args []string) {
	line, _ := os.ReadFile(procFile(pid, "syscall"))
	f := strings.Fields(string(line))
	if len(f) == 0 {
		return -1, nil
	}
	call, err := strconv.Atoi(f[0])
	if err != nil {
		return -1, nil
	}
	return call, f[1:]
}
