package ignore

import "strings"

// A pattern is one line of an ignore file.
type pattern struct {
	negated, dirOnly bool
	// nameOnly patterns have no slash before their end and are held against the
	// last element of a path, at any depth.
	nameOnly bool
	// literal is the pattern when it has no wildcard; else glob is set.
	literal string
	glob    *glob
}

// parseLine reads a line without its end. ok is false for blank lines,
// comments, and patterns that can never match.
func parseLine(line string, fold bool) (p pattern, ok bool) {
	// git keeps patterns as C strings.
	line, _, _ = strings.Cut(line, "\x00")
	if strings.HasPrefix(line, "#") {
		return p, false
	}
	line = trimTrailingSpaces(line)
	if line, p.negated = strings.CutPrefix(line, "!"); line == "" {
		return p, false
	}
	// One slash only: "a//" is the directory-only form of "a/".
	line, p.dirOnly = strings.CutSuffix(line, "/")
	p.nameOnly = !strings.Contains(line, "/")
	if !p.nameOnly {
		line = strings.TrimPrefix(line, "/")
	}
	if line == "" {
		return p, false
	}
	if !strings.ContainsAny(line, `*?[\`) {
		if p.literal = line; fold {
			p.literal = lower(line)
		}
		return p, true
	}
	p.glob, ok = compileGlob(line, p.nameOnly, fold)
	return p, ok
}

// trimTrailingSpaces drops blanks at the end (not tabs), up to one that a
// backslash keeps.
func trimTrailingSpaces(s string) string {
	end := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if end < 0 {
				end = i
			}
			continue
		case '\\':
			i++
			if i == len(s) {
				return s
			}
		}
		end = -1
	}
	if end >= 0 {
		return s[:end]
	}
	return s
}
