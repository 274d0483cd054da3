package approval

import (
	"path"
	"slices"
	"strings"
)

// programOf is the name of the program that words run, and its arguments: without
// a path, an ending of Windows or upper case. "git-push" is git, too.
func programOf(texts []string) (name string, rest []string) {
	name, rest = strings.ToLower(path.Base(texts[0])), texts[1:]
	if i := strings.LastIndexByte(name, '.'); i > 0 && slices.Contains(windowsEndings(), name[i:]) {
		name = name[:i]
	}
	if sub, ok := strings.CutPrefix(name, "git-"); ok && sub != "" {
		return "git", append([]string{sub}, rest...)
	}
	return name, rest
}

var windowsEndings = fields(".exe .cmd .bat .com .ps1")

// shortens tells of a subcommand that npm takes for another one.
func shortens(given, whole string) bool {
	return len(given) > 1 && strings.HasPrefix(whole, given)
}

// unknown says that what a command does, of which some is sought, is known only
// when it runs.
func (f finder) unknown(c simple) string {
	name, _ := programOf(c.allWords())
	sub := slices.ContainsFunc(f, func(p sought) bool {
		return len(p.words) > 1 && name == strings.ToLower(path.Base(p.words[0]))
	})
	if !sub {
		return ""
	}
	rest, maybe := behindOptions(name, c.words[1:]), false // maybe: the next word may be the value of an option
	for _, w := range rest {
		switch {
		case !w.fixed && w.variable:
			return "what this one does is known only when it runs"
		case !w.fixed:
		case strings.HasPrefix(w.text, "-"):
			maybe = !strings.Contains(w.text, "=") && !(name == "git" && slices.Contains(gitGlobals, w.text))
		case maybe:
			maybe = false
		default:
			return ""
		}
	}
	return ""
}

// differing says that the line holds what is sought for some shell, though not
// for those that can read it: "ls (rm x)" runs rm in fish.
func (f finder) differing(l line, depth int) string {
	if !l.partly {
		return ""
	}
	const differ = "shells differ in how they read this one, which mentions `"
	if p := f.mentionedIn(tokens(l.source)); p != nil {
		return differ + strings.Join(p, " ") + "`"
	}
	for _, piece := range strings.FieldsFunc(l.source, func(r rune) bool { return r == '(' || r == ')' }) {
		if piece == l.source {
			break
		}
		if rule, _ := f.code(piece, depth); rule != nil {
			return differ + strings.TrimSpace(piece) + "`"
		}
	}
	return ""
}

// fed says that a shell of the line runs what a program writes that is not just
// words of the line.
func (l line) fed() string {
	if !slices.ContainsFunc(l.nested, readsCode) {
		return ""
	}
	for _, c := range l.nested {
		fixed := !slices.ContainsFunc(c.words, func(w word) bool { return !w.fixed })
		switch name := c.name(); {
		case readsCode(c), fixed && (name == "echo" || name == "printf"), name == "cat" && len(c.words) == 1 && len(l.inputs) > 0:
		default:
			return "a shell in this one runs what `" + name + "` writes"
		}
	}
	return ""
}

// readsCode tells of a shell that takes its code from its input.
func readsCode(c simple) bool {
	if !isShell(c) || slices.Contains(takeWords(), path.Base(c.name())) {
		return false
	}
	operands, value := 0, false
	for _, w := range c.words[1:] {
		switch {
		case value:
			value = false
		case slices.Contains([]string{"-o", "+o", "-O", "+O", "--rcfile", "--init-file"}, w.text):
			value = true
		case !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "+"):
			operands++
		}
	}
	return operands == 0 || args(c.words[1:]).exact("-s", "-ls", "-es", "-xs", "-xes", "-exs")
}

// takeWords are among the shells, but run no input.
var takeWords = fields("eval source . busybox toybox")
