//go:build linux || darwin || freebsd

package main

import "golang.org/x/sys/unix"

// freeSpace is how much a user may still write on a folder's disk, in bytes.
func freeSpace(dir string) (int64, bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
