//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the maximum resident set of a process that has ended, in bytes.
func peak(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) // in bytes there (getrusage(2))
	}
	return int64(usage.Maxrss) << 10
}
