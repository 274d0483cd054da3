package approval

import (
	"path"
	"slices"
	"strings"
)

// mentioned says that code of a line mentions a command that is sought: in
// another language, as the value of a variable that programs run, as an input,
// or put together of words for a shell to read. What it does is not known.
func (f finder) mentioned(l line) string {
	var texts []string
	shell := slices.ContainsFunc(l.nested, func(c simple) bool {
		return isShell(c) || slices.Contains([]string{"at", "batch", "parallel", "xargs"}, path.Base(c.name()))
	})
	codes := false
	for _, c := range l.nested {
		if gitAlias(c) && slices.ContainsFunc(f, func(p sought) bool {
			return len(p.words) > 1 && p.words[0] == "git" || strings.HasPrefix(p.glob, "git ")
		}) {
			return "this one may be an alias of git's"
		}
		runs := runsGiven(c)
		codes = codes || runs
		words := c.allWords()
		switch {
		case runs && slices.Contains(families(), path.Base(c.name())) && len(words) > 1: // not the rm of `git rm`
			texts = append(texts, words[2:]...)
		case runs, shell:
			texts = append(texts, strings.Join(words[1:], " "))
		}
	}
	if codes {
		texts = append(texts, l.inputs...)
	}
	for _, text := range append(texts, l.values...) {
		if p := f.mentionedIn(tokens(text)); p != nil {
			return "the code in this one mentions `" + strings.Join(p, " ") + "`"
		}
	}
	return ""
}

// mentionedIn returns the words of what is sought that stand among tokens.
func (f finder) mentionedIn(tokens []string) []string {
	for _, p := range f {
		words := p.words
		if p.glob != "" {
			before, _, _ := strings.Cut(p.glob, "*")
			words = strings.Fields(before)
		}
		if len(words) == 0 {
			continue
		}
		want := append([]string{path.Base(words[0])}, words[1:]...)
		for i := range tokens {
			if i+len(want) <= len(tokens) && slices.Equal(tokens[i:i+len(want)], want) {
				return want
			}
		}
	}
	return nil
}

// tokens are the names in a text.
func tokens(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("_.-+", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r < 0x80
	})
}

// copiers give programs other names.
var copiers = fields("ln cp install dd")

// runsGiven tells of a program that may run what it is given.
func runsGiven(c simple) bool {
	name := path.Base(c.name())
	if argued()[name] != nil {
		return danger(c) != ""
	}
	kind := kindOf(name)
	return kind != "" && (kind != writes || slices.Contains(carriers(), name) || slices.Contains(copiers(), name))
}
