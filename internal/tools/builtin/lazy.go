package builtin

import (
	"regexp"
	"strings"
	"sync"
)

// standsForMore reports whether a line is a remark in place of text that was
// left out, such as `// ... rest of code unchanged ...`. A line of code that
// ends in a remark does not count.
func standsForMore(line string) bool {
	remark := remarkOf(line)
	if remark == "" {
		return false
	}
	p := placeholders()
	if dots := strings.HasPrefix(remark, "...") || strings.HasPrefix(remark, "…") ||
		strings.HasSuffix(remark, "...") || strings.HasSuffix(remark, "…"); dots {
		return strings.Trim(remark, ".… ") == "" || p.loose.MatchString(remark)
	}
	return p.strict.MatchString(remark)
}

// remarkOf returns the words of a line that is a comment and nothing else, or
// that begins with dots.
func remarkOf(line string) string {
	s := strings.TrimSpace(line)
	for _, open := range []string{"//", "#", "--", "/*", "<!--", "{/*", ";", "%", "*", "'", "(", "[", "<", "\"\"\""} {
		if strings.HasPrefix(s, open) {
			s = strings.TrimLeft(s, "/#-*<!;%{'([\" \t")
			return strings.ToLower(strings.TrimRight(s, "/-*>})]\" \t"))
		}
	}
	if strings.HasPrefix(s, "...") || strings.HasPrefix(s, "…") {
		return strings.ToLower(s)
	}
	return ""
}

// placeholders are the phrases: loose ones count beside dots, strict ones alone.
var placeholders = sync.OnceValue(func() (p struct{ loose, strict *regexp.Regexp }) {
	const (
		things = `(code|file|content|contents|text|function|functions|method|methods|class|classes|implementation|logic|lines|imports|styles|rules|definitions|tests|section|sections|document|config|configuration|component|module|entries|items)`
		same   = `(unchanged|the same|as before|as is|stays?|remains?|omitted|not shown|here|goes here|continues?)`
	)
	p.loose = regexp.MustCompile(`\b(rest|remaining|remainder|existing|previous|unchanged|same as|other|omitted|keep|more|as before|original)\b`)
	p.strict = regexp.MustCompile(
		`^(the )?(rest|remainder) of (the |your |this )?(existing |original |previous )?` + things + `\b.{0,30}$` +
			`|^(the )?(remaining|existing|previous|original|other) ` + things + `\b.{0,20}\b` + same + `\.?$` +
			`|^` + things + ` (is |are )?(unchanged|omitted|not shown|remains? the same|stays? the same)\b.{0,20}$` +
			`|^(same|unchanged) (code |content )?(as|from) (before|above|the original)\.?$` +
			`|^keep (the )?(rest|existing|remaining|original)\b.{0,40}$`)
	return p
})
