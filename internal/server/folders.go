package server

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"clined/internal/fileuri"
	"clined/internal/protocol"
)

// rootList is the editor's workspace folders, as paths.
type rootList struct {
	mu   sync.Mutex
	list []string
}

func (r *rootList) paths() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

func (r *rootList) set(paths []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = paths
}

// change removes and adds, and returns the new list. Folders keep their order.
func (r *rootList) change(removed, added []string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(slices.Clone(r.list), func(p string) bool { return slices.Contains(removed, p) })
	for _, p := range added {
		if !slices.Contains(r.list, p) {
			r.list = append(r.list, p)
		}
	}
	return slices.Clone(r.list)
}

// firstFolders are the folders at the start: workspaceFolders, else rootUri,
// else rootPath (LSP 3.17, initialize).
func firstFolders(p *protocol.InitializeParams) []string {
	if list := folderPaths(p.WorkspaceFolders); len(list) > 0 {
		return list
	}
	if p.RootURI != nil {
		if path, ok := fileuri.Path(*p.RootURI); ok {
			return []string{path}
		}
	}
	if p.RootPath != nil && filepath.IsAbs(*p.RootPath) {
		return []string{filepath.Clean(*p.RootPath)}
	}
	return nil
}

// folderPaths leaves out what is no folder on this machine's disks.
func folderPaths(folders []protocol.WorkspaceFolder) []string {
	var list []string
	for _, f := range folders {
		if path, ok := fileuri.Path(f.URI); ok && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}

// DidChangeWorkspaceFolders changes the folders for new tasks; a task keeps
// those it was started with.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.workspace.SetRoots(s.roots.change(folderPaths(p.Event.Removed), folderPaths(p.Event.Added)))
	return nil
}

// DidChangeConfiguration hands on what is ours.
func (s *server) DidChangeConfiguration(_ context.Context, p *protocol.DidChangeConfigurationParams) error {
	settings := section(p.Settings)
	if settings == nil {
		return nil
	}
	if err := s.session.Configure(settings); err != nil {
		s.showUser(err.Error())
	}
	return nil
}
