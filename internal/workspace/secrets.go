package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// secrets tells of many real paths whether they are secret, as isSecret does, with
// the files where they are now.
func (s *session) secrets() func(real string) bool {
	var files []string
	for _, file := range s.opts.Secrets {
		files = append(files, realOrClean(file))
	}
	return func(real string) bool { return slices.Contains(files, real) || ownMemory(real) }
}

// isSecret reports whether a real path is a file with keys, or environment or
// memory of this process, which hold them too. Not even the user's leave to read
// everything is meant for these: what a tool reads goes to the model.
func (s *session) isSecret(real string) bool {
	return s.secrets()(real)
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
