//go:build unix

package sandbox

import (
	"os"
	"path/filepath"

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

func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }
