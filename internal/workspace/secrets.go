package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// isSecret reports whether a real path is a file with keys, or environment or
// memory of this process, which hold them too. Not even the user's leave to read
// everything is meant for these: what a tool reads goes to the model.
func (s *session) isSecret(real string) bool {
	return ownMemory(real) || slices.ContainsFunc(s.opts.Secrets, func(file string) bool { return realOrClean(file) == real })
}

// ownMemory reports whether a real path is how /proc shows environment and memory
// of this process, by its own number or that of a thread.
func ownMemory(real string) bool {
	rest, ok := strings.CutPrefix(filepath.ToSlash(real), "/proc/")
	if !ok {
		return false
	}
	id, what, _ := strings.Cut(rest, "/")
	if name := filepath.Base(what); name != "environ" && name != "mem" {
		return false
	}
	_, err := strconv.Atoi(id)
	return err == nil && (id == strconv.Itoa(os.Getpid()) || exists("/proc/self/task/"+id))
}
