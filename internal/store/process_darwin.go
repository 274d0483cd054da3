package store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// bootID as the kernel made it when the machine started.
func bootID() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
}

// processStart returns when a process started. "" is no such process; known is
// false when it cannot be told.
func processStart(pid int) (start string, known bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", unix.Kill(pid, 0) == unix.ESRCH
	}
	t := p.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", t.Sec, t.Usec), true
}
