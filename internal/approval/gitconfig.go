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
		texts, gits := c.allWords(), 0
		for i := range texts {
			if i > 0 && !runs || gits == maxPassed {
				break
			}
			name, rest := programOf(texts[i:])
			if name != "git" {
				continue
			}
			gits++
			given := c.words[i+1:]
			if len(rest) > len(given) { // git-config
				given = append([]word{{text: rest[0], fixed: true}}, given...)
			}
			if key := setsGitProgram(given); key != "" {
				return key
			}
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

// setsGitProgram is the setting that a command of git makes and that names a
// program, "" when it makes none.
func setsGitProgram(a []word) string {
	texts := make([]string, len(a))
	for i, w := range a {
		texts[i] = w.text
	}
	at := gitSub(texts)
	for i, t := range texts[:at] {
		if path, ok := strings.CutPrefix(t, "--exec-path="); ok && path != "" {
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
	case rest[0].variable && rest[0].head == 0 && (len(rest) > 1 || !rest[0].single):
		return "$…"
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
	longTempl   = lazy(`^--te(m(p(l(a(t(e)?)?)?)?)?)?(=|$)`)
)

// cloneOptions reads the options of git clone and git init: settings, and a
// template, of which the hooks become those of the repository.
func cloneOptions(a []word) string {
	for i, w := range a {
		short := shortConfig().FindString(w.text)
		flag := cmp.Or(short, longConfig().FindString(w.text))
		template := longTempl().FindString(w.text)
		switch size := len(flag); {
		case template == w.text && i+1 < len(a) && a[i+1].text == "", template != "" && template == w.text && strings.HasSuffix(template, "="):
			continue
		case template != "":
			return "--template"
		case flag == "":
			continue
		case size < len(w.text):
			w.text, w.head = w.text[size:], w.head-size
		case i+1 < len(a):
			w = a[i+1]
		}
		if key := pair(w, false); key != "" {
			return key
		}
	}
	return ""
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
	case w.variable && w.head <= size:
		return !whole || w.head <= len(section) || programSections().MatchString(section)
	}
	return strings.Contains(w.text[:size], "{")
}

// configReads are the actions of git config that set nothing.
var configReads = fields("--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l --unset --unset-all --remove-section --edit -e")

// configValued are the options of git config that take the next word; they may
// be shortened.
var configValued = fields("--file --blob --type --default --comment --value --url")

// configCall reads the arguments of git config. Its options end at the first
// operand: what looks like one behind that is a value, or a pattern.
func configCall(a []word) string {
	at, renames := 0, false
	for ; at < len(a) && strings.HasPrefix(a[at].text, "-") && (a[at].single || !a[at].variable); at++ {
		t := a[at].text
		switch {
		case slices.Contains(configReads(), t):
			return ""
		case len(t) > len("--r") && strings.HasPrefix("--rename-section", t):
			renames = true
		case takesNext(t):
			at++
		}
	}
	if at >= len(a) {
		return ""
	}
	operands, sets := a[at:], false
	switch operands[0].text {
	case "get", "list", "unset", "remove-section", "edit":
		return ""
	case "set":
		operands, sets = operands[1:], true
	case "rename-section":
		operands, renames = operands[1:], true
	}
	if renames && len(operands) > 0 {
		last := operands[len(operands)-1]
		section, _, _ := strings.Cut(last.text, ".")
		if programSections().MatchString(section) || last.head <= len(section) && last.variable {
			return cmp.Or(section, "$…")
		}
		return ""
	}
	// Each may be the key: set has options of its own before it, and those that
	// later versions have are not known here.
	for i, w := range operands {
		switch last := i == len(operands)-1; {
		case unknownKey(w, len(w.text)) && (i == 0 && !(last && w.single) || sets && !last):
			return cmp.Or(w.text, "$…")
		case last: // reads it
		case namesProgram(w.text, operands[i+1].text, operands[i+1].fixed):
			return w.text
		}
	}
	return ""
}

// takesNext tells of an option of git config, perhaps shortened or among other
// letters, that takes the next word.
func takesNext(t string) bool {
	if strings.HasPrefix(t, "--") {
		return len(t) > 2 && slices.ContainsFunc(configValued(), func(option string) bool { return strings.HasPrefix(option, t) })
	}
	return strings.HasSuffix(t, "f") || strings.HasSuffix(t, "t")
}
