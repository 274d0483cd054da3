package approval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// configuresGit words that a line sets what git's configuration names programs
// by, for one command or from then on: hooks, editors, filters, aliases.
func (p Policy) configuresGit(who string, l line) string {
	if p.Protected == nil {
		return ""
	}
	if key := l.gitProgram(0); key != "" {
		return fmt.Sprintf("%s sets %q, by which git may run programs, and git's configuration is protected.", who, clip(key))
	}
	return ""
}

func (l line) gitProgram(depth int) string {
	for _, c := range l.nested {
		runs, _ := carries(c)
		if key := cmp.Or(gitAmong(c.words, runs), gitAmong(c.spread, runs)); key != "" {
			return key
		}
	}
	if name := l.gitVariable(); name != "" || depth == maxNested {
		return name
	}
	for _, code := range l.code() {
		if !strings.Contains(code, "git") && !strings.Contains(code, "GIT_") || !strings.ContainsAny(code, " \t\n;|&<>") {
			continue
		}
		if key := parseLine(code).gitProgram(depth + 1); key != "" {
			return key
		}
	}
	return ""
}

// gitAmong looks for git at the first of words, at all of them when these may be
// run.
func gitAmong(words []word, runs bool) string {
	texts, gits := textsOf(words), 0
	for i := range texts {
		if i > 0 && !runs || gits == maxPassed {
			break
		}
		name, rest := programOf(texts[i:])
		if name != "git" {
			continue
		}
		gits++
		given := words[i+1:]
		if len(rest) > len(given) { // git-config
			given = append([]word{{text: rest[0], fixed: true}}, given...)
		}
		if key := setsGitProgram(given); key != "" {
			return key
		}
	}
	return ""
}

func textsOf(words []word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return texts
}

// several tells of a word that may become more than one, of which the later ones
// are anything. Where a list or a pattern stands behind a "=", each word it
// becomes begins as it does.
func several(w word) bool {
	if w.single || w.fixed || w.caret {
		return false
	}
	name, _, _ := strings.Cut(w.text, "=")
	return w.variable || strings.ContainsAny(name, "{*?[")
}

// anyOption tells of an option of which it is not known which one it is.
func anyOption(w word) bool {
	return w.variable && strings.HasPrefix(w.text, "-") && !strings.Contains(w.text[:w.head], "=")
}

// setsGitProgram is the setting that a command of git makes and that names a
// program, "" when it makes none.
func setsGitProgram(a []word) string {
	texts := textsOf(a)
	at := gitSub(texts)
	for i, t := range texts[:at] {
		if several(a[i]) || anyOption(a[i]) {
			return cmp.Or(t, "$…")
		}
		if path, ok := strings.CutPrefix(t, "--exec-path="); ok && (path != "" || !a[i].fixed) {
			return "--exec-path"
		}
		if (t == "-c" || t == "--config-env") && i+1 < at {
			if key := pair(a[i+1], t == "--config-env"); key != "" {
				return key
			}
		}
		if rest, ok := strings.CutPrefix(t, "--config-env="); ok {
			w := a[i]
			w.text, w.head = rest, w.head-len("--config-env=")
			if key := pair(w, true); key != "" {
				return key
			}
		}
	}
	switch rest := a[at:]; {
	case len(rest) == 0:
		return ""
	case several(rest[0]), rest[0].variable && len(rest) > 1:
		return cmp.Or(rest[0].text, "$…")
	case rest[0].text == "config":
		return configCall(rest[1:])
	case rest[0].text == "clone" || rest[0].text == "init":
		return cloneOptions(rest[1:])
	}
	return ""
}

// shortConfig and longConfig find the option of git clone that sets something,
// which may be shortened, and stand among others; the value may be its next word.
var (
	shortConfig = lazy(`^-[a-bd-z0-9]*c`)
	longConfig  = lazy(`^--c(o(n(f(i(g)?)?)?)?)?(=|$)`)
	longTempl   = lazy(`^--t(e(m(p(l(a(t(e)?)?)?)?)?)?)?(=|$)`)
)

// cloneOptions reads the options of git clone and git init: settings, and a
// template, of which the hooks become those of the repository.
func cloneOptions(a []word) string {
	for i, w := range a {
		short := shortConfig().FindString(w.text)
		flag := cmp.Or(short, longConfig().FindString(w.text))
		template := longTempl().FindString(w.text)
		switch size := len(flag); {
		case several(w) || anyOption(w):
			return cmp.Or(w.text, "$…")
		case template != "" && noTemplate(template, a[i:]):
			continue
		case template != "":
			return "--template"
		case flag == "":
			continue
		case size < len(w.text):
			w.text, w.head = w.text[size:], w.head-size
		case w.variable: // --config="$X"
			w.text, w.head = "", 0
		case i+1 < len(a):
			w = a[i+1]
		}
		if key := pair(w, false); key != "" {
			return key
		}
	}
	return ""
}

