package daemon

import (
	"bytes"
	"fmt"
	"os"
)

// lookAt reads the state and the start time of a process (proc(5), fields 3
// and 22 of stat). A zombie has ended: only its parent does not know yet.
func lookAt(pid int) process {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil { // it has ended, or /proc is missing or hides it
		return process{alive: signalable(pid)}
	}
	// The name, in parentheses, may hold blanks and parentheses.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return process{alive: true}
	}
	dead := bytes.IndexByte([]byte("ZXx"), fields[0][0]) >= 0
	return process{alive: !dead, started: string(fields[19])}
}
