package approval

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"clined/internal/tools"
)

// leaves finds a word of a command that may name something outside of dir.
// After a cd ".." may lead anywhere.
func (p Policy) leaves(c simple, l line, dir string) (word string, ok bool) {
	a := args(c.words[1:])
	switch {
	case a.followLinks(c.name()):
		return "it follows links", true
	case a.exact("-files0-from") || a.long("files0-from"):
		return "it reads the files that another one names", true
	}
	for _, w := range c.words[1:] {
		if w.variable {
			return strings.TrimSpace("a variable " + w.text), true
		}
		if !w.fixed && wideGlob().MatchString(w.text) {
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
			case climbs(v):
				return w.text, true
			case slices.Contains(strings.Split(v, "/"), ".."):
				if c.moved || !within(dir, path.Join(dir, v)) {
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

// strays returns where a cd leads before a command that builds and tests what it
// finds there, when that may be outside of the workspace.
func (p Policy) strays(c simple, dir string) (to string, ok bool) {
	if !slices.Contains([]string{"go", "cargo", "dotnet"}, c.name()) {
		return "", false
	}
	for _, w := range c.went {
		switch to = w.text; {
		case !w.fixed || strings.HasPrefix(to, "-") || to == "", climbs(to), slices.Contains(strings.Split(to, "/"), ".."),
			path.IsAbs(to) && !within(dir, path.Clean(to)) && !slices.ContainsFunc(p.Roots, func(root string) bool { return within(root, path.Clean(to)) }),
			p.Outside != nil && p.Outside(to):
			return to, true
		}
	}
	return "", false
}

// climbs tells of a path that goes up again from a folder: where that is a link,
// it leads to what is above its target.
func climbs(v string) bool { return climbing().MatchString(v) }

var climbing = lazy(`(^|/)([^./]|\.[^./]|\.\.[^/])[^/]*/+(\./+)*\.\.(/|$)`)

// wideGlob finds what may expand to a path that does not look like it: braces,
// and globs that match "..".
var wideGlob = lazy(`\{|(^|/)\.[^/]*[*?\[]`)

// maxFlags is how many letters may stand before the value of an option.
const maxFlags = 6

// pathsIn are the parts of a word that a program may take for a path.
func pathsIn(text string) []string {
	list := []string{text}
	if _, v, ok := strings.Cut(text, "="); ok {
		list = append(list, v)
	}
	if strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") {
		for i := 2; i < min(len(text), maxFlags); i++ {
			list = append(list, text[i:]) // -f/etc/passwd, -nf/etc/passwd
		}
	}
	return list
}

func within(dir, p string) bool {
	return dir != "" && (p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/"))
}

// hiddenWord returns a word that names a hidden file, also in code that is a
// word, behind a revision ("HEAD:x") or from where a cd leads.
func (p Policy) hiddenWord(words, places []string) string {
	if p.Hidden == nil {
		return ""
	}
	for _, v := range namesIn(words) {
		if climbs(v) || slices.ContainsFunc(places, func(at string) bool { return p.Hidden(place(at, v)) }) {
			return v
		}
	}
	return ""
}

func namesHidden(who, word string) string {
	if climbs(word) {
		return fmt.Sprintf("%s names %q, which may lead to what the ignore file hides.", who, word)
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
// does not let through: what a command does to it is not known.
func (p Policy) ruledWord(l line, dir string) string {
	var rules []Rule
	for _, kind := range []tools.Kind{tools.Read, tools.Edit} {
		for _, r := range slices.Concat(p.with(kind, Deny), p.with(kind, AskV)) {
			if len(r.Paths) > 0 {
				rules = append(rules, r)
			}
		}
	}
	if len(rules) == 0 {
		return ""
	}
	for _, v := range namesIn(l.words) {
		for _, at := range l.places() {
			name := place(at, v)
			if rest, ok := strings.CutPrefix(name, "~/"); ok && p.Home != "" {
				name = path.Join(p.Home, rest)
			} else if !path.IsAbs(name) {
				name = path.Join(dir, name)
			}
			where := tools.Path{Real: path.Clean(name)}
			for _, r := range rules {
				if p.coversPath(r, r.Kind, where) {
					return fmt.Sprintf("The command names %q. %s", v, r.says())
				}
			}
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
		if name := c.name(); len(list) < 8 && len(c.words) == 2 && (name == "cd" || name == "pushd") {
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
