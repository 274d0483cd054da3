package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// copyAttributes gives f the extended attributes of like: access lists, labels
// and the user's own. It fails with fs.ErrPermission when that cannot be done
// exactly.
func copyAttributes(f, like *os.File) error {
	names, err := attributes(like)
	if err != nil || len(names) == 0 {
		return err
	}
	for _, name := range names {
		value, err := attribute(like, name)
		if err != nil {
			return err
		}
		if has, err := attribute(f, name); err == nil && bytes.Equal(has, value) {
			continue // as the system gave it, for labels mostly
		}
		if unix.Fsetxattr(int(f.Fd()), name, value, 0) != nil {
			return fs.ErrPermission
		}
	}
	return nil
}

func attributes(f *os.File) ([]string, error) {
	buf := make([]byte, 64<<10) // the most that Linux lists
	n, err := unix.Flistxattr(int(f.Fd()), buf)
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	if err != nil {
		return nil, fs.ErrPermission
	}
	return strings.FieldsFunc(string(buf[:n]), func(r rune) bool { return r == 0 }), nil
}

func attribute(f *os.File, name string) ([]byte, error) {
	buf := make([]byte, 64<<10) // the largest of Linux
	n, err := unix.Fgetxattr(int(f.Fd()), name, buf)
	if err != nil {
		return nil, fs.ErrPermission
	}
	return buf[:n], nil
}
