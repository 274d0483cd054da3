//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// alike gives a new file mode and owner of the one whose place it takes. An
// owner that cannot be given (only root may) is left.
func alike(f *os.File, was fs.FileInfo) error {
	if old, ok := was.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(old.Uid), int(old.Gid))
	}
	return f.Chmod(was.Mode().Perm()) // after the owner, which may drop bits
}

// syncDir makes a rename durable. Some file systems cannot, and say so.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
