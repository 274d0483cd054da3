package workspace

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A fileFilter selects files by a glob: "*.go", "src/**/*.ts", "*.{c,h}",
// "!*.min.js". Without a slash it is held against names, else against paths,
// from where the search begins or from the workspace folder.
type fileFilter struct {
	globs  []string
	negate bool
}

func newFileFilter(glob string) (*fileFilter, error) {
	f := &fileFilter{}
	glob = strings.TrimSpace(glob)
	if glob == "" {
		return f, nil
	}
	if rest, ok := strings.CutPrefix(glob, "!"); ok {
		glob, f.negate = rest, true
	}
	for _, g := range splitGlobs(glob) {
		g = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(g), "./"), "/")
		if strings.HasSuffix(g, "/") {
			g += "**"
		}
		// The time for braces doubles with each pair.
		if g == "" || strings.Count(g, "{") > 8 || !doublestar.ValidatePattern(g) {
			return nil, fmt.Errorf("the file pattern %q is not valid; write it like *.go, src/**/*.ts or *.{c,h}", glob)
		}
		f.globs = append(f.globs, g)
	}
	return f, nil
}

// splitGlobs splits at commas that are not in braces.
func splitGlobs(s string) []string {
	var parts []string
	depth, begin := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[begin:i])
				begin = i + 1
			}
		}
	}
	return append(parts, s[begin:])
}

// takes tells whether a file is to be searched, by its path below where the
// search began, and base, where that is in the workspace.
func (f *fileFilter) takes(base, rel string) bool {
	if len(f.globs) == 0 {
		return true
	}
	for _, g := range f.globs {
		if !strings.Contains(g, "/") {
			if doublestar.MatchUnvalidated(g, path.Base(rel)) {
				return !f.negate
			}
			continue
		}
		if doublestar.MatchUnvalidated(g, rel) || base != "" && doublestar.MatchUnvalidated(g, base+"/"+rel) {
			return !f.negate
		}
	}
	return f.negate
}
