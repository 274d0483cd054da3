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
	prefix, denied := finder(p.Deny).in(l, 0)
	if prefix != nil {
		return Judgement{Verdict: Deny, Reason: fmt.Sprintf("The user's settings deny commands that start with `%s`.", joinWords(prefix))}
	}
	if mode == tools.Plan {
		if why := l.changes(); why != "" {
			return planDenies("only commands known to read are run, and this one is not (" + why + ")")
		}
	}
	switch prefix, unsure := finder(p.Ask).in(l, 0); {
	case denied != "":
		return Judgement{Verdict: AskV, unsure: true, Reason: "The settings deny some commands, and " + denied + "."}
	case prefix != nil:
		return ask(fmt.Sprintf("The settings ask before commands that start with `%s`.", joinWords(prefix)))
	case unsure != "":
		return ask("The settings ask before some commands, and " + unsure + ".")
	}
	if w := p.hiddenWord(l); w != "" {
		return ask(fmt.Sprintf("The command names %q, which the ignore file hides.", w))
	}
	if p.Command == AllCommands && !(l.unread && p.Hidden != nil) {
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
		j.Offers = []Rule{{Scope: TaskScope, Kind: tools.Command, Commands: missing}}
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
	if p.Hidden != nil && searchesAll(c) {
		return "", "The command may read what the ignore file hides: search_files does not."
	}
	if w, ok := p.leaves(l, i, s.Cwd); ok {
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
			return "`" + c.words[0].text + "` may do more"
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

// leaves finds a word of the i-th command that may name something outside of
// dir. After a cd ".." may lead anywhere.
func (p Policy) leaves(l line, i int, dir string) (word string, ok bool) {
	c, moved := l.commands[i], l.moves(i)
	if args(c.words[1:]).followLinks(c.words[0].text) {
		return "it follows links", true
	}
	for _, w := range c.words[1:] {
		if w.variable {
			return strings.TrimSpace("a variable " + w.text), true
		}
		if !w.fixed && wideGlob.MatchString(w.text) {
			return w.text, true
		}
		for _, v := range pathsIn(w.text) {
			switch {
			case strings.HasPrefix(v, "~"), strings.HasPrefix(v, "="):
				return w.text, true
			case strings.HasPrefix(v, "/"):
				if !within(dir, path.Clean(v)) {
					return w.text, true
				}
			case slices.Contains(strings.Split(v, "/"), ".."):
				if moved || !within(dir, path.Join(dir, v)) {
					return w.text, true
				}
			}
			if p.Outside != nil && slices.ContainsFunc(l.places(), func(at string) bool { return p.Outside(place(at, v)) }) {
				return w.text, true
			}
		}
	}
	return "", false
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

// hiddenWord returns a word that names a hidden file, also in code that is a
// word, behind a revision ("HEAD:x") or from where a cd leads.
func (p Policy) hiddenWord(l line) string {
	if p.Hidden == nil {
		return ""
	}
	var names []string // the words first: what code holds is less certain
	for _, w := range l.words {
		names = append(names, pathsIn(w)...)
	}
	for _, w := range l.words {
		names = append(names, strings.FieldsFunc(w, splitsNames)...)
	}
	places, asked := l.places(), map[string]bool{"": true}
	for _, v := range names {
		if asked[v] {
			continue
		}
		asked[v] = true
		if slices.ContainsFunc(places, func(at string) bool { return p.Hidden(place(at, v)) }) {
			return v
		}
	}
	return ""
}

func splitsNames(r rune) bool { return strings.ContainsRune(" \t\n;|&<>(){}\"'`$=:,", r) }

// places are the directories, as far as they are written out, that words may
// be relative to: where the command runs, "", and the targets of each cd.
func (l line) places() []string {
	list := []string{""}
	for _, c := range l.nested {
		if name := c.words[0].text; len(list) < 8 && len(c.words) == 2 && (name == "cd" || name == "pushd") {
			list = append(list, c.words[1].text)
		}
	}
	return list
}

func place(at, word string) string {
	if at == "" || path.IsAbs(word) {
		return word
	}
	return at + "/" + word
}
