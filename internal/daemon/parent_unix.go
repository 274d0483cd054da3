//go:build unix

package daemon

import "syscall"

// signalable asks by a signal that is not sent whether the process lives.
func signalable(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
