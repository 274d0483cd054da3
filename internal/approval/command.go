package approval

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"clined/internal/tools"
)

// judgeCommand judges a command line: deny, plan mode, the user's ask, hidden
// files, then whether each simple command in it is allowed.
func (p Policy) judgeCommand(s tools.Subject, mode tools.Mode) Judgement {
	l := parseLine(s.Command)
	if prefix := p.names(p.Deny, l, 0); prefix != nil {
		return Judgement{Verdict: Deny, Reason: fmt.Sprintf("The user's settings deny commands that start with `%s`.", joinWords(prefix))}
	}
	if mode == tools.Plan {
		if why := l.changes(); why != "" {
			return planDenies("only commands known to read can be run, and not this one (" + why + ")")
		}
	}
	if prefix := p.names(p.Ask, l, 0); prefix != nil {
		return ask(fmt.Sprintf("The settings ask before commands that start with `%s`.", joinWords(prefix)))
	}
	if w := p.hiddenWord(l); w != "" {
		return ask(fmt.Sprintf("The command names %q, which the ignore file hides.", w))
	}
	guarded := len(p.Ask)+len(p.Deny) > 0 || p.Hidden != nil
	if p.Command == AllCommands && !(l.unread && guarded) {
		return Judgement{Verdict: Allow, Rule: "autoApprove.command"}
	}
	if l.odd != "" {
		return ask(l.odd)
	}
	return p.judgeParts(s, l)
}

// judgeParts judges a line that consists of simple commands alone.
func (p Policy) judgeParts(s tools.Subject, l line) Judgement {
	var rules []string
	var missing [][]string
	asks, offer := "", true
	for i, c := range l.commands {
		rule, why := p.judgePart(s, l, i)
		switch {
		case rule != "":
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
			continue
		case asks == "" || why != asksFirst:
			asks = why
		}
		prefix := suggest(c)
		offer = offer && why == asksFirst && prefix != nil
		if !slices.ContainsFunc(missing, func(m []string) bool { return slices.Equal(m, prefix) }) {
			missing = append(missing, prefix)
		}
	}
	if asks == "" {
		return Judgement{Verdict: Allow, Rule: strings.Join(rules, ", ")}
	}
	j := ask(asks)
	if offer {
		j.Offer = &Rule{Scope: TaskScope, Kind: tools.Command, Commands: missing}
	}
	return j
}

const asksFirst = "Running commands asks first."

// judgePart returns the rule that allows one simple command, or why it asks.
func (p Policy) judgePart(s tools.Subject, l line, i int) (rule, why string) {
	c := l.commands[i]
	if c.words[0].text == "git" && l.moves(i) {
		return "", "`git` after a change of directory would follow the configuration it finds there."
	}
	bad := danger(c)
	for _, prefix := range p.Allow {
		// What reads code from a pipe is more than its words.
		if equalWords(c.words, prefix) && !(bad != "" && c.piped) {
			return "permissions.allow `" + joinWords(prefix) + "`", ""
		}
	}
	if bad != "" {
		return "", bad
	}
	for _, prefix := range p.Allow {
		if hasPrefix(c.words, prefix) {
			return "permissions.allow `" + joinWords(prefix) + "`", ""
		}
	}
	for _, r := range p.Rules {
		if r.Kind == tools.Command && slices.ContainsFunc(r.Commands, func(prefix []string) bool { return hasPrefix(c.words, prefix) }) {
			return r.name(), ""
		}
	}
	if p.Command != SafeCommands {
		return "", asksFirst
	}
	switch {
	case !readOnly(c, !l.moves(i)):
		return "", asksFirst
	case s.WantsApproval:
		return "", "The model asks for a look at this command."
	}
	if w := leaves(c, s.Cwd, l.moves(i)); w != "" {
		return "", fmt.Sprintf("The command may read outside the workspace: %s.", w)
	}
	return "autoApprove.command (safe)", ""
}

// changes says why a line is not known only to read; "" when it is.
func (l line) changes() string {
	if l.odd != "" {
		return strings.TrimSuffix(l.odd, ".")
	}
	for i, c := range l.commands {
		if why := danger(c); why != "" {
			return strings.TrimSuffix(why, ".")
		}
		if !readOnly(c, !l.moves(i)) {
			return "`" + c.words[0].text + "` is not in the list of those"
		}
	}
	return ""
}

