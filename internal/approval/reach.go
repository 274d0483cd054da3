package approval

import (
	"path"
	"slices"
	"strings"
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
	for _, here := range []string{"~+/", "/proc/self/cwd/"} { // where the command runs
		if rest, ok := strings.CutPrefix(text, here); ok {
			list = append(list, rest)
		}
	}
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
