package approval

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxPlaces bounds the places of a line: each change of directory may lead on
// from all that come before it.
const maxPlaces = 32

// places are the directories, as far as they are written out, that words may
// be relative to: where the command runs, "", and where each cd leads from there
// and from the targets of those before it.
func (l line) places() []string {
	list, _ := l.leads()
	return list
}

// walkPlaces are the places of what goes through folders: where a line is nothing
// but one cd and what only reads behind it, not where the line begins.
func (l line) walkPlaces() []string {
	places := l.places()
	if !l.behindCd || l.tangled != "" || len(places) != 2 || l.strays() {
		return places
	}
	changes := 0
	for _, c := range l.nested {
		if _, ok := c.goesTo(); ok {
			changes++
		}
		if !readOnly(c) { // a cd to where the shell was before is not, either
			return places
		}
	}
	if changes != 1 {
		return places
	}
	return places[1:]
}

// beginsWithCd tells of a statement that is a list by "&&" whose first command is
// a cd and nothing else, such as a substitution, which would run before it.
func beginsWithCd(s *syntax.Stmt) bool {
	if s.Background || s.Coprocess || s.Disown || s.Negated {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && beginsWithCd(c.X)
	case *syntax.CallExpr:
		return len(s.Redirs) == 0 && len(c.Assigns) == 0 && len(c.Args) == 2 && c.Args[0].Lit() == "cd" && isText(c.Args[1].Parts)
	}
	return false
}

// isText tells of parts that are written out, so that nothing runs for them.
func isText(parts []syntax.WordPart) bool {
	return !slices.ContainsFunc(parts, func(part syntax.WordPart) bool {
		switch p := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
			return false
		case *syntax.DblQuoted:
			return !isText(p.Parts)
		}
		return true
	})
}

// strays tells whether a cd may lead to where places does not tell.
func (l line) strays() bool {
	_, all := l.leads()
	return !all
}

func (l line) leads() (list []string, all bool) {
	list, all = []string{""}, true
	for _, c := range l.nested {
		to, ok := c.goesTo()
		if !ok {
			continue
		}
		all = all && !to.variable
		for _, at := range list {
			next := place(at, to.text)
			switch {
			case to.text == "" || slices.Contains(list, next):
			case len(list) == maxPlaces:
				return list, false
			default:
				list = append(list, next)
			}
		}
	}
	return list, all
}

// goesTo is the target of a change of directory, without text where it is none of
// the line's words: home, or where the shell was before.
func (c simple) goesTo() (to word, ok bool) {
	if !slices.Contains(directoryChanges(), c.name()) {
		return word{}, false
	}
	for _, w := range c.words[1:] {
		if w.variable || !strings.HasPrefix(w.text, "-") {
			to = w
		}
	}
	return to, true
}

var directoryChanges = fields("cd pushd popd chdir")

func place(at, word string) string {
	if at == "" || path.IsAbs(word) {
		return word
	}
	return at + "/" + word
}
