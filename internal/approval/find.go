package approval

import (
	"path"
	"slices"
	"strings"
)

// finder looks for the commands that its rules cover. Where it cannot tell it
// says so: a rule that denies must not be lost in what nobody can read.
type finder []sought

// sought is the beginning of commands, or a whole one.
type sought struct {
	words []string
	whole bool
	// glob, instead, is a pattern of whole commands.
	glob string
	rule *Rule
}

func newFinder(rules []Rule) (f finder) {
	for i := range rules {
		for _, words := range rules[i].Commands {
			f = append(f, sought{words: words, rule: &rules[i]})
		}
		for _, glob := range rules[i].globs {
			f = append(f, sought{glob: glob, rule: &rules[i]})
		}
		for _, words := range rules[i].Exact {
			f = append(f, sought{words: words, whole: true, rule: &rules[i]})
		}
	}
	return f
}

// maxNested is how deep code may stand in words of code.
const maxNested = 6

// in returns the first rule that covers a command of the line, wherever it
// stands: in substitutions, behind programs that run others, in code that
// is a word or an input of a shell, under a path, quoted, or with options in
// between. unsure says why there may be one.
func (f finder) in(l line, depth int) (found *Rule, unsure string) {
	if len(f) == 0 {
		return nil, ""
	}
	if l.unread && depth == 0 {
		unsure = "this one cannot be read"
	}
	if unsure == "" {
		unsure = f.differing(l, depth)
	}
	if unsure == "" {
		unsure = l.fed()
	}
	for _, c := range l.nested {
		p, why := f.command(c, depth)
		if p != nil {
			return p, ""
		}
		if unsure == "" {
			unsure = why
		}
	}
	if unsure == "" {
		unsure = f.mentioned(l)
	}
	if !slices.ContainsFunc(l.nested, isShell) {
		return nil, unsure
	}
	for _, code := range append(slices.Clone(l.inputs), l.words...) {
		p, why := f.code(code, depth)
		if p != nil {
			return p, ""
		}
		if unsure == "" {
			unsure = why
		}
	}
	return nil, unsure
}

// command looks at one command and at what it runs.
func (f finder) command(c simple, depth int) (found *Rule, unsure string) {
	if len(c.spread) > 0 {
		if rule, _ := f.command(simple{words: c.spread}, depth); rule != nil {
			return rule, ""
		}
	}
	texts := c.allWords()
	rule, unclear := f.passedOn(c)
	switch {
	case rule != nil:
		return rule, ""
	case unclear || !c.words[0].fixed:
		unsure = "which program this one runs is known only when it runs"
	}
	if unsure == "" {
		unsure = f.unknown(c)
	}
	words, lines := carries(c)
	if unsure == "" && words && runsUnknown(c) {
		unsure = "which program this one runs is known only when it runs"
	}
	for i := range texts {
		if i > 0 && !words && !lines {
			break
		}
		if i == 0 || words && !(i == 1 && slices.Contains(families(), path.Base(texts[0]))) { // not the rm of `git rm`
			if rule := f.at(texts[i:]); rule != nil {
				return rule, ""
			}
		}
		if i == 0 {
			continue
		}
		for k, code := range pathsIn(texts[i]) {
			code = strings.TrimLeft(code, "! ") // as an alias of git
			if rule := f.at([]string{code}); rule != nil && k > 0 && words {
				return rule, ""
			}
			p, why := f.code(code, depth)
			if p != nil {
				return p, ""
			}
			if why != "" && words && !slices.Contains(carriers(), path.Base(texts[0])) { // elsewhere it may mean anything
				unsure = why
			}
		}
	}
	return nil, unsure
}

// at returns the rule that covers the command in words.
func (f finder) at(texts []string) *Rule {
	for _, as := range forms(texts) {
		for _, p := range f {
			if p.begins(as) {
				return p.rule
			}
		}
	}
	return nil
}

// code looks at a word that may be a line of code.
func (f finder) code(text string, depth int) (found *Rule, unsure string) {
	switch {
	case !strings.ContainsAny(text, " \t\n;|&"):
		return nil, ""
	case depth == maxNested:
		return nil, "this one is too deeply nested to be read"
	}
	return f.in(parseLine(text), depth+1)
}

func isShell(c simple) bool {
	return slices.Contains(shellNames(), path.Base(c.name()))
}

// carriers run what some of their arguments name.
var carriers = fields("find fd fdfind tar bsdtar rsync zip split sort rg ag git go cargo docker dotnet kubectl command")

// carries tells whether a program's arguments may be a command in words, or
// whole lines of code.
func carries(c simple) (words, lines bool) {
	name := path.Base(c.name())
	kind := kindOf(name)
	switch {
	case kind == runsOther, kind == remote, isShell(c):
		return true, true
	case slices.Contains(carriers(), name):
		runs := argued()[name] == nil || danger(c) != ""
		return runs, runs
	}
	return false, kind == runsCode || kind == shellSets
}

// begins matches generously: the program by its last path element, whatever the
// case, the other words with options and their values skipped.
func (p sought) begins(texts []string) bool {
	if p.glob != "" {
		return p.matches(texts)
	}
	name, rest := programOf(texts)
	if len(p.words) == 0 || name != strings.ToLower(path.Base(p.words[0])) {
		return false
	}
	want, value := p.words[1:], false // value: the next word may belong to an option
	for _, t := range rest {
		switch {
		case len(want) == 0 && !p.whole:
			return true
		case len(want) > 0 && (t == want[0] || name == "npm" && shortens(t, want[0])):
			want, value = want[1:], false
		case strings.HasPrefix(t, "-"):
			value = !strings.Contains(t, "=")
		case value:
			value = false
		default:
			return false
		}
	}
	return len(want) == 0
}
