package daemon

import (
	"errors"
	"os"
	"path/filepath"
)

// notesName is a task's file for users of editors without a view of it, in the
// task's folder.
const notesName = "transcript.md"

// Note implements server.Task. The file is for reading only: nothing is ever
// taken from it, so it need not be synced.
func (t *task) Note(markdown string) (path string, err error) {
	dir := t.parts.journal.Dir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, notesName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(markdown)
	return path, errors.Join(err, f.Close())
}
