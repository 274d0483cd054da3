package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What globs in words may cost: how many are expanded in all, the elements of
// one with wildcards, and how many of the paths it stands for are looked at.
const (
	maxGlobs        = 200
	maxGlobElements = 3
	maxGlobMatches  = 2000
)

// Words tells what the words of one command lead to that runs in the working
// directory. It is for one goroutine.
type Words struct {
	w     *Workspace
	h     *Hiding
	globs int // expanded so far
}

// Words returns what judges the words of a command as things are now.
func (w *Workspace) Words() *Words { return &Words{w: w, h: w.Hiding()} }

// HidesAny reports whether any word could be hidden.
func (ws *Words) HidesAny() bool { return !ws.h.Empty() }

// Hidden tells whether a word names something that the ignore file hides: by
// itself, through a link, or as a glob of files.
func (ws *Words) Hidden(word string) bool {
	if ws.h.Empty() {
		return false
	}
	hides := func(path string) bool {
		// Of a folder that may be named with or without its slash.
		return ws.h.Hides(path, false) || ws.h.Hides(path, true)
	}
	return slices.ContainsFunc(ws.named(word), func(path string) bool {
		if hides(path) {
			return true
		}
		real := realOrClean(path)
		return real != path && hides(real)
	})
}

// Outside tells whether a word looks like a path in the workspace and leads out
// of it by a link.
func (ws *Words) Outside(word string) bool {
	return slices.ContainsFunc(ws.named(word), func(path string) bool {
		if !ws.below(path) {
			return false
		}
		real, err := realPath(path)
		return err != nil || !ws.w.inside(real)
	})
}

// below goes by the text of a path.
func (ws *Words) below(path string) bool {
	return slices.ContainsFunc(ws.w.Roots(), func(r Root) bool { return within(r.Path, path) || within(r.Real, path) })
}

// named returns the paths that a word may stand for: itself and, in the
// workspace, what it matches as a glob.
func (ws *Words) named(word string) []string {
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(ws.w.Cwd(), path)
	}
	path = filepath.Clean(path)
	paths := []string{path}
	wild := 0
	for _, e := range split(path) {
		if strings.ContainsAny(e, "*?[") {
			wild++
		}
	}
	if wild == 0 || wild > maxGlobElements || ws.globs == maxGlobs || !ws.below(path) {
		return paths
	}
	if _, err := os.Lstat(path); err == nil { // a name with such characters
		return paths
	}
	ws.globs++
	found, _ := filepath.Glob(path) // a bad pattern is no glob
	return append(paths, found[:min(len(found), maxGlobMatches)]...)
}
