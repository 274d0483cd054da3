package approval

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"clined/internal/tools"
)

// judgeNames says why a line asks for the files it names, whatever its commands
// are: those of rules, those that are hidden, folders that hold such, and what it may change that is
// protected; "" when it names none. denied is set for those of rules that deny.
// in is the line that it stands in, or itself.
func (p Policy) judgeNames(who string, l, in line, dir string) (why string, denied bool) {
	places := in.places()
	if why = p.ruledWord(Deny, who, l, places, dir); why != "" {
		return why, true
	}
	if w := p.hiddenWord(l.words, places); w != "" {
		return p.namesHidden(who, w, places), false
	}
	if why = p.walksHidden(who, l, in.walkPlaces()); why != "" {
		return why, false
	}
	return cmp.Or(p.ruledWord(Ask, who, l, places, dir), p.protectedWord(who, l, places), p.configuresGit(who, l)), false
}

// hiddenWord returns a word that names a hidden file, also in code that is a
// word, behind a revision ("HEAD:x") or from where a cd leads.
func (p Policy) hiddenWord(words, places []string) string {
	if p.Hidden == nil {
		return ""
	}
	for _, v := range namesIn(words) {
		if p.climbsUnseen(v) || slices.ContainsFunc(places, func(at string) bool { return p.Hidden(place(at, v)) }) {
			return v
		}
	}
	return ""
}

// climbsUnseen tells of a word that may go up from where a link leads, but for an
// absolute one of which that is known.
func (p Policy) climbsUnseen(word string) bool {
	if !climbs(word) || !path.IsAbs(word) || p.Paths == nil {
		return climbs(word)
	}
	paths, all := p.Paths(word)
	return !all || slices.ContainsFunc(paths, p.Hidden)
}

func (p Policy) namesHidden(who, word string, places []string) string {
	if climbs(word) {
		return fmt.Sprintf("%s names %q, which may lead to what the ignore file hides.", who, word)
	}
	if p.HiddenAs != nil {
		for _, at := range places {
			if found := p.HiddenAs(place(at, word)); found != "" {
				return fmt.Sprintf("%s names %q by %q, which the ignore file hides.", who, found, word)
			}
		}
	}
	return fmt.Sprintf("%s names %q, which the ignore file hides.", who, word)
}

// namesIn are the texts that may be names of files, each once.
func namesIn(words []string) []string {
	var names []string // the words first: what code holds is less certain
	for _, w := range words {
		names = append(names, pathsIn(w)...)
	}
	for _, w := range words {
		names = append(names, strings.FieldsFunc(w, splitsNames)...)
	}
	return appendNew([]string{}, slices.DeleteFunc(names, func(s string) bool { return s == "" }))
}

