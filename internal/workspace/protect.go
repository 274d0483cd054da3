package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// ignoreFile is the name of the file that hides paths from the model.
const ignoreFile = ".clineignore"

// Protect adds to clined's own configuration, for all views of the session.
func (w *Workspace) Protect(paths ...string) {
	w.s.ownMu.Lock()
	defer w.s.ownMu.Unlock()
	for _, p := range paths {
		if real := realOrClean(p); !slices.Contains(w.s.own, real) {
			w.s.own = append(w.s.own, real)
		}
	}
}

// isOwn reports whether a path is clined's own configuration.
func (s *session) isOwn(path string) bool {
	s.ownMu.RLock()
	defer s.ownMu.RUnlock()
	return slices.ContainsFunc(s.own, func(own string) bool { return within(own, path) })
}

// protected says why a path is protected, "" when it is not. Both the path as
// written and where it leads count.
func (w *Workspace) protected(abs, real string) string { return w.protectedAs(abs, real, w.Hiding()) }

// protectedAs is protected with the ignore files as they are known.
func (w *Workspace) protectedAs(abs, real string, h *Hiding) string {
	for _, p := range []string{real, abs} {
		if w.s.isOwn(p) {
			return reasonOwn
		}
		if r := protectedElements(split(w.inRoot(p))); r != "" {
			return r
		}
	}
	switch {
	case h.readFrom(real):
		return reasonIgnore
	case w.inGitData(real):
		return reasonGit
	}
	return ""
}

// inGitData reports whether a real path is in what git takes for a repository's
// data, whatever its name: bare repositories, and data kept apart from its work
// tree. git looks for these three.
func (w *Workspace) inGitData(real string) bool {
	top := real[:len(real)-len(w.inRoot(real))]
	for dir := filepath.Dir(real); len(dir) >= len(top) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs")) {
			return true
		}
	}
	return false
}

// inRoot returns the part of a path below its root, so that the names of the
// folders around a workspace do not count; all of it outside.
func (w *Workspace) inRoot(path string) string {
	for _, r := range w.Roots() {
		for _, dir := range []string{r.Path, r.Real} {
			if rel, ok := below(dir, path); ok {
				return rel
			}
		}
	}
	return path[len(filepath.VolumeName(path)):]
}

// protectedElements ignores what some file systems ignore in names: case, dots
// and blanks at the end, a stream after a colon, and letters that are not seen.
func protectedElements(elements []string) string {
	last := ""
	for i, e := range elements {
		e = plainName(e)
		if r := protectedNames[e]; r != "" {
			return r
		}
		if r := protectedIn[last][e]; r != "" {
			return r
		}
		switch {
		case strings.HasSuffix(e, ".code-workspace"):
			return reasonEditor
		case slices.ContainsFunc(rulePrefixes, func(p string) bool { return strings.HasPrefix(e, p) }):
			return reasonRules
		case e == "head" && i == len(elements)-1:
			return reasonHead
		}
		last = e
	}
	return ""
}

func plainName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, ". ")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // left out by HFS+
			return -1
		}
		for next := unicode.SimpleFold(r); next < r; next = unicode.SimpleFold(r) { // as "\u017f" is an "s" for APFS
			r = next
		}
		return unicode.ToLower(r)
	}, name)
	if name == "git~1" { // the short name of .git on NTFS
		return ".git"
	}
	return name
}
