package shell

import "golang.org/x/sys/windows"

// born tells when a process started, in ticks of 100 ns; ok is false when it is
// gone.
func born(pid int) (start uint64, ok bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return 0, false
	}
	defer windows.CloseHandle(h)
	if state, err := windows.WaitForSingleObject(h, 0); err != nil || state != uint32(windows.WAIT_TIMEOUT) {
		return 0, false // it has ended, and somebody holds a handle
	}
	var began, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &began, &ended, &kernel, &user) != nil {
		return 0, true
	}
	return uint64(began.HighDateTime)<<32 | uint64(began.LowDateTime), true
}