// noTemplate tells of an option for a template, the first of a, that is known to
// be given none.
func noTemplate(option string, a []word) bool {
	if strings.HasSuffix(option, "=") {
		return a[0].fixed && a[0].text == option
	}
	return a[0].fixed && len(a) > 1 && a[1].fixed && a[1].text == ""
}

// pair is the key of "key=value" when that names a program, or may do so. From
// the environment no value is known.
func pair(w word, fromEnv bool) string {
	key, value, _ := strings.Cut(w.text, "=")
	if unknownKey(w, len(key)) {
		return cmp.Or(key, "$…")
	}
	if namesProgram(key, value, w.fixed && !fromEnv) {
		return key
	}
	return ""
}

// unknownKey tells of a key, the first bytes of a word, of which it is not known
// that git gets it as it is, and which may name a program.
func unknownKey(w word, size int) bool {
	section, _, whole := strings.Cut(w.text[:size], ".")
	switch {
	case w.fixed, w.caret:
		return false
	case !w.single && strings.ContainsAny(w.text[:size], "{*?["):
		return true
	case w.variable && w.head <= size:
		return !whole || w.head <= len(section) || programSections().MatchString(section)
	}
	return false
}

// configReads are the actions of git config that set nothing.
var configReads = fields("--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l --unset --unset-all --remove-section --edit -e")

// configValued are the options of git config that take the next word; they may
// be shortened.
var configValued = fields("--file --blob --type --default --comment --value --url")

// chosen are the actions that options of git config choose; doubt is set when one
// of them may take an action back, which versions of git differ in.
type chosen struct{ reads, renames, doubt bool }

// configOptions reads the options of git config, which end at the first operand:
// what looks like one behind that is a value, or a pattern. One that may be more
// words than one is open.
func configOptions(a []word) (operands []word, do chosen, open string) {
	for ; len(a) > 0 && strings.HasPrefix(a[0].text, "-"); a = a[1:] {
		w := a[0]
		switch {
		case several(w):
			return nil, do, w.text
		case strings.HasPrefix(w.text, "--no") || anyOption(w):
			do.doubt = true
		case slices.Contains(configReads(), w.text):
			do.reads = true
		case len(w.text) > len("--r") && strings.HasPrefix("--rename-section", w.text):
			do.renames = true
		case do.doubt || !takesNext(w.text): // an option before may have taken this one
		case len(a) == 1:
			return nil, do, ""
		case several(a[1]):
			return nil, do, cmp.Or(a[1].text, "$…")
		default:
			a = a[1:]
		}
	}
	return a, do, ""
}

// mayBegin tells of a word that may become an option.
func mayBegin(w word) bool {
	return w.variable && w.head == 0 || several(w) && strings.IndexByte("{*?[", w.text[0]) >= 0
}

// configCall reads the arguments of git config.
func configCall(a []word) string {
	operands, do, open := configOptions(a)
	if len(operands) == 0 || do.reads && !do.doubt && !mayBegin(operands[0]) {
		return open
	}
	sets := false
	switch operands[0].text {
	case "get", "list", "unset", "remove-section", "edit":
		return ""
	case "set":
		operands, sets = operands[1:], true
	case "rename-section":
		operands, do.renames = operands[1:], true
	}
	if do.renames && len(operands) > 0 {
		last := operands[len(operands)-1]
		section, _, _ := strings.Cut(last.text, ".")
		if programSections().MatchString(section) || several(last) || last.head <= len(section) && last.variable {
			return cmp.Or(section, "$…")
		}
		if !do.doubt {
			return ""
		}
	}
	return configKey(operands, sets)
}

// configKey is that one of operands that git config may set, "" when none names a
// program. Each may be the key: set has options of its own before it, and those
// that later versions have are not known here.
func configKey(operands []word, sets bool) string {
	for i, w := range operands {
		last := i == len(operands)-1
		switch {
		case sets && several(w) && strings.HasPrefix(operands[0].text, "-"),
			unknownKey(w, len(w.text)) && (i == 0 && !(last && w.single) || sets && !last):
			return cmp.Or(w.text, "$…")
		case last: // reads it
		case namesProgram(w.text, operands[i+1].text, operands[i+1].fixed):
			return w.text
		}
	}
	return ""
}

// letterNext is an option of git config of one letter that takes the next word,
// perhaps behind others: what follows such a letter is its value.
var letterNext = lazy(`^-[^ft]*[ft]$`)

// takesNext tells of an option of git config, perhaps shortened or among other
// letters, that takes the next word.
func takesNext(t string) bool {
	if strings.HasPrefix(t, "--") {
		return len(t) > 2 && slices.ContainsFunc(configValued(), func(option string) bool { return strings.HasPrefix(option, t) })
	}
	return letterNext().MatchString(t)
}
