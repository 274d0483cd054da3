package builtin

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A placeholder is a line that stands for text which was left out, such as
// `// ... rest of code unchanged ...`: a remark and nothing else, or dots.

// standsForMore reports whether a line of a file is a placeholder. A line of code
// that ends in a remark is none.
func standsForMore(file, line string) bool {
	return dotsAlone(file, line) || saysMore(file, line)
}

// dotsAlone reports whether a line is nothing but dots, in a remark or bare.
func dotsAlone(file, line string) bool {
	words, comment := remarkOf(file, line)
	around := ".… "
	if comment {
		around += "()[]<>{}"
	}
	switch {
	case strings.Trim(words, around) != "" || !strings.ContainsAny(words, ".…"):
		return false
	case comment:
		return true
	}
	switch strings.ToLower(path.Ext(file)) {
	case ".py", ".pyi", ".c", ".h", ".cc", ".cpp", ".hpp": // an empty body, further arguments
		return line == strings.TrimLeft(line, " \t")
	case ".yaml", ".yml": // the end of a document
		return false
	}
	return true
}

// saysMore reports whether a line is a remark whose words say that there is more.
func saysMore(file, line string) bool {
	words, comment := remarkOf(file, line)
	if comment && len(words) <= maxPhrase && saysMoreElsewhere(words) {
		return true
	}
	if len(words) > maxPhrase || !slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(words, h) }) {
		return false
	}
	begins, ends := hasDots(words, strings.HasPrefix), hasDots(words, strings.HasSuffix)
	begins = begins || comment && strings.HasPrefix(words, "[")
	plain := strings.Trim(words, ".…:;,-()[]{}<>* \t")
	p := phrases()
	if todo, ok := strings.CutPrefix(plain, "todo"); ok {
		plain = strings.TrimLeft(todo, ":- ")
		if fetch().todo.MatchString(plain) {
			return true
		}
		if !p.todo.MatchString(plain) {
			return false
		}
	}
	switch {
	case comment && fetch().here.MatchString(plain):
		return true
	case plain == "":
		return false
	case !comment && begins && !ends && !strings.HasPrefix(strings.TrimLeft(words, ".…"), " "):
		return false // ...rest is code in some languages
	case p.alone.MatchString(plain):
		return true
	case comment && inBrackets(line) && p.bracketed.MatchString(plain):
		return true
	case begins && ends:
		return p.among.MatchString(plain)
	case begins, ends && !isProse(file):
		return p.beside.MatchString(plain)
	}
	return false
}

// fetch is what a remark says that tells somebody else to bring what is left out:
// behind a "todo", and without one, where only a place tells it from a remark on
// code that copies something.
var fetch = sync.OnceValue(func() (f struct{ todo, here *regexp.Regexp }) {
	const (
		code  = `(?:code|files?|contents?|text|functions?|methods?|class|classes|types?|implementations?|logic|lines|imports|styles|definitions|declarations|sections?|modules?|components?|script|body|markup|templates?|page|html|css|jsx)`
		bring = `(?:please )?(?:copy|paste|copy[/ -](?:and[ -])?paste|insert|restore|include|re-?add|re-?insert|add back|put back|bring back|bring over|carry over|move over|fill in)(?: in| back| over)?`
		what  = ` (?:the |all |your |in )*(?:(?:rest|remainder)(?: of (?:the |your |this )?(?:[a-z]+ )?` + code + `)?|(?:remaining|existing|original|previous|other|old|unchanged) ` + code + `)`
		from  = ` from (?:the |your )?(?:(?:original|old|existing|previous|current) (?:` + code + `|version)|original|above|before|file)`
		place = `(?: back| over| in| below| here| unchanged| verbatim| as is| as before|` + from + `)`
	)
	f.todo = regexp.MustCompile(`^` + bring + what + place + `*$`)
	f.here = regexp.MustCompile(`^` + bring + what + `(?: back| over| in)?(?: below| here| unchanged| verbatim| as is| as before|` + from + `)+$`)
	return f
})

