package workspace

import (
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"clined/internal/ignore"
	"clined/internal/tools"

	"golang.org/x/text/unicode/norm"
)

// Hiding is what the roots' ignore files hide, as they were when it was made.
// Paths outside of the roots are never hidden.
type Hiding struct {
	roots []Root
	rules []rules
}

// rules are those of one root. Where case does not matter to most file systems a
// pattern hides in any case; read exactly as well, since patterns that ignore
// case match less here and there, as with git.
type rules []*ignore.Matcher

func (r rules) empty() bool {
	return !slices.ContainsFunc(r, func(m *ignore.Matcher) bool { return !m.Empty() })
}

// hide also takes the ways in which accents may be written for the same.
func (r rules) hide(rel string, isDir bool) bool {
	paths := []string{filepath.ToSlash(rel)}
	if !isASCII(rel) {
		paths = append(paths, norm.NFC.String(paths[0]), norm.NFD.String(paths[0]))
	}
	return slices.ContainsFunc(r, func(m *ignore.Matcher) bool {
		return slices.ContainsFunc(paths, func(path string) bool { return m.Match(path, isDir) })
	})
}

// Hiding reads the ignore files. They are read anew each time, includes and
// all: a rule that the user just wrote holds at once. Who asks about many
// paths keeps the answer for as long as one operation lasts.
func (w *Workspace) Hiding() *Hiding {
	h := &Hiding{roots: w.Roots()}
	for _, r := range h.roots {
		path := filepath.Join(r.Real, ignoreFile)
		m, err := ignore.LoadFile(path, ignore.Options{})
		hides := rules{m}
		if runtime.GOOS != "linux" && !m.Empty() {
			folded, _ := ignore.LoadFile(path, ignore.Options{FoldCase: true}) // fails as before
			hides = append(hides, folded)
		}
		w.s.faults.tell(w.s.opts.Log, path, err)
		h.rules = append(h.rules, hides)
	}
	return h
}

// ruleFaults are what was wrong with ignore files when last read.
type ruleFaults struct {
	mu   sync.Mutex
	told map[string]string
}

// tell logs a fault once, not with each of the many looks at a file.
func (f *ruleFaults) tell(log *slog.Logger, path string, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.told[path] == text {
		return
	}
	if f.told == nil {
		f.told = map[string]string{}
	}
	if f.told[path] = text; err != nil {
		log.Warn("the ignore file is only partly read; what is there and cannot be read hides everything", "path", path, "err", err)
	}
}

// Empty reports whether nothing at all is hidden.
func (h *Hiding) Empty() bool {
	return !slices.ContainsFunc(h.rules, func(r rules) bool { return !r.empty() })
}

// Hides tells whether a clean absolute path is hidden. It follows no links:
// for a path that may hold some, ask about where it leads as well.
func (h *Hiding) Hides(path string, isDir bool) bool {
	for i, r := range h.roots {
		if h.rules[i].empty() {
			continue
		}
		for _, dir := range []string{r.Path, r.Real} {
			if rel, ok := below(dir, path); ok && rel != "." && h.rules[i].hide(rel, isDir) {
				return true
			}
		}
	}
	return false
}

// readFrom reports whether an ignore file or one that it includes is at a real
// path.
func (h *Hiding) readFrom(real string) bool {
	return slices.ContainsFunc(h.rules, func(r rules) bool {
		return slices.ContainsFunc(r, func(m *ignore.Matcher) bool {
			return slices.ContainsFunc(m.Files, func(file string) bool { return realOrClean(file) == real })
		})
	})
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
