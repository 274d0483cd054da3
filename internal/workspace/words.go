package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"clined/internal/ignore"
)

// maxLooks is how many entries of folders are looked at for the globs of one
// command. What goes beyond may stand for anything.
const maxLooks = 20_000

// Words tells what the words of one command lead to that runs in the working
// directory. It is for one goroutine.
type Words struct {
	w    *Workspace
	h    *Hiding
	left int // of maxLooks
	// walked counts towards maxBelow; held is what was found, by the real folder.
	walked int
	held   map[string]string
}

// Words returns what judges the words of a command as things are now.
func (w *Workspace) Words() *Words { return &Words{w: w, h: w.Hiding(), left: maxLooks} }

// HidesAny reports whether any word could be hidden.
func (ws *Words) HidesAny() bool { return !ws.h.Empty() }

// Hidden tells whether a word names something that the ignore file hides: by
// itself, through a link, or as a glob of files. A glob that stands for too much
// to be told counts as hidden.
func (ws *Words) Hidden(word string) bool {
	if ws.h.Empty() {
		return false
	}
	paths, all := ws.named(word, ws.below)
	return !all || slices.ContainsFunc(paths, ws.hides)
}

// HiddenAs is the name, as seen from the working directory, of the first hidden
// file that a glob finds; "" when the word is none or finds none.
func (ws *Words) HiddenAs(word string) string {
	if !strings.ContainsAny(word, "*?[") || ws.h.Empty() {
		return ""
	}
	paths, _ := ws.named(word, ws.below)
	for _, path := range paths {
		if exists(path) && ws.hides(path) {
			return ws.fromCwd(path)
		}
	}
	return ""
}

// fromCwd is a path as seen from the working directory.
func (ws *Words) fromCwd(path string) string {
	if rel, ok := below(ws.w.Cwd(), path); ok && rel != "" {
		return filepath.ToSlash(rel)
	}
	return path
}

// hides tells of a path by itself and where links lead.
func (ws *Words) hides(path string) bool {
	is := func(path string) bool {
		// Of a folder that may be named with or without its slash.
		return ws.h.Hides(path, false) || ws.h.Hides(path, true)
	}
	if is(path) {
		return true
	}
	real := realOrClean(path)
	return real != path && is(real)
}

// Outside tells whether a word looks like a path in the workspace and leads out
// of it by a link, or may do so.
func (ws *Words) Outside(word string) bool {
	paths, all := ws.named(word, ws.below)
	return !all || slices.ContainsFunc(paths, func(path string) bool {
		if !ws.below(path) {
			return false
		}
		real, err := realPath(path)
		return err != nil || !ws.w.inside(real)
	})
}

// below goes by the text of a path.
func (ws *Words) below(path string) bool {
	return slices.ContainsFunc(ws.w.Roots(), func(r Root) bool { return within(r.Path, path) || within(r.Real, path) })
}

// named returns the paths that a word may stand for: itself, with its braces
// expanded, and where it looks what it matches as a glob. all is false when
// these are more than can be looked at.
func (ws *Words) named(word string, looks func(path string) bool) (paths []string, all bool) {
	forms, all := braces(word, maxForms)
	for _, path := range append(forms, word) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(ws.w.Cwd(), path)
		}
		path = filepath.Clean(path)
		paths = append(paths, path)
		if !strings.ContainsAny(path, "*?[") || !looks(path) || exists(path) { // a name may have such characters
			continue
		}
		found, whole := ws.glob(path)
		paths, all = append(paths, found...), all && whole
	}
	return paths, all
}

// glob returns what there is that a path matches, in any case and names with a
// dot in front included: shells can be told to do so.
func (ws *Words) glob(path string) (found []string, all bool) {
	dirs := []string{string(filepath.Separator)}
	for _, e := range split(path) {
		if e == "**" {
			return nil, false
		}
		wild := strings.ContainsAny(e, "*?[")
		var next []string
		for _, dir := range dirs {
			if !wild {
				if at := filepath.Join(dir, e); exists(at) {
					next = append(next, at)
				}
				continue
			}
			names, err := lookupIn(dir).list()
			if err != nil {
				continue
			}
			if ws.left -= len(names); ws.left < 0 {
				return nil, false
			}
			match := ignore.Parse("/"+e+"/", ignore.Options{FoldCase: true})
			for _, name := range names {
				if match.Match(name, true) {
					next = append(next, filepath.Join(dir, name))
				}
			}
		}
		dirs = next
	}
	return dirs, true
}

// maxForms is how many words one may become by its braces.
const maxForms = 256

// braces returns what a word becomes by brace expansion (bash(1)), none without
// any: lists in full, a range as a star. all is false when it becomes more words
// than most.
func braces(word string, most int) (forms []string, all bool) {
	before, parts, after := firstBraces(word)
	if parts == nil {
		return nil, true
	}
	for _, part := range parts {
		form := before + part + after
		more, whole := braces(form, most-len(forms))
		if more == nil {
			more = []string{form}
		}
		if forms = append(forms, more...); !whole || len(forms) > most {
			return forms, false
		}
	}
	return forms, true
}

// firstBraces cuts a word at its first braces that expand.
func firstBraces(word string) (before string, parts []string, after string) {
	for open := range len(word) {
		if word[open] != '{' {
			continue
		}
		depth, from := 0, open+1
		parts = nil
		for i := open; i < len(word); i++ {
			switch {
			case word[i] == '{':
				depth++
			case word[i] == ',' && depth == 1:
				parts, from = append(parts, word[from:i]), i+1
			case word[i] == '}':
				depth--
			}
			if depth > 0 {
				continue
			}
			switch {
			case parts != nil:
				return word[:open], append(parts, word[from:i]), word[i+1:]
			case strings.Contains(word[from:i], ".."):
				return word[:open], []string{"*"}, word[i+1:]
			}
			break
		}
	}
	return word, nil, ""
}