// inBrackets reports whether all words of a remark are in brackets.
func inBrackets(line string) bool {
	line = strings.Trim(line, "/#-*<!;%{}'> \t")
	return strings.HasPrefix(line, "(") && strings.HasSuffix(line, ")")
}

func hasDots(words string, at func(s, dots string) bool) bool {
	words = strings.Trim(words, "()[]{}<> ")
	return at(words, "...") || at(words, "…")
}

// openings begin a remark; those of the second list stand for themselves in most
// languages, and only words in dots or brackets make a remark of such a line.
var (
	openings = []string{"//", "#", "--", "/*", "<!--", "{/*", "{{!", "<%#", "\"\"\"", "(*", ";", "%", "*", "REM "}
	brackets = []string{"(", "[", "<", "…", "..."}
)

// remarkOf returns the words of a line that is a remark and nothing else, in
// lower case; comment is false when it is one by its dots or brackets only.
func remarkOf(file, line string) (words string, comment bool) {
	s := strings.TrimSpace(line)
	marks := openings
	switch strings.ToLower(path.Ext(file)) {
	case ".vb", ".bas", ".vbs", ".cls", ".frm":
		marks = append([]string{"'"}, marks...)
	}
	for _, open := range marks {
		if strings.HasPrefix(s, open) {
			s = strings.TrimLeft(s, "/#-*<!;%{'(\" \t")
			return strings.ToLower(strings.TrimRight(s, "/-*>})%\" \t")), true
		}
	}
	for _, open := range brackets {
		if strings.HasPrefix(s, open) {
			return strings.ToLower(s), false
		}
	}
	return "", false
}

// maxPhrase is how long, in bytes, a placeholder is at most.
const maxPhrase = 300

// hints are what no phrase is without: to look for them is much cheaper.
var hints = []string{
	"rest", "remain", "exist", "previous", "original", "other", "change", "same", "identical", "omit", "not shown", "stay", "continue",
	"as before", "as above", "truncated", "skip", "shortened", "elided", "left out", "snip", "lines", "more", "further", "additional", "keep", "implementation",
}

