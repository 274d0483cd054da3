package v4a

import (
	"sort"
	"strings"

	"clined/internal/diffedit"
)

// scope is what anchors say of the place of a chunk. Chunks share it: it never
// changes.
type scope struct {
	// last are the lines of the innermost anchor, nested are those of them that
	// stand in the blocks that the outer anchors open.
	last, nested []diffedit.Place
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

// step leads from a scope to the one that an anchor narrows it to.
type step struct {
	from   *scope
	anchor Anchor
}

// newScope looks for the anchors of a chunk, each behind the ones before. It
// stops where too much was looked at.
func (a *applier) newScope(anchors []Anchor) *scope {
	s := a.root
	for _, anchor := range a.parted(anchors) {
		limit := maxLooked
		if anchor.Heading { // which can only help
			limit /= 2
		}
		if a.looked > limit {
			continue
		}
		key := step{s, anchor}
		next, ok := a.scopes[key]
		if !ok {
			next = a.narrowed(s, anchor)
			a.scopes[key] = next
		}
		s = next
	}
	return s
}

// narrowed is the scope that an anchor makes of one.
func (a *applier) narrowed(s *scope, anchor Anchor) *scope {
	next := *s
	isThere := s.name == anchor.Text || len(a.findLine(anchor.Text, diffedit.Exact)) > 0
	switch {
	// The anchor once more says nothing new.
	case isThere && (s.name == anchor.Text || next.enter(a, anchor.Text)):
		next.name, next.weak = anchor.Text, s.weak && anchor.Heading
	case anchor.Heading:
		return s
	case isThere && s.crossed == "":
		next.crossed = anchor.Text
	case !isThere && s.missing == "":
		next.missing = anchor.Text
	}
	if next.name == s.name && next.weak == s.weak && next.crossed == s.crossed && next.missing == s.missing {
		return s
	}
	return &next
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

// holds is the rung below those of the ladder, which only anchors have: lines that
// hold the anchor. Models leave the end of a line out, or its beginning.
const holds = diffedit.Anchored + 1

// findLine returns the lines that an anchor may be, on the first rung from a tier
// on that has any.
func (a *applier) findLine(text string, from diffedit.Tier) []diffedit.Place {
	key := finding{from, text}
	found, ok := a.lines[key]
	if ok {
		return found
	}
	for tier := from; tier < holds && len(found) == 0; tier++ {
		found = a.text.Find([]string{text}, tier)
	}
	if len(found) == 0 && from <= holds {
		a.looked += len(a.before) / bytesPerLook
		for _, at := range a.text.Holding(text) {
			found = append(found, diffedit.Place{From: at, To: at + 1, Tier: holds})
		}
	}
	a.lines[key] = found
	return found
}

// none is true when no anchor was found.
func (s *scope) none() bool { return len(s.last) == 0 }

// enter goes on to the next anchor: to its lines in the blocks of those before,
// on the first rung that has some there, else to those behind. It reports
// whether there are any, and changes nothing if not.
func (s *scope) enter(a *applier, text string) bool {
	var last, nested []diffedit.Place
	for found := a.findLine(text, diffedit.Exact); len(found) > 0 && len(nested) == 0; found = a.findLine(text, found[0].Tier+1) {
		behind := found
		if nested = found; !s.none() {
			behind = s.behind(found, startOf)
			nested = a.inside(s.blocks, found, startOf)
		}
		if len(last) == 0 || len(nested) > 0 {
			last = behind
		}
	}
	if len(last) == 0 {
		return false
	}
	s.last, s.nested, s.blocks = last, nested, a.blocks(nested)
	return true
}

// blocks are the blocks that lines open, those joined that overlap.
func (a *applier) blocks(lines []diffedit.Place) []span {
	if len(lines) > 0 && a.ends == nil {
		a.ends = blockEnds(a.text.Lines())
	}
	a.looked += len(lines)
	var out []span
	for _, p := range lines {
		b := span{p.From, a.ends[p.From]}
		if n := len(out); n > 0 && b.from < out[n-1].to {
			out[n-1].to = max(out[n-1].to, b.to)
			continue
		}
		out = append(out, b)
	}
	return out
}

// startOf is the line where a place begins.
func startOf(p diffedit.Place) int { return p.From }

// inside returns those of places, in order, whose line is in one of the blocks;
// the line that opens a block is: models repeat it.
func (a *applier) inside(blocks []span, places []diffedit.Place, line func(diffedit.Place) int) []diffedit.Place {
	if len(blocks) == 1 {
		return between(places, blocks[0], line)
	}
	var out []diffedit.Place
	if len(blocks) < len(places) {
		for _, b := range blocks {
			out = append(out, between(places, b, line)...)
		}
	} else {
		for _, p := range places {
			at := line(p)
			if i := sort.Search(len(blocks), func(i int) bool { return blocks[i].from > at }); i > 0 && at < blocks[i-1].to {
				out = append(out, p)
			}
		}
	}
	a.looked += min(len(blocks), len(places)) + len(out)
	return out
}

// behind returns those of places, in order, that are behind the anchors, however far.
func (s *scope) behind(places []diffedit.Place, line func(diffedit.Place) int) []diffedit.Place {
	if s.none() {
		return nil
	}
	return places[sort.Search(len(places), func(i int) bool { return line(places[i]) >= s.last[0].From }):]
}

// between returns those of places, in order, whose line is in a block.
func between(places []diffedit.Place, b span, line func(diffedit.Place) int) []diffedit.Place {
	from := sort.Search(len(places), func(i int) bool { return line(places[i]) >= b.from })
	to := sort.Search(len(places), func(i int) bool { return line(places[i]) >= b.to })
	return places[from:to:to]
}
