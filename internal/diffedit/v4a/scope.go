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
	for _, anchor := range anchors {
		found := a.findLine(anchor.Text)
		switch {
		case len(found) > 0 && s.enter(a, found):
			s.name, s.weak = anchor.Text, s.weak && anchor.Heading
		case anchor.Heading:
		case len(found) > 0 && s.crossed == "":
			s.crossed = anchor.Text
		case len(found) == 0 && s.missing == "":
			s.missing = anchor.Text
		}
	}
	return s
}

func (a *applier) findLine(text string) []diffedit.Place {
	found, ok := a.lines[text]
	if !ok {
		found = a.text.FindLine(text)
		a.lines[text] = found
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

// enter goes on to the next anchor. It reports whether that stands behind the
// ones before, and changes nothing if not.
func (s *scope) enter(a *applier, found []diffedit.Place) bool {
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
