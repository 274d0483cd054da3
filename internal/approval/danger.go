package approval

import (
	"fmt"
	"slices"
	"strings"
)

// danger says why a command may not be covered by a prefix, only by its exact
// words: it runs code or other programs that its arguments name, or it writes
// files. "" when it does neither as far as known.
func danger(c simple) string {
	name := c.name()
	if strings.Contains(name, "/") {
		return fmt.Sprintf("%s is named by its path.", name)
	}
	if name == "" {
		return "It runs nothing."
	}
	if check := argued()[name]; check != nil {
		for _, w := range c.words[1:] {
			if !w.safe {
				return fmt.Sprintf("The arguments of %s are known only when it runs.", name)
			}
		}
		if why := check(args(c.words[1:])); why != "" {
			return fmt.Sprintf("`%s` here %s.", name, why)
		}
		return ""
	}
	kind := kindOf(name)
	if kind != "" && !(len(c.words) == 2 && c.words[1].fixed && c.words[1].text == "--version") {
		return fmt.Sprintf("`%s` %s.", name, kind)
	}
	return ""
}

// followLinks tells of an option to follow the links that a program finds.
func (a args) followLinks(name string) bool {
	switch name {
	case "ls":
		return a.short("LH") || a.long("dereference", "dereference-command-line")
	case "diff":
		return (a.short("r") || a.long("recursive")) && !a.exact("--no-dereference")
	case "grep", "egrep", "fgrep":
		return a.short("R") || a.long("dereference-recursive")
	case "find":
		return a.exact("-L", "-follow")
	case "rg", "fd", "fdfind":
		return a.short("L") || a.long("follow")
	case "tree":
		return a.short("l")
	case "du":
		return a.short("LD") || a.long("dereference", "dereference-args")
	}
	return false
}

// searchesAll tells of a program that reads all files below a folder.
func searchesAll(c simple) bool {
	a := args(c.words[1:])
	switch c.words[0].text {
	case "grep", "egrep", "fgrep":
		return a.short("rR") || a.long("recursive", "dereference-recursive", "directories") || a.short("d")
	case "rg", "ag", "ack", "gofmt":
		return true
	case "diff":
		return a.short("r") || a.long("recursive")
	case "git":
		a, _ = gitSkip(a)
		return showsAll(a)
	}
	return false
}

// showsAll tells of a git command that shows lines of whatever files there are.
func showsAll(a args) bool {
	switch a.sub() {
	case "grep":
		return true
	case "diff", "show":
		object := slices.ContainsFunc(a, func(w word) bool { return strings.Contains(w.text, ":") }) // HEAD:file is named
		return !object && !a.long("stat", "shortstat", "numstat", "dirstat", "summary", "name-only", "name-status", "no-patch") && !a.short("s")
	case "log", "reflog", "whatchanged":
		return a.long("patch", "patch-with-stat", "patch-with-raw", "unified", "word-diff", "color-words", "cc", "remerge-diff") || a.short("pucmSGL")
	}
	return false
}

// args are the words after the program's name; all are safe.
type args []word

func when(yes bool, why string) string {
	if yes {
		return why
	}
	return ""
}

// long tells of an option --name, also abbreviated as getopt_long takes it, or
// with a value attached.
func (a args) long(names ...string) bool {
	return slices.ContainsFunc(a, func(w word) bool {
		given, ok := strings.CutPrefix(w.text, "--")
		given, _, _ = strings.Cut(given, "=")
		return ok && given != "" && slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, given) })
	})
}

// short tells of an option letter, alone or among others.
func (a args) short(letters string) bool {
	return slices.ContainsFunc(a, func(w word) bool {
		return strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.ContainsAny(w.text[1:], letters)
	})
}

// exact tells of an option as it is written, with or without "=value".
func (a args) exact(names ...string) bool {
	return slices.ContainsFunc(a, func(w word) bool {
		given, _, _ := strings.Cut(w.text, "=")
		return slices.Contains(names, given)
	})
}

// operands are the words that are no options; all are behind "--".
func (a args) operands() (list []word) {
	for i, w := range a {
		if w.text == "--" {
			return append(list, a[i+1:]...)
		}
		if !strings.HasPrefix(w.text, "-") || w.text == "-" {
			list = append(list, w)
		}
	}
	return list
}

// sub is the subcommand, "" when options come before it or there is none.
func (a args) sub() string {
	if len(a) == 0 || !a[0].fixed || strings.HasPrefix(a[0].text, "-") {
		return ""
	}
	return a[0].text
}
