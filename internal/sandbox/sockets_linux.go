package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// outsideSockets are the paths of sockets that are in use (proc_pid_net(5)):
// they are reached from any network namespace. More than can be hidden are an
// error, for a command could have made them.
func outsideSockets() ([]string, error) {
	b, err := os.ReadFile("/proc/self/net/unix")
	if err != nil {
		return nil, err
	}
	return socketPaths(string(b), sync.OnceValue(workingFolders))
}

// socketPaths reads the table of sockets. folders are where a name that is no
// whole path may have been bound.
func socketPaths(table string, folders func() []string) (paths []string, err error) {
	seen := map[string]bool{}
	add := func(path string) {
		if !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	for line := range strings.Lines(table) {
		name := strings.TrimSuffix(line, "\n")
		for range 7 { // the name is the eighth field, and may have blanks
			_, name, _ = strings.Cut(strings.TrimLeft(name, " "), " ")
		}
		switch {
		case name == "" || name[0] == '@' || name == "Path":
		case name[0] == '/':
			add(name)
		default:
			for _, dir := range folders() {
				path := filepath.Join(dir, name)
				if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
					add(path)
				}
			}
		}
		if len(paths) > maxSockets {
			return nil, fmt.Errorf("there are more than %d", maxSockets)
		}
	}
	return paths, nil
}

// workingFolders are those of the processes that may be seen.
func workingFolders() (dirs []string) {
	for _, pid := range namesIn("/proc") {
		if pid[0] < '0' || pid[0] > '9' {
			continue
		}
		if dir, err := os.Readlink("/proc/" + pid + "/cwd"); err == nil && filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// maxSockets bounds the arguments that name them: a path has 108 bytes at most
// (unix(7)), and commands need room for theirs.
const maxSockets = 4000