// moves tells of a cd before the i-th command.
func (l line) moves(i int) bool {
	return slices.ContainsFunc(l.commands[:i], func(c simple) bool {
		return slices.Contains([]string{"cd", "pushd", "popd"}, c.words[0].text)
	})
}

// leaves finds a word that may name something outside of dir, going by the text
// alone; moved is set after a cd, when ".." may lead anywhere.
func leaves(c simple, dir string, moved bool) string {
	for _, w := range c.words[1:] {
		if w.variable || !w.fixed && wideGlob.MatchString(w.text) {
			return w.text
		}
		for _, v := range pathsIn(w.text) {
			switch {
			case strings.HasPrefix(v, "~"), strings.HasPrefix(v, "="):
				return w.text
			case strings.HasPrefix(v, "/"):
				if !within(dir, path.Clean(v)) {
					return w.text
				}
			case slices.Contains(strings.Split(v, "/"), ".."):
				if moved || !within(dir, path.Join(dir, v)) {
					return w.text
				}
			}
		}
	}
	return ""
}

// wideGlob finds what may expand to a path that does not look like it: braces,
// and globs that match "..".
var wideGlob = regexp.MustCompile(`\{|(^|/)\.[^/]*[*?\[]`)

// pathsIn are the parts of a word that a program may take for a path.
func pathsIn(text string) []string {
	list := []string{text}
	if _, v, ok := strings.Cut(text, "="); ok {
		list = append(list, v)
	}
	if strings.HasPrefix(text, "-") && len(text) > 2 {
		list = append(list, text[2:]) // -f/etc/passwd
	}
	return list
}

func within(dir, p string) bool {
	return dir != "" && (p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/"))
}

// hiddenWord returns a word that names a hidden file.
func (p Policy) hiddenWord(l line) string {
	if p.Hidden == nil {
		return ""
	}
	for _, w := range l.words {
		for _, v := range pathsIn(w) {
			if v != "" && p.Hidden(v) {
				return v
			}
		}
	}
	return ""
}

// names returns the first of prefixes that a command of the line begins with,
// wherever it stands: in substitutions, behind programs that run others, under
// a path, quoted, or with options in between.
func (p Policy) names(prefixes [][]string, l line, depth int) []string {
	for _, c := range l.nested {
		texts := make([]string, len(c.words))
		for i, w := range c.words {
			texts[i] = w.text
		}
		words, lines := carries(path.Base(texts[0]))
		for i := range texts {
			if i > 0 && !words && !lines {
				break
			}
			for _, prefix := range prefixes {
				if len(prefix) > 0 && (i == 0 || words) && begins(texts[i:], prefix) {
					return prefix
				}
			}
			if i > 0 && depth < 3 && strings.ContainsAny(texts[i], " \t\n;|&") {
				if prefix := p.names(prefixes, parseLine(texts[i]), depth+1); prefix != nil {
					return prefix
				}
			}
		}
	}
	return nil
}

// carries tells whether a program's arguments may be a command in words, or
// whole lines of code.
func carries(name string) (words, lines bool) {
	kind := kindOf(name)
	words = kind == runsOther || slices.Contains(strings.Fields(shells+" find fd fdfind"), name)
	return words, words || kind == runsCode
}

// begins matches generously: the program by its last path element, the other
// words with options and their values skipped.
func begins(texts, prefix []string) bool {
	if texts[0] != prefix[0] && path.Base(texts[0]) != prefix[0] {
		return false
	}
	texts, prefix = texts[1:], prefix[1:]
	for len(prefix) > 0 {
		switch {
		case len(texts) == 0:
			return false
		case texts[0] == prefix[0]:
			texts, prefix = texts[1:], prefix[1:]
		case !strings.HasPrefix(texts[0], "-"):
			return false
		case len(texts) > 1 && len(texts[0]) == 2 && texts[1] != prefix[0]:
			texts = texts[2:]
		default:
			texts = texts[1:]
		}
	}
	return true
}
