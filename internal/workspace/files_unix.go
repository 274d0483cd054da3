//go:build unix

package workspace

import (
	"fmt"
	"io/fs"
	"syscall"
)

// openNonblock keeps an open from waiting for the other side of a pipe.
const openNonblock = syscall.O_NONBLOCK

// linkCount is the number of names a file has.
func linkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// fileID is the same for all names of a file that has several, "" for others.
func fileID(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 && info.Mode().IsRegular() {
		return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
	}
	return ""
}

// copyOwner gives f the owner and group of like.
func copyOwner(f *fileHandle, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// syncDir makes a rename in dir last.
func syncDir(dir *dirHandle) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