// phrases are what placeholders say: alone, with dots before or behind, between
// dots, in brackets; behind a "todo" they must end in a word of place or state.
// What follows the thing that is left out may only be words of fill, else the
// remark says something about that thing.
var phrases = sync.OnceValue(func() (p struct{ alone, beside, among, bracketed, todo *regexp.Regexp }) {
	const (
		thing = `(?:code|files?|contents?|text|functions?|methods?|class|classes|types?|interfaces|structs|implementations?|logic|lines|imports|styles|rules|definitions|declarations|tests?|sections?|document|data|config|configuration|components?|elements|modules?|packages|dependencies|entries|items|records|routes|endpoints|handlers|hooks|fields|properties|props|attributes|parameters|variables|constants|cases|queries|query|tables|views|triggers|indexes|constraints|migrations|models|services?|volumes|networks|secrets|resources|script|body|markup|templates?|page|settings|options|columns|statements|commands|chapters|paragraphs|keys|values|targets|steps|stages|tasks|jobs|blocks|selectors|html|css|jsx)`
		list  = `(?:(?:\d+|[a-z]+) ){0,2}` + thing + `(?:,? (?:and )?(?:the )?(?:[a-z]+ )?` + thing + `)*`
		same  = `(?:unchanged|unmodified|untouched|intact|(?:the )?same|as (?:before|above)|identical|as is|as it (?:is|was)|as they (?:are|were)|stays?|remains?|omitted|not shown|not changed|here|goes here|go here|continues?|follows?)`
		fill  = `(?: (?:` + same + `|is|are|was|were|has|have|been|goes|go|kept|left|exactly|entirely|still|all|also|too|now|below|above|there|in place|(?:like|to) before|(?:as|to|as in) (?:the )?original|from (?:the )?original|for (?:brevity|clarity|now)))*`
		which = `(?:remaining|existing|previous|original|other|unchanged|rest|same)`
		rest  = `(?:rest|remainder)(?: of (?:the |your |this |my )?(?:existing |original |previous |current )?` + list + `)`
	)
	p.alone = regexp.MustCompile(
		`^(?:the )?` + rest + fill + `$` +
			`|^(?:the |all |your |keep |keep the |keep all )*(?:other |remaining |existing |previous |original )+` + list + fill + ` ` + same + `$` +
			`|^(?:your |insert |paste |keep )+(?:the )?(?:existing|previous|original|remaining) ` + list + fill + `$` +
			`|^(?:\d+ )?` + thing + ` (?:(?:below|above|here|from here(?: on)?|after this) )?(?:is |are )?(?:unchanged|omitted|not shown|remains? (?:the same|unchanged)|stays? (?:the same|unchanged))\b.{0,25}$` +
			`|^(?:the |your )*(?:rest|` + list + `) continues?(?: ` + same + `| below| above)` + fill + `$` +
			`|^existing (?:code|contents?|templates?|markup|implementations?|logic|body|script|styles|imports|components|elements|functions|methods|html|css|jsx)$` +
			`|^(?:everything|all|the rest|rest)(?: else)?(?: below| above| here)? (?:is |are |stays? |remains? )?(?:unchanged|the same|identical|as before|as above|omitted)\b.{0,15}$` +
			`|^(?:unchanged|same|identical)(?: ` + thing + `)?(?: as| from| to)? (?:before|above|the original|original|previously)$` +
			`|^keep (?:the )?(?:rest|remainder|` + rest + `)` + fill + `$` +
			`|^no (?:further |other )?changes? (?:below|above|here|after this|from here|needed|to the rest)\b.{0,40}$` +
			`|\b(?:omitted|truncated|skipped|shortened|elided|left out|not shown) (?:here )?for (?:brevity|space|clarity)\b` +
			`|^(?:snip|snipped|unchanged(?: below| above| from here(?: on)?)?)$` +
			`|^(?:[a-z]+ )?\S*\d ?(?:\.\.\.?|…|–|-|to|through) ?\S*\d(?:,|:| are| is)? (?:no changes?|unchanged|not changed|the same|same as before|as before|omitted)$` +
			`|^\d+ (?:more|other|unchanged|remaining|further|additional) (?:[a-z]+ )?` + thing + fill + `$` +
			`|^\d+ (?:more|other|unchanged|remaining|further|additional) (?:[a-z]+ )?lines\b.{0,30}$`)
	p.beside = regexp.MustCompile(
		`^(?:the |all |and |with )*(?:rest|remaining|remainder|unchanged|omitted)` + fill + `$` +
			`|^(?:the |all |and |with )*(?:rest|remainder) of (?:the |your |this |my )?(?:[a-z]+ )?[a-z]+` + fill + `$` +
			`|^keep (?:the |all |your )*` + which + `(?: (?:[a-z]+ )?[a-z]+)?` + fill + `$` +
			`|^(?:the |all |your |and |with )*` + which + ` ` + list + fill + `$` +
			`|^(?:the |all |your |and |with )*` + which + ` (?:[a-z]+,? ){1,5}` + same + `$` +
			`|^(?:more|further|additional) ` + thing + `$` +
			`|^` + thing + ` (?:unchanged|omitted|continues?)$` +
			`|^(?:same as|as) (?:before|above)$`)
	p.among = regexp.MustCompile(`\b(?:rest|remaining|remainder|existing|previous|unchanged|same|other|others|omitted|keep|more|as before|original|continue|continues|skip|skipped|snip|truncated|implementation)\b`)
	p.bracketed = regexp.MustCompile(`^(?:the |all |your )*` + which + ` ` + list + fill + `$`)
	p.todo = regexp.MustCompile(` ` + same + `$`)
	return p
})