// ruledWord words that the line names a file that a rule on reading or editing
// does not let through, or may do so: what a command does to it is not known.
func (p Policy) ruledWord(v Verdict, who string, l line, places []string, dir string) string {
	var rules []Rule
	for _, r := range slices.Concat(p.with(tools.Read, v), p.with(tools.Edit, v)) {
		if len(r.Paths) > 0 {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return ""
	}
	l, unclear := codeOf(l, 0)
	for _, name := range namesIn(l.words) {
		for _, at := range places {
			paths, all := p.pathsOf(place(at, name), dir)
			for _, path := range paths {
				if r := p.ruling(rules, v, path); r != nil {
					return fmt.Sprintf("%s names %q. %s", who, name, r.says())
				}
			}
			if !all {
				unclear = cmp.Or(unclear, "which files `"+clip(name)+"` stands for is not known")
			}
		}
	}
	if unclear == "" {
		return ""
	}
	return "Rules " + map[Verdict]string{Deny: "deny", Ask: "ask before"}[v] + " the use of some files, and " + unclear + "."
}

// ruling is the first of the rules on files of a verdict that covers a path, nil
// when there is none.
func (p Policy) ruling(rules []Rule, v Verdict, path string) *Rule {
	key := string(v) + " " + path
	if r, ok := p.noted.ruled[key]; ok {
		return r
	}
	var found *Rule
	if i := slices.IndexFunc(rules, func(r Rule) bool { return p.coversPath(r, r.Kind, tools.Path{Real: path}) }); i >= 0 {
		found = &rules[i]
	}
	if p.noted.ruled != nil {
		p.noted.ruled[key] = found
	}
	return found
}

// pathsOf are the absolute paths that a word of a command may stand for; all is
// false when there may be others.
func (p Policy) pathsOf(name, dir string) (paths []string, all bool) {
	switch name = p.atHome(name); {
	case strings.HasPrefix(name, "~"): // of another user, or a folder that the shell remembers
		return nil, false
	case !path.IsAbs(name):
		name = dir + "/" + name
	}
	if p.Paths == nil {
		return []string{path.Clean(name)}, true
	}
	return p.Paths(name)
}

// atHome writes out the user's home folder.
func (p Policy) atHome(name string) string {
	if rest, ok := strings.CutPrefix(name, "~"); ok && p.Home != "" && (rest == "" || rest[0] == '/') {
		return p.Home + rest
	}
	return name
}

// codeOf adds to a line the words of code that shells in it are given. unclear
// says why what they name cannot be told.
func codeOf(l line, depth int) (all line, unclear string) {
	switch {
	case l.unread:
		return l, "this command cannot be read"
	case l.unsettled != "":
		unclear = "what `" + clip(l.unsettled) + "` stands for is known only when it runs"
	case l.fedUnsettled && slices.ContainsFunc(l.nested, isShell):
		unclear = "what its shell is fed is known only when it runs"
	}
	all = l
	all.words = slices.Clone(l.words)
	for _, code := range l.code() {
		switch {
		case !strings.ContainsAny(code, " \t\n;|&<>"):
		case depth == maxNested:
			unclear = cmp.Or(unclear, "this command is too deeply nested to be read")
		default:
			inner, why := codeOf(parseLine(code), depth+1)
			all.words = appendNew(all.words, inner.words)
			unclear = cmp.Or(unclear, why)
		}
	}
	return all, unclear
}

// clip shortens what may be long to what can be shown in a sentence.
func clip(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// code are the texts that commands of the line may run as lines: their words,
// and all of it where they may get these from others.
func (l line) code() (texts []string) {
	for _, c := range l.nested {
		if _, lines := carries(c); !lines || danger(c) == "" {
			continue
		}
		if c.piped || isShell(c) {
			return append(slices.Clone(l.inputs), l.words...)
		}
		texts = append(texts, c.allWords()[1:]...)
	}
	return texts
}

// protectedWord words that the line may change a file that is protected.
func (p Policy) protectedWord(who string, l line, places []string) string {
	if p.Protected == nil {
		return ""
	}
	for _, name := range append(namesIn(l.changed()), l.filled(places)...) {
		for _, at := range places {
			if why := p.Protected(p.atHome(place(at, name))); why != "" {
				for _, dir := range []string{"~", "."} { // as it is known to begin, see beginsAt
					if written := dir + name; strings.HasPrefix(name, "/") && slices.Contains(l.words, written) && p.Protected(p.atHome(written)) != "" {
						name = written
					}
				}
				return fmt.Sprintf("%s may change %q, which is protected: %s.", who, name, why)
			}
		}
	}
	return ""
}

// changed are the words among which are the files that the line may change: the
// targets of redirections, and the words of commands that are not known only to
// read those. Where such a command takes its words from elsewhere, all words
// count that may name files.
func (l line) changed() []string {
	words, all := slices.Clone(l.outputs), l.unread
	for _, c := range l.nested {
		if keepsNamed(c) {
			continue
		}
		words = append(words, c.mayChange()...)
		name := path.Base(c.name())
		if slices.Contains(interpreters(), strings.TrimRight(name, "0123456789.")) {
			words = slices.Concat(words, l.inputs, l.values)
		}
		all = all || l.pipes && c.piped && (kindOf(name) == runsCode || kindOf(name) == runsOther) ||
			slices.ContainsFunc(c.words, func(w word) bool { return w.variable })
	}
	if strings.Contains(l.source, "$_") || strings.Contains(l.source, "${_") { // which may be a program's name
		all, l.given = true, l.words
	}
	if all || slices.Contains(words, "") {
		words = slices.Concat(words, l.given, l.values)
	}
	return words
}

// interpreters run code that is fed in.
var interpreters = fields(shells + " " + languages)

// keepsNamed tells of a command that changes none of the files it names. Those
// of git are the words of revisions, remotes and messages, too.
func keepsNamed(c simple) bool {
	if readOnly(c) {
		return true
	}
	if c.name() != "git" {
		return false
	}
	a, ok := gitSkip(args(c.words[1:]))
	return ok && slices.Contains(gitKeeps(), a.sub()) && !a.long("output", "exec", "template")
}

var gitKeeps = fields("add commit push fetch ls-remote branch tag stage rebase merge reset cherry-pick revert")

func splitsNames(r rune) bool { return strings.ContainsRune(" \t\n;|&<>(){}\"'`$=:,", r) }
