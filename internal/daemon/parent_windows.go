package daemon

import (
	"strconv"
	"syscall"
)

// Constants of the Windows API that package syscall leaves out.
const (
	queryLimitedInformation = 0x1000
	stillActive             = 259
)

// lookAt opens the process. One that has ended may still be held open by
// others, so its exit code is asked for too; what may not be opened lives.
func lookAt(pid int) process {
	h, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return process{alive: err == syscall.ERROR_ACCESS_DENIED}
	}
	defer func() { _ = syscall.CloseHandle(h) }()
	var code uint32
	if err := syscall.GetExitCodeProcess(h, &code); err == nil && code != stillActive {
		return process{}
	}
	p := process{alive: true}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(h, &created, &exited, &kernel, &user) == nil {
		p.started = strconv.FormatInt(created.Nanoseconds(), 10)
	}
	return p
}
