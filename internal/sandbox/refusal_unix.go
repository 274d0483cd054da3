//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// noExec is the exit code of shells for a file that is no program.
const noExec = 126

// couldWrite reports whether a path could be written, or made, without the
// sandbox: else its denial is an ordinary one.
func couldWrite(path string, exit int) bool {
	info, err := os.Lstat(path)
	if err == nil {
		if exit == noExec && info.Mode().IsRegular() && info.Mode()&0o111 == 0 {
			return false
		}
		if info.IsDir() || info.Mode()&os.ModeSymlink != 0 {
			return mayWrite(path) || mayWrite(filepath.Dir(path))
		}
		return mayWrite(path)
	}
	for at := filepath.Dir(path); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			return mayWrite(at)
		}
	}
}

// ofProcess tells what a command may not do with a file of another process, by its
// path in proc(5): "read", "read or write", or "reach" for what lies behind a link
// there. It is "" for another path, for what everyone may read, so that it was
// refused for being written, and for what is refused without the sandbox as well.
func ofProcess(path string) string {
	names := strings.Split(strings.TrimPrefix(path, "/proc/"), "/")
	if _, err := strconv.Atoi(names[0]); err != nil || len(names) == 1 || !strings.HasPrefix(path, "/proc/") {
		return ""
	}
	at := filepath.Join("/proc", names[0])
	for i, name := range names[1:] {
		at = filepath.Join(at, name)
		info, err := os.Lstat(at)
		if err != nil {
			return ""
		}
		owner, ok := info.Sys().(*syscall.Stat_t)
		if euid := os.Geteuid(); !ok || euid != 0 && int(owner.Uid) != euid {
			return ""
		}
		switch mode := info.Mode(); {
		case mode&os.ModeSymlink != 0 && i < len(names)-2:
			return "reach"
		case i < len(names)-2:
		case !mode.IsRegular(), mode&0o222 == 0:
			return "read"
		case mode&0o444 != 0 && mode&0o004 == 0:
			return "read or write"
		}
	}
	return ""
}

func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }
