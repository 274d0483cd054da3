//go:build unix && !linux

package shell

import (
	"errors"

	"golang.org/x/sys/unix"
)

// born tells whether a process is there; when it started is not known here.
func born(pid int) (start uint64, ok bool) {
	err := unix.Kill(pid, 0)
	return 0, err == nil || errors.Is(err, unix.EPERM)
}
