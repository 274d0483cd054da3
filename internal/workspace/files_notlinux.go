//go:build !linux

package workspace

// renameNew renames within and between folders. It fails with ErrChanged when
// something has the new name.
func renameNew(from *dirHandle, name string, to *dirHandle, newName string) error {
	return renameByName(from, name, to, newName)
}
