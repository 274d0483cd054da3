package builtin

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"clined/internal/diffedit"
)

// lazy tells why a text looks like a part that stands for the whole, "" if it
// does not: it is much shorter than the file and one of its new lines says
// that the rest is elsewhere. Neither alone is a reason.
func lazy(before, after string) string {
	old, fresh := splitLines(before), splitLines(after)
	lost := len(old) - len(fresh)
	if lost < 5 || len(fresh)*10 > len(old)*8 && len(after)*10 > len(before)*8 {
		return ""
	}
	known := map[string]bool{}
	for _, l := range old {
		known[strings.TrimSpace(l)] = true
	}
	for i, l := range fresh {
		if line := strings.TrimSpace(l); !known[line] && standsForMore(line) {
			return fmt.Sprintf("the new text has %s where the file has %d, and line %d (%s) seems to stand for the rest", plural(len(fresh), "line"), len(old), i+1, cutLine(line))
		}
	}
	return ""
}

// lazyParts refuses an edit one of whose parts, which the model calls noun, puts
// a remark that stands for more in place of lines: what these held would be gone.
func lazyParts(file, before, noun string, res *diffedit.Result) error {
	if isProse(file) { // where code is shown, leaving some of it out is an art
		return nil
	}
	for _, e := range res.Edits {
		old, fresh := splitLines(before[e.Start:e.End]), splitLines(e.New)
		lost := len(old) - len(fresh)
		if lost < lazyLoss {
			continue
		}
		for _, l := range fresh {
			if line := strings.TrimSpace(l); standsForMore(line) && !strings.Contains(before, line) {
				return fmt.Errorf("%s %d would put %q in place of lines %d-%d, and what they hold would be lost; nothing was changed: leave out lines that stay, or repeat them in full", noun, e.Block, cutLine(line), e.Line, e.EndLine)
			}
		}
	}
	return nil
}

// lazyLoss is how many lines an edit must lose to look like a part that stands
// for the whole.
const lazyLoss = 3

// isProse reports whether a file is a text for people.
func isProse(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".mdx", ".mdc", ".mdown", ".mkd", ".qmd", ".rmd", ".rst", ".adoc", ".asciidoc", ".txt", ".tex", ".org", ".textile":
		return true
	}
	return false
}

// cutLine shortens a line for a message.
func cutLine(line string) string {
	const limit = 80
	if r := []rune(line); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return line
}

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
