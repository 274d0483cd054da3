package builtin

import (
	"path"
	"regexp"
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
	begins, ends := hasDots(words, strings.HasPrefix), hasDots(words, strings.HasSuffix)
	begins = begins || comment && strings.HasPrefix(words, "[")
	plain := strings.Trim(words, ".…:;,-()[]{}<>* \t")
	switch p := phrases(); {
	case plain == "":
		return false
	case !comment && begins && !ends && !strings.HasPrefix(strings.TrimLeft(words, ".…"), " "):
		return false // ...rest is code in some languages
	case p.alone.MatchString(plain):
		return true
	case begins && ends:
		return p.among.MatchString(plain)
	case begins, ends && !isProse(file):
		return p.beside.MatchString(plain)
	}
	return false
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

// phrases are what placeholders say: alone, with dots before or behind, between
// dots.
var phrases = sync.OnceValue(func() (p struct{ alone, beside, among *regexp.Regexp }) {
	const (
		things = `(code|file|files|content|contents|text|functions?|methods?|class|classes|implementations?|logic|lines|imports|styles|rules|definitions|tests?|sections?|document|config|configuration|component|module|entries|items|routes|handlers|fields|properties|props|cases|queries|query|script|body|markup|template|page|settings|options|columns|statements|chapters|paragraphs|keys|values|targets|steps|jobs|html|css)`
		same   = `(unchanged|(the )?same|as before|as is|as it was|stays?|remains?|omitted|not shown|not changed|here|goes here|go here|continues?|follows?)`
		which  = `(remaining|existing|previous|original|other|unchanged|rest|same)`
	)
	p.alone = regexp.MustCompile(
		`^(the )?(rest|remainder) of (the |your |this |my )?(existing |original |previous |current )?([a-z]+ )?` + things + `\b.{0,40}$` +
			`|^(the |all |your |keep |keep the |keep all )*(other |remaining |existing |previous |original )+([a-z]+ )?` + things + `\b.{0,25}\b` + same + `$` +
			`|^(your |insert |paste |keep )+(the )?(existing|previous|original|remaining) ([a-z]+ )?` + things + `\b.{0,20}$` +
			`|^` + things + ` (is |are )?(unchanged|omitted|not shown|remains? (the same|unchanged)|stays? (the same|unchanged))\b.{0,25}$` +
			`|^(everything|all|the rest|rest)( else)?( below| above| here)? (is |are |stays? |remains? )?(unchanged|the same|as before|omitted)\b.{0,15}$` +
			`|^(unchanged|same|identical)( ` + things + `)?( as| from| to)? (before|above|the original|original|previously)$` +
			`|^keep (the )?(rest|remaining)\b.{0,40}$` +
			`|^no (further |other )?changes? (below|above|here|after this|from here|needed|to the rest)\b.{0,40}$` +
			`|\b(omitted|truncated|skipped|shortened|elided|left out|not shown) (here )?for (brevity|space|clarity)\b` +
			`|^(snip|snipped|unchanged)$` +
			`|^\d+ (more|other|unchanged|remaining|further|additional) ([a-z]+ )?lines\b.{0,30}$`)
	p.beside = regexp.MustCompile(
		`^(the |all |and |with )*(rest|remaining|remainder|unchanged|omitted)\b` +
			`|^keep (the |all |your )*` + which + `\b` +
			`|^(the |all |your |and )*` + which + ` ([a-z]+ )?` + things + `\b` +
			`|^(more|further|additional) ` + things + `$` +
			`|^` + things + ` (unchanged|omitted|continues?)$` +
			`|^(same as|as) (before|above)$`)
	p.among = regexp.MustCompile(`\b(rest|remaining|remainder|existing|previous|unchanged|same|other|others|omitted|keep|more|as before|original|continue|continues|skip|skipped|snip|truncated|implementation)\b`)
	return p
})
