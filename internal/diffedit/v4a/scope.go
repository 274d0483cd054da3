package v4a

import (
	"slices"
	"strings"

	"clined/internal/diffedit"
)

// scope is what the anchors of a chunk say of its place.
type scope struct {
	// last are the lines of the innermost anchor, nested are those of them that
	// stand in the blocks that the outer anchors open.
	last, nested []int
	// blocks are the lines of the blocks that nested ones open, in order.
	blocks []span
	// name is the innermost anchor that was found. weak: all that were found are
	// headings.
	name string
	weak bool
	// missing is the first anchor that is not in the file, crossed the first one
	// that is, but not behind the ones before: "" for none.
	missing, crossed string
}

// span is the lines from to to, exclusive.
type span struct{ from, to int }

// newScope looks for the anchors of a chunk, each behind the ones before.
func (a *applier) newScope(anchors []Anchor) *scope {
	s := &scope{weak: true}
	for _, anchor := range a.parted(anchors) {
		isThere := len(a.findLine(anchor.Text, diffedit.Exact)) > 0
		switch {
		case isThere && s.enter(a, anchor.Text):
			s.name, s.weak = anchor.Text, s.weak && anchor.Heading
		case anchor.Heading:
		case isThere && s.crossed == "":
			s.crossed = anchor.Text
		case !isThere && s.missing == "":
			s.missing = anchor.Text
		}
	}
	return s
}

// parted cuts anchors that were written into one line, "class A @@ def f()".
func (a *applier) parted(anchors []Anchor) []Anchor {
	var out []Anchor
	for _, anchor := range anchors {
		parts := []string{anchor.Text}
		if strings.Contains(anchor.Text, " @@ ") && len(a.findLine(anchor.Text, diffedit.Exact)) == 0 {
			parts = strings.Split(anchor.Text, " @@ ")
		}
		for _, text := range parts {
			out = append(out, Anchor{text, anchor.Heading})
		}
	}
	return out
}

func (a *applier) findLine(text string, from diffedit.Tier) []diffedit.Place {
	key := finding{from, text}
	found, ok := a.lines[key]
	if !ok {
		found = a.text.FindLine(text, from)
		a.lines[key] = found
	}
	return found
}

func (a *applier) blockEnd(at int) int {
	end, ok := a.ends[at]
	if !ok {
		end = blockEnd(a.text.Lines(), at)
		a.ends[at] = end
	}
	return end
}

// none is true when no anchor was found.
func (s *scope) none() bool { return len(s.last) == 0 }

// enter goes on to the next anchor: to its lines in the blocks of those before,
// on the first rung that has some there, else to those behind. It reports
// whether there are any, and changes nothing if not.
func (s *scope) enter(a *applier, text string) bool {
	var last, nested []int
	for found := a.findLine(text, diffedit.Exact); len(found) > 0 && len(nested) == 0; found = a.findLine(text, found[0].Tier+1) {
		var behind []int
		for _, p := range found {
			if s.none() || s.behind(p.From) {
				behind = append(behind, p.From)
			}
			if s.none() || s.inside(p.From) {
				nested = append(nested, p.From)
			}
		}
		if len(last) == 0 || len(nested) > 0 {
			last = behind
		}
	}
	if len(last) == 0 {
		return false
	}
	s.last, s.nested, s.blocks = last, nested, nil
	for _, at := range nested {
		b := span{at, a.blockEnd(at)}
		if n := len(s.blocks); n > 0 && b.from < s.blocks[n-1].to {
			s.blocks[n-1].to = max(s.blocks[n-1].to, b.to)
			continue
		}
		s.blocks = append(s.blocks, b)
	}
	return true
}

// inside reports whether a line is in a block that the anchors open, or the
// anchor itself: models repeat it.
func (s *scope) inside(line int) bool {
	i, ok := slices.BinarySearchFunc(s.blocks, line, func(b span, line int) int { return b.from - line })
	return ok || i > 0 && line < s.blocks[i-1].to
}

// behind reports whether a line is behind the anchors, however far.
func (s *scope) behind(line int) bool { return !s.none() && line >= s.last[0] }

// blockEnd returns where the block ends that line at opens: the lines that are
// indented deeper, with those that close or continue such a block. Of a heading
// (Markdown, INI, TOML) it is all up to the next one of its kind.
func blockEnd(lines []string, at int) int {
	base, end := width(lines[at]), at+1
	level := headingLevel(lines[at])
	for i := at + 1; i < len(lines); i++ {
		l := lines[i]
		if isBlank(l) {
			continue
		}
		w, other := width(l), headingLevel(l)
		switch {
		case w < base:
			return end
		case level != 0 && other*level > 0 && (level < 0 || other <= level) && w == base:
			return end
		case level == 0 && w == base && !goesOn(l) && (!isItem(l) || isItem(lines[at])):
			return end
		}
		end = i + 1
	}
	return end
}

// headingLevel is 1 or more for a heading of Markdown, -1 for one of INI or
// TOML, 0 for other lines.
func headingLevel(line string) int {
	line = strings.Trim(line, " \t")
	rest := strings.TrimLeft(line, "#")
	switch n := len(line) - len(rest); {
	case n > 0 && strings.HasPrefix(rest, " "):
		return n
	case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
		return -1
	}
	return 0
}

// isItem reports whether a line is an item of a list, which YAML need not indent.
func isItem(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "- ")
}

// width is how deep a line is indented.
func width(line string) int {
	in := indentOf(line)
	return len(in) + 3*strings.Count(in, "\t")
}

// goesOn reports whether a line goes on with the block that stands before it at
// the same depth, in one of the usual languages.
func goesOn(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if strings.ContainsRune("{})]", rune(line[0])) {
		return true
	}
	word := line[:len(line)-len(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz"))]
	return slices.Contains([]string{"end", "else", "elif", "except", "finally", "rescue", "ensure"}, word)
}
