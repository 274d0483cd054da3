package builtin

import (
	"fmt"
	"path"
	"strings"

	"clined/internal/diffedit"
)

// lazy tells why a text looks like a part that stands for the whole, "" if it
// does not: it is much shorter than the file and one of its new lines says
// that the rest is elsewhere. Neither alone is a reason. The more is gone, the less
// a line must say.
func lazy(file, before, after string) string {
	old, fresh := splitLines(before), splitLines(after)
	lost := len(old) - len(fresh)
	if lost < 5 || len(fresh)*10 > len(old)*8 && len(after)*10 > len(before)*8 {
		return ""
	}
	known := map[string]bool{}
	for _, l := range old {
		known[strings.TrimSpace(l)] = true
	}
	most := mostGone(len(old), len(fresh))
	for i, l := range fresh {
		if line := strings.TrimSpace(l); !known[line] && (standsForMore(file, l) || most && saysMost(file, l)) {
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
		line := placeholder(file, before, before[e.Start:e.End], e.New)
		if line == "" {
			continue
		}
		where := "the " + noun + "s"
		if e.Block > 0 {
			where = fmt.Sprintf("%s %d", noun, e.Block)
		}
		return fmt.Errorf("%s would put %q in place of lines %d-%d, and what they hold would be lost; nothing was changed: leave out lines that stay, or repeat them in full", where, cutLine(line), e.Line, e.EndLine)
	}
	return nil
}

// placeholder returns the line of fresh that stands for lines of old, "" if none does.
func placeholder(file, before, old, fresh string) string {
	lines, were := splitLines(fresh), len(splitLines(old))
	if were-len(lines) < lazyLoss {
		return ""
	}
	most := mostGone(were, len(lines))
	for _, l := range lines {
		if line := strings.TrimSpace(l); (saysMore(file, l) || most && saysMost(file, l)) && !strings.Contains(before, line) {
			return line
		}
	}
	return ""
}

// mostGone reports whether of so many lines at least 70 % are lost.
func mostGone(old, fresh int) bool { return (old-fresh)*10 >= old*7 }

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
