package workspace

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"clined/internal/ignore"
)

// Paths returns the absolute paths that a word may stand for anywhere on the
// system, as it names them and where links lead; all is false when there may be
// others.
func (ws *Words) Paths(word string) (paths []string, all bool) {
	named, all := ws.named(word, anywhere)
	for _, path := range append(named, ws.physical(word)) {
		paths = append(paths, path)
		if real, err := realPath(path); err != nil {
			all = false
		} else if real != path {
			paths = append(paths, real)
		}
	}
	if strings.ContainsAny(word, "*?[") && slices.Contains(split(word), "..") {
		all = false // where ".." leads depends on what the glob finds
	}
	return paths, all
}

func anywhere(string) bool { return true }

// physical is where a word leads by the system's reading of "..", which goes up
// from where a link led. A shell's cd goes by the text.
func (ws *Words) physical(word string) string {
	if !filepath.IsAbs(word) {
		word = ws.w.Cwd() + string(filepath.Separator) + word
	}
	real, err := realPath(word)
	if err != nil {
		return filepath.Clean(word)
	}
	return real
}

// Protected says why what a word names is protected, by itself, through a link
// or as a glob, "" when it is not. A folder is when something in it is. Of "**"
// only what follows is looked at.
func (ws *Words) Protected(word string) (reason string) {
	paths, all := ws.named(word, anywhere)
	filled := strings.HasSuffix(word, "/")
	for _, path := range append(paths, ws.physical(word)) {
		real := realOrClean(path)
		if in := protectedIn[plainName(filepath.Base(real))]; filled && in != nil {
			return firstReason(in, anywhere)
		}
		if reason = ws.w.protectedAs(path, real, ws.h); reason == "" {
			reason = protectedBelow(real)
		}
		if reason != "" && strings.ContainsAny(word, "*?[") && exists(path) {
			return "it stands for " + ws.fromCwd(path) + ": " + reason
		}
		if reason != "" {
			return reason
		}
	}
	if all {
		return ""
	}
	forms, all := braces(word, maxForms)
	if forms = append(forms, word); !all || !slices.ContainsFunc(forms, deep) {
		return "it may stand for anything"
	}
	for _, form := range forms {
		if reason = protectedMatch(filepath.Base(form)); reason != "" {
			return reason
		}
	}
	return ""
}

// deep tells of a glob of all folders below one.
func deep(glob string) bool { return slices.Contains(split(glob), "**") }

// protectedBelow says why a folder with files that are protected there is.
func protectedBelow(dir string) string {
	in := protectedIn[plainName(filepath.Base(dir))]
	if in == nil {
		return ""
	}
	names, err := lookupIn(dir).list()
	if err != nil {
		return ""
	}
	return firstReason(in, func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return plainName(n) == name })
	})
}

// protectedMatch says why what a glob of names may match is protected.
func protectedMatch(glob string) string {
	match := ignore.Parse("/"+glob, ignore.Options{FoldCase: true})
	is := func(name string) bool { return match.Match(name, false) }
	for _, folder := range slices.Sorted(maps.Keys(protectedIn)) {
		if r := firstReason(protectedIn[folder], is); r != "" {
			return r
		}
	}
	return firstReason(protectedNames, is)
}

// firstReason is that of the first name, in order, of which is tells.
func firstReason(reasons map[string]string, is func(name string) bool) string {
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		if is(name) {
			return reasons[name]
		}
	}
	return ""
}
