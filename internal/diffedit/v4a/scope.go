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
	// missing are anchors that are nowhere in the file; weak: all that were
	// found are headings.
	missing []Anchor
	weak    bool
}

// span is the lines from to to, exclusive.
type span struct{ from, to int }

// newScope looks for the anchors of a chunk, each behind the ones before.
func newScope(t *diffedit.Text, anchors []Anchor) *scope {
	s := &scope{weak: true}
	for _, a := range anchors {
		found := t.FindLine(a.Text)
		switch {
		case len(found) > 0:
			s.enter(t.Lines(), found)
			s.weak = s.weak && a.Heading
		case !a.Heading:
			s.missing = append(s.missing, a)
		}
	}
	return s
}

// none is true when no anchor was found.
func (s *scope) none() bool { return len(s.last) == 0 }

// enter goes on to the next anchor. Where none of its lines is behind the
// anchors before, they count for nothing.
func (s *scope) enter(lines []string, found []diffedit.Place) {
	var last, nested []int
	for _, p := range found {
		if s.none() || p.From > s.last[0] {
			last = append(last, p.From)
		}
		if s.none() || s.inside(p.From) {
			nested = append(nested, p.From)
		}
	}
	if len(last) == 0 {
		for _, p := range found {
			last = append(last, p.From)
		}
	}
	s.last, s.nested, s.blocks = last, nested, nil
	for _, at := range nested {
		b := span{at, blockEnd(lines, at)}
		if n := len(s.blocks); n > 0 && b.from < s.blocks[n-1].to {
			s.blocks[n-1].to = max(s.blocks[n-1].to, b.to)
			continue
		}
		s.blocks = append(s.blocks, b)
	}
}

// inside reports whether a line is in a block that the anchors open, or the
// anchor itself: models repeat it.
func (s *scope) inside(line int) bool {
	i, ok := slices.BinarySearchFunc(s.blocks, line, func(b span, line int) int { return b.from - line })
	return ok || i > 0 && line < s.blocks[i-1].to
}

// behind reports whether a line is behind the anchors, however far.
func (s *scope) behind(line int) bool { return !s.none() && line >= s.last[0] }

// blockEnd returns where the lines end that are indented deeper than line at,
// with the lines that close or continue such a block.
func blockEnd(lines []string, at int) int {
	base, end := width(lines[at]), at+1
	for i := at + 1; i < len(lines); i++ {
		if isBlank(lines[i]) {
			continue
		}
		if w := width(lines[i]); w < base || w == base && !goesOn(lines[i]) {
			break
		}
		end = i + 1
	}
	return end
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
