// Package ignore owns the gitignore syntax: which paths a set of patterns
// leaves out, and which ignore files of a repository hold in a directory. It
// answers as git does (gitignore(5), proven against git check-ignore).
//
// It never lists directories, follows links or changes anything, and knows
// nothing of sessions. workspace uses it, for .gitignore and .clineignore.
package ignore

import (
	"slices"
	"strings"
)

// Matcher holds the compiled patterns of one ignore file. It does not change
// and may be used by several goroutines. The zero value ignores nothing.
type Matcher struct {
	// Files are those that LoadFile read or would have read.
	Files []string

	patterns []pattern
	// Patterns without wildcards are found by the last element of a path or by
	// the whole path; globs holds the others. Indices rise: the last pattern of
	// the file that matches decides.
	byName, byPath map[string][]int
	globs          []int
	fold           bool
}

// Options change how patterns are read.
type Options struct {
	// FoldCase makes ASCII letters match in either case, as git does with
	// core.ignoreCase.
	FoldCase bool
}

// Parse compiles the text of an ignore file. Every text is valid: a line that
// git would not understand matches nothing.
func Parse(text string, o Options) *Matcher {
	m := &Matcher{byName: map[string][]int{}, byPath: map[string][]int{}, fold: o.FoldCase}
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		m.addLine(strings.TrimSuffix(line, "\r"))
	}
	return m
}

func (m *Matcher) addLine(line string) {
	p, ok := parseLine(line, m.fold)
	if !ok {
		return
	}
	i := len(m.patterns)
	m.patterns = append(m.patterns, p)
	switch {
	case p.glob != nil:
		m.globs = append(m.globs, i)
	case p.nameOnly:
		m.byName[p.literal] = append(m.byName[p.literal], i)
	default:
		m.byPath[p.literal] = append(m.byPath[p.literal], i)
	}
}

// Match tells whether path is ignored, either itself or for a parent that is.
// path is relative to the folder the patterns are for, with slashes.
func (m *Matcher) Match(path string, isDir bool) bool {
	path = strings.Trim(path, "/")
	if m == nil || path == "" || path == "." {
		return false
	}
	for i := range len(path) {
		if path[i] == '/' && m.decide(path[:i], true) == ignored {
			return true
		}
	}
	return m.decide(path, isDir) == ignored
}

// Empty tells whether there is no pattern at all.
func (m *Matcher) Empty() bool { return m == nil || len(m.patterns) == 0 }

// A decision is what one file's patterns say of a path, parents aside.
type decision int

const (
	undecided decision = iota
	ignored
	included
)

func (m *Matcher) decide(path string, isDir bool) decision {
	if len(m.patterns) == 0 {
		return undecided
	}
	if m.fold {
		path = lower(path)
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	best := max(m.last(m.byName[name], isDir), m.last(m.byPath[path], isDir))
	for _, i := range slices.Backward(m.globs) {
		if i <= best {
			break
		}
		p := &m.patterns[i]
		if p.dirOnly && !isDir {
			continue
		}
		subject := path
		if p.nameOnly {
			subject = name
		}
		if p.glob.match(subject) {
			best = i
			break
		}
	}
	switch {
	case best < 0:
		return undecided
	case m.patterns[best].negated:
		return included
	}
	return ignored
}

// last returns the last of the pattern indices that holds for the kind of
// path, or -1.
func (m *Matcher) last(indices []int, isDir bool) int {
	for i := len(indices) - 1; i >= 0; i-- {
		if isDir || !m.patterns[indices[i]].dirOnly {
			return indices[i]
		}
	}
	return -1
}

// lower folds ASCII letters only, as git does.
func lower(s string) string {
	for i := range len(s) {
		if lowerByte(s[i]) != s[i] {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}
