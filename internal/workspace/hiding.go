package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"clined/internal/ignore"
	"clined/internal/tools"
)

// Hiding is what the roots' ignore files hide, as they were when it was made.
// Paths outside of the roots are never hidden.
type Hiding struct {
	roots []Root
	match []*ignore.Matcher
}

// Hiding reads the ignore files. They are read anew each time, includes and
// all: a rule that the user just wrote holds at once. Who asks about many
// paths keeps the answer for as long as one operation lasts.
func (w *Workspace) Hiding() *Hiding {
	h := &Hiding{roots: w.Roots()}
	for _, r := range h.roots {
		path := filepath.Join(r.Real, ignoreFile)
		m, err := ignore.LoadFile(path, ignore.Options{FoldCase: runtime.GOOS != "linux"})
		if err != nil {
			w.s.opts.Log.Warn("ignore file is only partly read", "path", path, "err", err)
		}
		h.match = append(h.match, m)
	}
	return h
}

// Empty reports whether nothing at all is hidden.
func (h *Hiding) Empty() bool {
	return !slices.ContainsFunc(h.match, func(m *ignore.Matcher) bool { return !m.Empty() })
}

// Hides tells whether a clean absolute path is hidden. It follows no links:
// for a path that may hold some, ask about where it leads as well.
func (h *Hiding) Hides(path string, isDir bool) bool {
	for i, r := range h.roots {
		if h.match[i].Empty() {
			continue
		}
		for _, dir := range []string{r.Path, r.Real} {
			if rel, ok := below(dir, path); ok && rel != "." && h.match[i].Match(filepath.ToSlash(rel), isDir) {
				return true
			}
		}
	}
	return false
}

// HidesPath tells whether a resolved path is hidden, by its name or by where
// it leads.
func (h *Hiding) HidesPath(p tools.Path) bool {
	isDir := func(path string) bool {
		info, err := os.Lstat(path)
		return err == nil && info.IsDir()
	}
	return h.Hides(p.Real, isDir(p.Real)) || (p.Abs != p.Real && h.Hides(p.Abs, isDir(p.Real)))
}
