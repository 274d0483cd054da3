package approval

import (
	"path"
	"slices"
	"strings"
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
