package workspace

import (
	"errors"
	"io/fs"
	"os"

	"clined/internal/tools"

	"golang.org/x/sys/unix"
)

// renameNew renames within and between folders. It fails with ErrChanged when
// something has the new name.
func renameNew(from *dirHandle, name string, to *dirHandle, newName string) error {
	a, err := from.Open(".")
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := to.Open(".")
	if err != nil {
		return err
	}
	defer b.Close()
	if err := from.fails("rename", name); err != nil {
		return err
	}
	err = unix.Renameat2(int(a.Fd()), name, int(b.Fd()), newName, unix.RENAME_NOREPLACE)
	switch {
	case errors.Is(err, fs.ErrExist):
		return tools.ErrChanged
	case err == unix.EINVAL || err == unix.ENOSYS: // a file system that knows no such rename
		return renameByName(from, name, to, newName)
	case err != nil:
		return &os.LinkError{Op: "rename", Old: name, New: newName, Err: err}
	}
	return nil
}
