package approval

import (
	"fmt"
	"slices"
	"strings"
)

// walk is a command that goes through whole folders.
type walk struct {
	args args
	// here is set when it may begin where the command runs, though no word says so.
	here bool
	// lists is set when it tells names alone, globs when it expands those itself.
	lists, globs bool
}

// walksHidden says that a command of a line reads a folder with hidden files in
// it: that names none of them.
func (p Policy) walksHidden(who string, l line, places []string) string {
	if p.Holds == nil {
		return ""
	}
	p.Holds = remembered(p.Holds)
	return p.walksIn(who, l, places, 0)
}

// maxWalks bounds the walks of one command; only a contrived one has more.
const maxWalks = 50

// remembered asks the same thing only once.
func remembered(holds func(string, bool) string) func(string, bool) string {
	type question struct {
		word    string
		literal bool
	}
	known := map[question]string{}
	return func(word string, literal bool) string {
		q := question{word, literal}
		says, ok := known[q]
		if !ok {
			says = holds(word, literal)
			known[q] = says
		}
		return says
	}
}

func (p Policy) walksIn(who string, l line, places []string, depth int) string {
	for _, c := range l.nested {
		walks := walksOf(c, l)
		if len(walks) > maxWalks {
			return who + " may go through folders in too many ways to be judged, and the ignore file may hide what is in them."
		}
		for _, w := range walks {
			if why := p.walked(who, w, l, places); why != "" {
				return why
			}
		}
	}
	if depth == maxNested {
		return "" // what is nested deeper is asked about, or was allowed as it stands
	}
	for _, code := range l.code() {
		if !strings.ContainsAny(code, " \t\n;|&<>") {
			continue
		}
		inner := parseLine(code)
		if why := p.walksIn(who, inner, inner.placesFrom(places), depth+1); why != "" {
			return why
		}
	}
	return ""
}

// placesFrom are the places of a line that begins at any of others.
func (l line) placesFrom(others []string) (list []string) {
	for _, at := range others {
		for _, next := range l.places() {
			list = append(list, place(at, next))
		}
	}
	return appendNew(nil, list)
}

// walked says that one walk leads to what is hidden, or may do so.
func (p Policy) walked(who string, w walk, l line, places []string) string {
	does := "reads"
	if w.lists {
		does = "lists"
	}
	unknown := l.strays()
	for _, word := range w.args {
		unknown = unknown || word.variable
		for _, v := range pathsIn(word.text) {
			if v = p.atHome(v); v == "" {
				continue
			}
			unknown = unknown || strings.HasPrefix(v, "~") && !word.fixed
			if why := p.holds(places, v, word.fixed && !w.globs); why != "" {
				return fmt.Sprintf("%s %s the folder %q, %s: search_files and list_files leave them out.", who, does, clip(v), why)
			}
		}
	}
	if why := p.holds(places, ".", true); w.here && why != "" {
		return fmt.Sprintf("%s %s the folder it runs in, %s: search_files and list_files leave them out.", who, does, why)
	}
	if unknown && slices.ContainsFunc(p.Roots, func(root string) bool { return p.Holds(root, true) != "" }) {
		return fmt.Sprintf("%s %s a folder that is known only when it runs, and the ignore file may hide what is in it.", who, does)
	}
	return ""
}

func (p Policy) holds(places []string, word string, literal bool) string {
	for _, at := range places {
		if says := p.Holds(place(at, word), literal && !strings.ContainsAny(at, "*?[{")); says != "" {
			return says
		}
	}
	return ""
}

// walksOf are the walks of one command, also of one that it runs.
func walksOf(c simple, l line) (list []walk) {
	runs, _ := carries(c)
	texts := c.allWords()
	for i := range texts {
		if i > 0 && !runs || len(list) > maxWalks {
			break
		}
		name, rest := programOf(texts[i:])
		given := args(c.words[i+1:])
		if len(rest) > len(given) { // git-grep
			given = append(args{{text: rest[0], fixed: true}}, given...)
		}
		if w, ok := walkOf(name, l.expanded(given), c.piped && l.tangled == "", feeds(c, l)); ok {
			list = append(list, w)
		}
	}
	return list
}

// expanded adds to arguments the options of the line, where a variable among them
// may be any of these.
func (l line) expanded(a args) args {
	if !slices.ContainsFunc(a, func(w word) bool { return w.variable }) {
		return a
	}
	a = slices.Clip(a)
	for _, text := range slices.Concat(l.values, l.words) {
		for _, option := range strings.Fields(text) {
			if strings.HasPrefix(option, "-") {
				a = append(a, word{text: option})
			}
		}
	}
	return a
}

// feeds tells whether what a command writes may become names of files that
// others read.
func feeds(c simple, l line) bool {
	return c.captured || l.pipes && slices.ContainsFunc(l.nested, func(o simple) bool {
		name, _ := programOf(o.allWords())
		return slices.Contains(takeNames(), name) || o.piped && runsGiven(o) || args(o.words[1:]).long("files0-from") || args(o.words[1:]).exact("-files0-from")
	})
}

var takeNames = fields("read mapfile readarray xargs parallel cpio pax tar bsdtar zip rsync")

// walkOf tells of a program with its arguments whether it walks. piped is set
// when it surely has an input, feeds when others take what it writes for names.
func walkOf(name string, a args, piped, feeds bool) (w walk, ok bool) {
	w.args = a
	switch name {
	case "grep", "egrep", "fgrep", "ggrep", "pcregrep", "pcre2grep":
		ok = a.short("rRd") || a.long("recursive", "dereference-recursive", "directories")
		w.here = !a.names(2, "rRnilwvcoHhsqaxFEGPLUz", "ef")
	case "rgrep":
		ok, w.here = true, !a.names(2, "rRnilwvcoHhsqaxFEGPLUz", "ef")
	case "rg":
		ok, w.here = true, !piped && !a.names(2, "nilwvcoHhNFSsuUpPaz0xLqI", "ef")
	case "ag", "ack", "ack-grep", "ug", "ugrep", "pt", "sift":
		ok, w.here = true, !piped && !a.names(2, "nilwvcs", "")
	case "git":
		return gitWalk(a, feeds)
	case "find", "gfind", "fd", "fdfind":
		ok = feeds || argued()["find"](a) != "" || strings.HasPrefix(name, "fd") && fdDanger(a) != "" ||
			slices.ContainsFunc(a, func(w word) bool { return w.variable })
		w.here = strings.HasPrefix(name, "fd") || len(a) == 0 || !a[0].fixed || strings.ContainsAny(a[0].text[:min(1, len(a[0].text))], "-(!,")
	case "ls", "dir", "vdir":
		w.lists = a.short("R") || a.long("recursive")
		ok, w.here = w.lists || feeds, !a.names(1, "RlahFrtSsiN1dAopgGnQmCxkuHL", "")
	case "tree":
		w.lists, ok, w.here = true, true, !a.names(1, "adflixpsuhDgFNqvtcrUACSJX", "")
	case "du":
		ok, w.here = feeds, true
	default:
		ok = takesFolders(name, a)
	}
	return w, ok
}

// takesFolders tells of a program that copies, packs, moves or compares whole
// folders, which its words name.
func takesFolders(name string, a args) bool {
	switch name {
	case "cp", "gcp":
		return a.short("rRa") || a.long("recursive", "archive")
	case "scp", "diff":
		return a.short("r") || a.long("recursive")
	case "rsync":
		return a.short("ra") || a.long("recursive", "archive")
	case "zip":
		return a.short("r") || a.long("recurse-paths")
	case "tar", "bsdtar", "gtar":
		old := len(a) > 0 && !strings.HasPrefix(a[0].text, "-") && strings.ContainsAny(a[0].text, "cruA")
		return old || a.short("cruA") || a.long("create", "append", "update", "concatenate", "catenate")
	case "gofmt":
		return a.goFlag("d") || !a.goFlag("l", "w")
	case "mv", "7z", "7za", "7zr", "rar", "pax", "ditto":
		return true
	}
	return false
}

// gitWalk tells of what git reads of the whole working tree. Which words are paths
// is known behind "--" alone.
func gitWalk(a args, feeds bool) (w walk, ok bool) {
	sub := slices.IndexFunc(a, func(o word) bool {
		return slices.Contains([]string{"grep", "archive", "ls-files", "ls-tree", "diff", "show", "log"}, o.text)
	})
	if sub < 0 {
		return w, false
	}
	w.args, w.here, w.globs = a, true, true
	for i, o := range a {
		if o.text == "--" && i > sub && !strings.HasPrefix(a[i-1].text, "-") && i+1 < len(a) {
			w.here = slices.ContainsFunc(a[i+1:], func(o word) bool { return !o.fixed || strings.HasPrefix(o.text, ":") })
			break
		}
	}
	switch a[sub].text {
	case "grep", "archive":
		return w, true
	case "ls-files", "ls-tree":
		return w, feeds
	}
	return w, feeds && a.long("name-only", "name-status")
}

var countsLines = lazy(`^-[A-Za-z]*[ABCm]?[0-9]+$`)

// names tells whether at least some words are surely operands. Options are
// letters of flags; one that is none of them may take the next word. An option
// of one of the pattern letters stands for an operand.
func (a args) names(most int, flags, pattern string) bool {
	value := false // the next word may be that of an option
	given := false
	for i, w := range a {
		isOption := strings.HasPrefix(w.text, "-") && len(w.text) > 1
		switch {
		case value && w.text == "--": // which it may be, too
			value = false
		case w.text == "--":
			for _, o := range a[i+1:] {
				if o.fixed {
					most--
				}
			}
			return most <= 0
		case isOption:
			letters := strings.TrimLeft(w.text[1:], flags)
			if !given && !value && (pattern != "" && letters != "" && strings.ContainsAny(letters[:1], pattern) || pattern != "" && a[i:i+1].exact("--regexp", "--file")) {
				given = true
				most--
			}
			value = letters != "" && !countsLines().MatchString(w.text) && !strings.Contains(w.text, "=") && !slices.Contains(longFlags(), w.text)
		case value:
			value = false
		case w.fixed && !w.variable:
			most--
		}
	}
	return most <= 0
}

// longFlags take no value.
var longFlags = fields("--recursive --line-number --ignore-case --files-with-matches --word-regexp --fixed-strings --extended-regexp --hidden --no-ignore --count --no-heading")
