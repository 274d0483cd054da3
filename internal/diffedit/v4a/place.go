package v4a

import (
	"strings"

	"clined/internal/diffedit"
)

// spot is a chunk and where it may stand.
type spot struct {
	*Chunk
	n int // its number in the file, from 1
	reading
	// found are its places, in order, and left those that the other chunks leave.
	// None has lines when the chunk only brings new ones.
	found, left []diffedit.Place
	// strayed: it is not at the end of the file, where it was said to be.
	strayed bool
	scope   *scope
	made    *made // nil before its edit was made
}

// locate finds the places that a chunk can mean.
func (a *applier) locate(c *Chunk, n int) (*spot, error) {
	s := &spot{Chunk: c, n: n, scope: a.newScope(c.Anchors)}
	readings := c.readings()
	s.reading = readings[0]
	switch {
	case s.scope.crossed != "":
		return nil, a.crossed(s)
	case len(s.old) == 0:
		return s, a.locateNew(s)
	}
	ladder := &ladder{a: a, readings: readings, lowest: diffedit.Anchored}
	if s.scope.missing != "" { // the lines alone must do
		ladder.lowest = diffedit.Exact
	}
	for _, atEnd := range []bool{c.AtEnd, false} {
		for _, fits := range s.scope.filters() {
			r, found := ladder.first(fits, atEnd)
			if len(found) == 0 {
				continue
			}
			s.reading, s.found, s.strayed = *r, found, c.AtEnd && !atEnd
			if s.scope.missing != "" && len(found) > 1 {
				return nil, a.ambiguous(s, found)
			}
			return s, nil
		}
	}
	return s, a.miss(s, ladder)
}

// filters are what the anchors ask of the line where the change begins, the
// narrowest first; nil asks nothing.
func (s *scope) filters() []func(line int) bool {
	switch {
	case s.none():
		return []func(int) bool{nil}
	case s.weak:
		return []func(int) bool{s.inside, s.behind, nil}
	}
	return []func(int) bool{s.inside, s.behind}
}

// locateNew places a chunk that only brings new lines: it needs an anchor, the
// end of the file, or an empty file.
func (a *applier) locateNew(s *spot) error {
	at := s.scope.nested
	if len(at) == 0 {
		at = s.scope.last
	}
	switch end := len(a.text.Lines()); {
	case end == 0 || s.AtEnd:
		s.found = []diffedit.Place{{From: end, To: end}}
	case s.scope.missing != "" || s.scope.none() || s.scope.weak:
		return a.nowhere(s)
	default:
		for _, line := range at {
			s.found = append(s.found, diffedit.Place{From: line + 1, To: line + 1})
		}
	}
	return nil
}

// ladder has the places of all readings of a chunk, rung by rung.
type ladder struct {
	a        *applier
	readings []reading
	lowest   diffedit.Tier
}

// first returns the places of the first rung that has some that fit, and the
// reading that they are for. atEnd asks that only blank lines follow.
func (l *ladder) first(fits func(line int) bool, atEnd bool) (*reading, []diffedit.Place) {
	for tier := diffedit.Exact; tier <= l.lowest; tier++ {
		for i := range l.readings {
			r := &l.readings[i]
			found := l.a.find(r.old, tier)
			if fits != nil || atEnd {
				var some []diffedit.Place
				for _, p := range found {
					if (!atEnd || p.To >= l.a.contentEnd) && (fits == nil || fits(r.change(p))) {
						some = append(some, p)
					}
				}
				found = some
			}
			if len(found) > 0 {
				return r, found
			}
		}
	}
	return nil, nil
}

// find is Text.Find, once for chunks that look for the same lines: a file may
// hold them very often.
func (a *applier) find(lines []string, tier diffedit.Tier) []diffedit.Place {
	key := finding{tier, strings.Join(lines, "\n")}
	found, ok := a.found[key]
	if !ok {
		found = a.text.Find(lines, tier)
		a.found[key] = found
	}
	return found
}

// finding is what was looked for on a tier.
type finding struct {
	tier  diffedit.Tier
	lines string
}
