package workspace

import (
	"path/filepath"
	"sync"
)

// madeFolders are the folders that this session made for files, by their real
// paths: they go with the last of these.
type madeFolders struct {
	mu    sync.Mutex // guards paths
	paths map[string]bool
}

func (m *madeFolders) add(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.paths == nil {
		m.paths = map[string]bool{}
	}
	m.paths[path] = true
}

// take forgets a path; false when it was not known.
func (m *madeFolders) take(path string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.paths[path]
	delete(m.paths, path)
	return known
}

// dropMade removes a real folder, and those that it is in, if they were made
// here for files and there is nothing in them any more.
func (w *Workspace) dropMade(dir string) {
	for ; w.s.made.take(dir); dir = filepath.Dir(dir) {
		if tryAgain(func() error { return w.removeFolder(dir) }) != nil {
			if exists(dir) { // something else is in it
				w.s.made.add(dir)
			}
			return
		}
	}
}

func (w *Workspace) removeFolder(dir string) error {
	parent, err := w.openDir(filepath.Dir(dir), nil)
	if err != nil {
		return err
	}
	defer parent.Close()
	info, err := parent.Lstat(filepath.Base(dir))
	if err != nil || !info.IsDir() {
		return err
	}
	return parent.Remove(filepath.Base(dir))
}
