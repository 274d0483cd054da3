package approval

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"clined/internal/tools"
)

// coversPath tells whether the rule is about touching p. To allow, where the
// path really leads must match; to ask or deny, any of its names does, in any
// case, and so does a folder that it is in.
func (p Policy) coversPath(r Rule, kind tools.Kind, at tools.Path) bool {
	if r.Kind != kind || kind != tools.Read && kind != tools.Edit || r.Inside && at.Outside {
		return false
	}
	if len(r.Paths) == 0 {
		return true
	}
	if r.verdict() == Allow {
		return slices.ContainsFunc(r.Paths, func(glob string) bool { return p.pathMatches(glob, filepath.ToSlash(at.Real), false) })
	}
	for _, name := range []string{at.Real, at.Abs, at.Display} {
		for name = filepath.ToSlash(name); name != "" && name != "/" && name != "."; name = path.Dir(name) {
			if slices.ContainsFunc(r.Paths, func(glob string) bool { return p.pathMatches(glob, name, true) }) {
				return true
			}
		}
	}
	return false
}

// pathMatches holds a glob against an absolute path. wide ignores case, and
// takes globs without a slash outside of the workspace too.
func (p Policy) pathMatches(glob, name string, wide bool) bool {
	if wide {
		glob, name = strings.ToLower(glob), strings.ToLower(name)
	}
	if !validGlob(glob) {
		return wide // what is not understood allows nothing
	}
	match := func(glob, name string) bool {
		return glob != "" && name != "" && doublestar.MatchUnvalidated(glob, name)
	}
	glob = strings.TrimPrefix(glob, "./")
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	if rest, ok := strings.CutPrefix(glob, "~/"); ok {
		below, in := under(p.Home, name, wide)
		return in && match(rest, below)
	}
	if strings.HasPrefix(glob, "/") || len(glob) > 2 && glob[1] == ':' {
		return match(glob, name)
	}
	if wide && !strings.Contains(glob, "/") {
		return match(glob, path.Base(name))
	}
	if wide && !strings.HasPrefix(name, "/") { // as it is displayed
		return match(glob, name)
	}
	return slices.ContainsFunc(p.Roots, func(root string) bool {
		below, in := under(root, name, wide)
		if !strings.Contains(glob, "/") {
			below = path.Base(below)
		}
		return in && match(glob, below)
	})
}

// under returns a path relative to a folder that it is below.
func under(dir, name string, wide bool) (below string, ok bool) {
	if dir == "" {
		return "", false
	}
	dir = strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
	if wide {
		dir = strings.ToLower(dir)
	}
	return strings.CutPrefix(name, dir)
}

// validGlob bounds braces: the time for them doubles with each pair.
func validGlob(glob string) bool {
	return glob != "" && strings.Count(glob, "{") <= 8 && doublestar.ValidatePattern(glob)
}
