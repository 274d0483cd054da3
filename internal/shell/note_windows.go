package shell

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockNote locks a file until it is closed, and tells whether nobody else had. A
// lock hides what it covers, so that is a byte beyond all there is.
func lockNote(f *os.File) bool {
	at := windows.Overlapped{OffsetHigh: 1 << 20}
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY)
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at) == nil
}
