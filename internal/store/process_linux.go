package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// bootID as the kernel made it, see random(4).
func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

// processStart returns when a process started, in ticks since boot, with the
// name space that its number belongs to: containers on one machine share boot
// id and perhaps the state folder, but not their processes. "" is no such
// process; known is false when it cannot be told.
func processStart(pid int) (start string, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat("/proc/self/stat")
		return "", err == nil
	}
	// proc_pid_stat(5): the name in parentheses may hold anything; the state is
	// the first field behind it, the start time the twentieth.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if err != nil || len(fields) < 20 {
		return "", false
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return "", true
	}
	space, _ := os.Readlink("/proc/self/ns/pid")
	return fields[19] + " " + space, true
}
