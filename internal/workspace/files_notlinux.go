//go:build !linux

package workspace

import "os"

// renameNew renames within and between folders. It fails with ErrChanged when
// something has the new name.
func renameNew(from *os.Root, name string, to *os.Root, newName string) error {
	return renameByName(from, name, to, newName)
}
