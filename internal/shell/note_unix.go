//go:build unix

package shell

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockNote locks a file until it is closed, and tells whether nobody else had.
func lockNote(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil }
