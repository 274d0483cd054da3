package approval

import (
	"maps"
	"slices"
	"strings"
)

// nameless are the places of those words of a command that look like names of
// files and are none: programs that only read ("head"), the revision HEAD, and
// the method of HTTP.
func nameless(words []word) map[int]bool {
	at := map[int]bool{}
	if len(words) == 0 {
		return at
	}
	if reads := func(i int) bool { return words[i].fixed && slices.Contains(readers(), words[i].text) }; reads(0) {
		at[0] = true
	} else if i := programAt(words); i > 0 && reads(i) {
		at[i] = true
	}
	given := args(words[1:])
	switch words[0].text {
	case "git":
		maps.Copy(at, revisions(words))
	case "curl":
		given.methods(at, "request")
	case "gh", "wget":
		given.methods(at, "method")
	case "http", "https", "xh":
		if len(given) > 0 && isHead(given[0]) {
			at[1] = true
		}
	}
	return at
}

func isHead(w word) bool { return w.fixed && w.text == "HEAD" }

// mayChange are the words of a command that may name files, without the
// program's name.
func (c simple) mayChange() (list []string) {
	none := nameless(c.words)
	for i, w := range c.words {
		if i > 0 && !none[i] {
			list = append(list, w.text)
		}
	}
	return list
}

// programAt is where the program stands that a wrapper runs, as far as its options
// are known to take no further word; 0 where that cannot be told.
func programAt(words []word) int {
	flags, known := valueless()[words[0].text]
	if !known {
		return 0
	}
	before := leading()[words[0].text]
	for i, w := range words[1:] {
		switch {
		case !w.fixed:
			return 0
		case strings.HasPrefix(w.text, "-"):
			if !attached().MatchString(w.text) && !slices.Contains(flags, w.text) {
				return 0
			}
		case before > 0:
			before--
		case !strings.Contains(w.text, "="):
			return i + 1
		}
	}
	return 0
}

// methods notes where an option gives the method HEAD. With letters in front it
// is that of curl, whose "-oX" would leave a URL.
func (a args) methods(at map[int]bool, long string) {
	for i, w := range a {
		switch {
		case !w.fixed:
		case w.text == "-XHEAD", w.text == "--"+long+"=HEAD":
			at[i+1] = true
		case i > 0 && isHead(w) && (a[i-1].text == "--"+long || methodLetter().MatchString(a[i-1].text)):
			at[i+1] = true
		}
	}
}

var methodLetter = lazy(`^-[A-Za-z]*X$`)

// revisionSubs are subcommands of git for which HEAD, in front of "--", is the
// revision and neither a file nor among what they print.
var revisionSubs = fields("switch log show diff rev-parse rev-list describe merge-base cat-file archive format-patch")

// hashes are words with which rev-parse prints no word as it is, nor the path of a
// file such as .git/HEAD. Of a detached HEAD --abbrev-ref prints that name.
var hashes = lazy(`^([^-].*|-q|--quiet|--verify|--short(=\d+)?|--abbrev-ref(=\w+)?)$`)

// outputs is what may say that the next word is a file to write, alone or behind
// other letters.
var outputs = lazy(`^(-[^-]*o|--o$|--ou)`)

// revisions are the places of HEAD in a command of git where it is the revision.
func revisions(words []word) map[int]bool {
	at := map[int]bool{}
	a, ok := gitSkip(words[1:])
	if !ok || len(a) == 0 {
		return at
	}
	first := len(words) - len(a) + 1 // the place of a[1]
	rest := a[1:]
	if i := slices.IndexFunc(rest, func(w word) bool { return w.text == "--" }); i >= 0 {
		rest = rest[:i]
	}
	sub, operands := a.sub(), 0
	if sub == "rev-parse" && slices.ContainsFunc(rest, func(w word) bool { return !hashes().MatchString(w.text) }) {
		return at
	}
	for i, w := range rest {
		before := ""
		if i > 0 {
			before = rest[i-1].text
		}
		is := false
		switch {
		case sub == "checkout" && slices.Contains([]string{"-b", "-B", "--orphan"}, before):
		case sub == "checkout" && !strings.HasPrefix(w.text, "-"): // what follows the first is a file
			is, operands = operands == 0 && isHead(w), operands+1
		case sub == "restore":
			is = isHead(w) && (before == "-s" || before == "--source") || w.fixed && w.text == "--source=HEAD"
		case slices.Contains(revisionSubs(), sub):
			is = isHead(w) && !outputs().MatchString(before)
		}
		if is {
			at[first+i] = true
		}
	}
	return at
}
