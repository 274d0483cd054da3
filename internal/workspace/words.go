package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What a glob in a word may cost: its elements with wildcards, and how many of
// the paths it stands for are looked at.
const (
	maxGlobElements = 3
	maxGlobMatches  = 2000
)

// NamesHidden tells whether a word of a command that runs in the working
// directory names something that h hides: by itself, through a link, or as a
// glob of files.
func (w *Workspace) NamesHidden(h *Hiding, word string) bool {
	if h.Empty() {
		return false
	}
	hides := func(path string) bool {
		// Of a folder that may be named with or without its slash.
		return h.Hides(path, false) || h.Hides(path, true)
	}
	return slices.ContainsFunc(w.named(word), func(path string) bool {
		if hides(path) {
			return true
		}
		real := realOrClean(path)
		return real != path && hides(real)
	})
}

// NamesOutside tells whether such a word looks like a path in the workspace
// and leads out of it by a link.
func (w *Workspace) NamesOutside(word string) bool {
	return slices.ContainsFunc(w.named(word), func(path string) bool {
		if !slices.ContainsFunc(w.Roots(), func(r Root) bool { return within(r.Path, path) || within(r.Real, path) }) {
			return false
		}
		real, err := realPath(path)
		return err != nil || !w.inside(real)
	})
}

// named returns the paths that a word may stand for: itself and, in the
// workspace, what it matches as a glob.
func (w *Workspace) named(word string) []string {
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Cwd(), path)
	}
	path = filepath.Clean(path)
	paths := []string{path}
	wild := 0
	for _, e := range split(path) {
		if strings.ContainsAny(e, "*?[") {
			wild++
		}
	}
	if wild == 0 || wild > maxGlobElements || !slices.ContainsFunc(w.Roots(), func(r Root) bool { return within(r.Path, path) || within(r.Real, path) }) {
		return paths
	}
	if _, err := os.Lstat(path); err == nil { // a name with such characters
		return paths
	}
	found, _ := filepath.Glob(path) // a bad pattern is no glob
	return append(paths, found[:min(len(found), maxGlobMatches)]...)
}
